//! The work as an inquiry, so that the one loop drives it.

use retap_reduce::{Inquiry, Ticket};

use crate::{Followed, ReplayOrder, Shrink};

impl Inquiry for Shrink {
    type Order = ReplayOrder;
    type News = Followed;

    fn order(&mut self) -> Option<ReplayOrder> {
        Self::order(self)
    }

    fn told(&mut self, ticket: Ticket, news: &Followed) {
        Self::told(self, ticket, news);
    }

    fn withdraw(&mut self) -> Vec<Ticket> {
        Self::withdraw(self)
    }

    fn over(&self) -> bool {
        Self::over(self)
    }
}

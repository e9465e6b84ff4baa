//! One event at a time from a short list, until none can go.
//!
//! The last event first, then the first, then from the end to the front. An event that had to stay is tried again only
//! after the list has changed: apps are not monotone. What is left is 1-minimal under the test that judged it.

use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct Pass {
    list: Vec<u32>,
    /// An event that is never tried: the launch.
    pinned: Option<u32>,
    /// What is left of this sweep, the next event last.
    left: Vec<u32>,
    /// The length of the list without which an event had to stay.
    stays: BTreeMap<u32, usize>,
    changed: bool,
}

impl Pass {
    /// A pass over these events.
    pub fn new(list: Vec<u32>, pinned: Option<u32>) -> Self {
        let left = match &list[..] {
            [first, inner @ .., last] => [inner, &[*first, *last]].concat(),
            few => few.to_vec(),
        };
        let mut pass = Self { list, pinned, left, stays: BTreeMap::new(), changed: false };
        pass.skip();
        pass
    }

    /// The event that is tried next; `None` when no single event can go.
    pub fn event(&self) -> Option<u32> {
        self.left.last().copied()
    }

    /// The list without that event.
    pub fn shorter(&self) -> Option<Vec<u32>> {
        let event = self.event()?;
        Some(self.list.iter().copied().filter(|other| *other != event).collect())
    }

    /// The list as far as the pass has come.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Takes the verdict on the shorter list.
    pub fn settle(&mut self, passed: bool) {
        let Some(event) = self.left.pop() else { return };
        if passed {
            self.list.retain(|other| *other != event);
            self.changed = true;
        } else {
            self.stays.insert(event, self.list.len());
        }
        self.skip();
    }

    /// Goes to the next event that is worth trying.
    fn skip(&mut self) {
        loop {
            while let Some(event) = self.left.last() {
                let gone = self.list.binary_search(event).is_err() || self.pinned == Some(*event);
                if !gone && self.stays.get(event) != Some(&self.list.len()) {
                    return;
                }
                self.left.pop();
            }
            if !std::mem::take(&mut self.changed) {
                return;
            }
            self.left.clone_from(&self.list);
        }
    }
}

//! What a suite must keep: code, states and crashes.

use std::collections::BTreeMap;
use std::fmt;

use retap_trace::{CoverageId, Signature, StateKey};

/// One thing that a trace can cover.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A piece of code was executed.
    Code(CoverageId),
    /// A state was seen after a step, at the level of the suite.
    State(StateKey),
    Crash(Signature),
}

/// Number of an item, dense from 0 in the order of first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ItemId(pub(crate) u32);

/// All items of the input, numbered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Items {
    numbers: BTreeMap<Item, ItemId>,
    list: Vec<Item>,
}

impl Items {
    /// The number of an item, a new one if need be.
    pub(crate) fn intern(&mut self, item: Item) -> ItemId {
        let next = ItemId(u32::try_from(self.list.len()).expect("fewer than 2^32 items"));
        let list = &mut self.list;
        *self.numbers.entry(item).or_insert_with_key(|item| {
            list.push(item.clone());
            next
        })
    }

    /// The number of an item of the input; of others there is none.
    pub(crate) fn find(&self, item: &Item) -> Option<ItemId> {
        self.numbers.get(item).copied()
    }

    pub(crate) fn get(&self, id: ItemId) -> &Item {
        &self.list[id.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ItemId> + use<> {
        (0..u32::try_from(self.list.len()).expect("fewer than 2^32 items")).map(ItemId)
    }
}

impl ItemId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(id) => write!(f, "code {}", id.0),
            Self::State(key) => write!(f, "state {key}"),
            Self::Crash(signature) => write!(f, "crash {signature}"),
        }
    }
}

//! The solved states of k live candidates: their values and best schedules.

use crate::layout::Layout;

/// One table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) layout: Layout,
    /// Expected steps to the end, by place.
    pub(crate) values: Vec<f64>,
    /// The number of the best split, by place; meaningless where fewer runs are left than a step has.
    pub(crate) picks: Vec<u32>,
}

//! All ways to give candidates with known totals their live failure levels: where each stands in a tensor, and
//! which state of the block it is.

use crate::layout::Layout;
use crate::levels::Levels;
use crate::ranks::Ranks;

/// One way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// Where it stands in the tensor.
    pub(super) place: usize,
    /// Which state of its block it is.
    pub(super) state: usize,
    /// The levels of the current group as one number, while the list grows.
    group: usize,
}

/// Knows the state of every ordered group.
#[derive(Debug)]
pub(super) struct Cells {
    levels: Levels,
    /// By number of levels, by number of members, by the levels read as one number: the rank when sorted.
    sorted: Vec<Vec<Vec<usize>>>,
}

impl Cells {
    pub(super) fn new(levels: Levels, candidates: usize) -> Self {
        let most = levels.most_live();
        let ranks = Ranks::new(candidates, most);
        let by_members =
            |count: usize| (0..=candidates).map(|members| sorted_ranks(&ranks, count, members)).collect();
        Self { levels, sorted: (0..=most).map(by_members).collect() }
    }

    /// Lists all cells of a block into `list`; the last candidate changes fastest.
    pub(super) fn list(&self, layout: &Layout, totals: &[usize], strides: &[usize], list: &mut Vec<Cell>) {
        let mut grown = Vec::new();
        let mut strides = strides.iter();
        list.clear();
        list.push(Cell { place: 0, state: 0, group: 0 });
        for group in totals.chunk_by(|one, other| one == other) {
            let live = self.levels.live(group[0]);
            for stride in strides.by_ref().take(group.len()) {
                grown.clear();
                for cell in list.iter() {
                    grown.extend((0..live).map(|level| Cell {
                        place: cell.place + level * stride,
                        state: cell.state,
                        group: cell.group * live + level,
                    }));
                }
                std::mem::swap(list, &mut grown);
            }
            let length = layout.group_length(group[0], group.len());
            let sorted = &self.sorted[live][group.len()];
            for cell in list.iter_mut() {
                *cell = Cell { place: cell.place, state: cell.state * length + sorted[cell.group], group: 0 };
            }
        }
    }
}

/// The rank of each list of `members` levels, when sorted, in the order of the levels read as one number.
fn sorted_ranks(ranks: &Ranks, levels: usize, members: usize) -> Vec<usize> {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..members {
        let longer = |list: &Vec<usize>| {
            let list = list.clone();
            (0..levels).map(move |level| [list.as_slice(), &[level]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    let rank = |mut list: Vec<usize>| {
        list.sort_unstable();
        ranks.rank(list)
    };
    lists.into_iter().map(rank).collect()
}

//! Which elements of two lists belong together: as many as possible in the same order, by Myers' algorithm.

use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// The positions in both lists of elements that are equal, in order. Elements are told apart by numbers. When the
/// moment comes before it is done, fewer are found.
pub(super) fn aligned(one: &[u32], other: &[u32], until: Option<Instant>) -> Vec<(usize, usize)> {
    // What one list alone has cannot be paired, and would only make the search longer.
    let common = |list: &[u32], with: &[u32]| -> Vec<(usize, u32)> {
        let most = with.iter().max().map_or(0, |most| *most as usize + 1);
        let mut known = vec![false; most];
        for element in with {
            known[*element as usize] = true;
        }
        let has = |element: u32| known.get(element as usize).copied().unwrap_or(false);
        list.iter().copied().enumerate().filter(|(_, element)| has(*element)).collect()
    };
    let (one_common, other_common) = (common(one, other), common(other, one));
    let elements = |list: &[(usize, u32)]| list.iter().map(|(_, element)| *element).collect::<Vec<u32>>();
    let ops = capture_diff_slices_deadline(
        Algorithm::Myers,
        &elements(&one_common),
        &elements(&other_common),
        until,
    );
    let mut pairs = Vec::new();
    for op in ops {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            pairs.extend((0..len).map(|at| (one_common[old_index + at].0, other_common[new_index + at].0)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_elements_are_paired_in_order() {
        assert_eq!(aligned(&[1, 2, 3, 4], &[2, 4], None), [(1, 0), (3, 1)]);
        assert_eq!(aligned(&[1, 9, 1], &[1, 1, 7], None), [(0, 0), (2, 1)]);
        assert_eq!(aligned(&[], &[1], None), []);
        assert_eq!(aligned(&[5], &[], None), []);
    }
}

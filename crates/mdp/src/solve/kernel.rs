//! The inner loops: products of a tensor with a small matrix along one axis, and the running minimum.
//!
//! Plain loops over neighbouring numbers, which the compiler turns into vector instructions. The order of all
//! sums is fixed, so results are the same on every machine.

use super::chances::{Chances, Row};

/// Numbers are handled in packs of so many.
const PACK: usize = 4;

/// Room that a tensor needs at its end: the last vector is handled in whole packs.
pub(super) const SLACK: usize = PACK - 1;

/// The tensor as a product sees it: four axes, of which the second is multiplied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) outer: usize,
    pub(super) levels: usize,
    pub(super) inner: usize,
    pub(super) done: usize,
}

/// Multiplies the `levels` axis by the matrix: `[outer, levels, inner, done]` becomes `[outer, inner, rows, done]`.
///
/// Vectors are handled in whole packs. What is written beyond the end of one is written again by the next.
pub(super) fn multiply(from: &[f64], shape: Shape, chances: &Chances, matrix: &[Row], to: &mut [f64]) {
    let Shape { outer, levels, inner, done } = shape;
    let stride = inner * done;
    let width = done.next_multiple_of(PACK);
    let mut at = 0;
    for slab in 0..outer {
        for vector in 0..inner {
            let start = slab * levels * stride + vector * done;
            for &row in matrix {
                let target = &mut to[at..at + width];
                combine(chances.shares(row), &from[start + row.first * stride..], stride, target);
                at += done;
            }
        }
    }
}

/// The sum of the vectors at distance `stride`, each times its share.
fn combine(shares: &[f64], from: &[f64], stride: usize, to: &mut [f64]) {
    let width = to.len();
    let vector = |nth: usize| from[nth * stride..][..width].as_chunks::<PACK>().0;
    let to = to.as_chunks_mut::<PACK>().0;
    match *shares {
        [] => to.fill([0.0; PACK]),
        [a] => {
            for (to, x) in to.iter_mut().zip(vector(0)) {
                *to = x.map(|x| a * x);
            }
        }
        [a, b] => {
            for ((to, x), y) in to.iter_mut().zip(vector(0)).zip(vector(1)) {
                for i in 0..PACK {
                    to[i] = a * x[i] + b * y[i];
                }
            }
        }
        [a, b, c] => {
            for (((to, x), y), z) in to.iter_mut().zip(vector(0)).zip(vector(1)).zip(vector(2)) {
                for i in 0..PACK {
                    to[i] = a * x[i] + b * y[i] + c * z[i];
                }
            }
        }
        [a, b, c, d, ref more @ ..] => {
            for ((((to, x), y), z), u) in to.iter_mut().zip(vector(0)).zip(vector(1)).zip(vector(2)).zip(vector(3)) {
                for i in 0..PACK {
                    to[i] = a * x[i] + b * y[i] + c * z[i] + d * u[i];
                }
            }
            for (nth, &share) in more.iter().enumerate() {
                for (to, x) in to.iter_mut().zip(vector(4 + nth)) {
                    for i in 0..PACK {
                        to[i] += share * x[i];
                    }
                }
            }
        }
    }
}

/// Keeps the smaller values, and where they come from.
pub(super) fn improve(values: &mut [f64], picks: &mut [u64], found: &[f64], pick: u64) {
    /// Most of the time nothing is better, and then the picks need not be touched.
    const LOOK: usize = 16;
    let parts = values.chunks_mut(LOOK).zip(picks.chunks_mut(LOOK)).zip(found.chunks(LOOK));
    for ((values, picks), found) in parts {
        let better = values.iter().zip(found).fold(false, |any, (value, found)| any | (found < value));
        if better {
            for ((value, known), &found) in values.iter_mut().zip(picks).zip(found) {
                let better = found < *value;
                *value = if better { found } else { *value };
                *known = if better { pick } else { *known };
            }
        }
    }
}

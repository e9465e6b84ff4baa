//! The inner loops: products of a tensor with a small matrix along one axis, and the running minimum.
//!
//! Plain loops over neighbouring numbers, which the compiler turns into vector instructions. The order of all
//! sums is fixed, so results are the same on every machine.

use super::chances::{Chances, Row};

/// The tensor as a product sees it: four axes, of which the second is multiplied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) outer: usize,
    pub(super) levels: usize,
    pub(super) inner: usize,
    pub(super) done: usize,
}

/// Multiplies the `levels` axis by the matrix: `[outer, levels, inner, done]` becomes `[outer, inner, rows, done]`.
pub(super) fn multiply(from: &[f64], shape: Shape, chances: &Chances, matrix: &[Row], to: &mut [f64]) {
    // Short vectors are the rule, and loops of known length have no overhead.
    match shape.done {
        1 => fixed::<1>(from, shape, chances, matrix, to),
        2 => fixed::<2>(from, shape, chances, matrix, to),
        3 => fixed::<3>(from, shape, chances, matrix, to),
        4 => fixed::<4>(from, shape, chances, matrix, to),
        6 => fixed::<6>(from, shape, chances, matrix, to),
        8 => fixed::<8>(from, shape, chances, matrix, to),
        9 => fixed::<9>(from, shape, chances, matrix, to),
        12 => fixed::<12>(from, shape, chances, matrix, to),
        18 => fixed::<18>(from, shape, chances, matrix, to),
        27 => fixed::<27>(from, shape, chances, matrix, to),
        _ => any(from, shape, chances, matrix, to),
    }
}

/// The product when `done` is D.
#[expect(clippy::many_single_char_names, reason = "sums of products")]
fn fixed<const D: usize>(from: &[f64], shape: Shape, chances: &Chances, matrix: &[Row], to: &mut [f64]) {
    let stride = shape.inner * D;
    for (nth, &row) in matrix.iter().enumerate() {
        let job = Job { shape, first: row.first, at: nth * D, step: matrix.len() * D };
        let vector = |at: usize| -> &[f64; D] { from[at..at + D].first_chunk().expect("just as long") };
        match *chances.shares(row) {
            [a] => job.each(|start, at| {
                let (x, to) = (vector(start), &mut to[at..at + D]);
                (0..D).for_each(|i| to[i] = a * x[i]);
            }),
            [a, b] => job.each(|start, at| {
                let (x, y, to) = (vector(start), vector(start + stride), &mut to[at..at + D]);
                (0..D).for_each(|i| to[i] = a * x[i] + b * y[i]);
            }),
            [a, b, c] => job.each(|start, at| {
                let (x, y, to) = (vector(start), vector(start + stride), &mut to[at..at + D]);
                let z = vector(start + 2 * stride);
                (0..D).for_each(|i| to[i] = a * x[i] + b * y[i] + c * z[i]);
            }),
            [a, b, c, d] => job.each(|start, at| {
                let (x, y, to) = (vector(start), vector(start + stride), &mut to[at..at + D]);
                let (z, u) = (vector(start + 2 * stride), vector(start + 3 * stride));
                (0..D).for_each(|i| to[i] = a * x[i] + b * y[i] + c * z[i] + d * u[i]);
            }),
            ref shares => job.each(|start, at| combine(shares, &from[start..], stride, &mut to[at..at + D])),
        }
    }
}

/// The product when `done` is anything.
fn any(from: &[f64], shape: Shape, chances: &Chances, matrix: &[Row], to: &mut [f64]) {
    let Shape { inner, done, .. } = shape;
    for (nth, &row) in matrix.iter().enumerate() {
        let job = Job { shape, first: row.first, at: nth * done, step: matrix.len() * done };
        let shares = chances.shares(row);
        job.each(|start, at| combine(shares, &from[start..], inner * done, &mut to[at..at + done]));
    }
}

/// One row of the matrix.
#[derive(Debug, Clone, Copy)]
struct Job {
    shape: Shape,
    /// The first level of the row.
    first: usize,
    /// Where the first target vector starts, and how far the next ones are.
    at: usize,
    step: usize,
}

impl Job {
    /// Calls with the start of each vector of the first level, and of its target.
    #[inline]
    fn each(self, mut call: impl FnMut(usize, usize)) {
        let Shape { outer, levels, inner, done } = self.shape;
        let mut at = self.at;
        for slab in 0..outer {
            let start = (slab * levels + self.first) * inner * done;
            for vector in 0..inner {
                call(start + vector * done, at);
                at += self.step;
            }
        }
    }
}

/// The sum of the vectors at distance `stride`, each times its share.
#[expect(clippy::many_single_char_names, reason = "sums of products")]
fn combine(shares: &[f64], from: &[f64], stride: usize, to: &mut [f64]) {
    let length = to.len();
    let vector = |nth: usize| &from[nth * stride..][..length];
    let (few, more) = shares.split_at(shares.len().min(4));
    match *few {
        [] => to.fill(0.0),
        [a] => {
            let x = vector(0);
            (0..length).for_each(|i| to[i] = a * x[i]);
        }
        [a, b] => {
            let (x, y) = (vector(0), vector(1));
            (0..length).for_each(|i| to[i] = a * x[i] + b * y[i]);
        }
        [a, b, c] => {
            let (x, y, z) = (vector(0), vector(1), vector(2));
            (0..length).for_each(|i| to[i] = a * x[i] + b * y[i] + c * z[i]);
        }
        [a, b, c, d, ..] => {
            let (x, y, z, u) = (vector(0), vector(1), vector(2), vector(3));
            (0..length).for_each(|i| to[i] = a * x[i] + b * y[i] + c * z[i] + d * u[i]);
        }
    }
    for (nth, share) in more.iter().enumerate() {
        to.iter_mut().zip(vector(4 + nth)).for_each(|(to, x)| *to += share * x);
    }
}

/// Results are compared in packs of so many.
const PACK: usize = 8;

/// The length of whole packs that hold so many results.
pub(super) const fn padded(length: usize) -> usize {
    length.next_multiple_of(PACK)
}

/// Keeps the smaller values, and where they come from. All three are whole packs.
pub(super) fn improve(values: &mut [f64], picks: &mut [u64], found: &[f64], pick: u64) {
    let (values, picks, found) = (values.as_chunks_mut().0, picks.as_chunks_mut().0, found.as_chunks().0);
    for ((values, picks), found) in values.iter_mut().zip(picks).zip(found) {
        improve_pack(values, picks, found, pick);
    }
}

#[inline]
fn improve_pack(values: &mut [f64; PACK], picks: &mut [u64; PACK], found: &[f64; PACK], pick: u64) {
    let mut any = false;
    for i in 0..PACK {
        any |= found[i] < values[i];
    }
    // Mostly nothing is better; then the picks need not even be read.
    if any {
        for i in 0..PACK {
            if found[i] < values[i] {
                values[i] = found[i];
                picks[i] = pick;
            }
        }
    }
}

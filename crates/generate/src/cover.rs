//! Spreads the pieces of code that can be covered over all handlers: few of them hold most of the code, as in the
//! apps of the published tables.

use retap_trace::Dice;

use super::code::{Code, Handler};

/// One line of the language covers so many pieces at most.
const MOST_PIECES: u64 = 100_000;
/// The heaviest code is 2 to this power times as heavy as the lightest.
const HEAVIEST: u32 = 8;

/// Makes exactly so many pieces of code. Where that are fewer than there are handlers and arms, some of them are
/// not counted.
pub(super) fn spread(handlers: &mut [&mut Handler], pieces: u32, dice: &mut Dice) {
    let mut order: Vec<usize> = (0..handlers.len()).collect();
    dice.shuffle(&mut order);
    let mut left = pieces;
    for number in order {
        let own = counted(&mut handlers[number].code);
        handlers[number].covered = own <= left;
        if own <= left {
            left -= own;
        }
    }
    let mut weights: Vec<u64> = Vec::new();
    for handler in handlers.iter_mut() {
        handler.code.regions(&mut |_| weights.push(1 << heads(dice)));
    }
    let shares = shares(&weights, u64::from(left));
    let mut shares = shares.into_iter();
    for handler in handlers.iter_mut() {
        handler.code.regions(&mut |code| code.cover = shares.next().unwrap_or(0));
    }
}

/// Pieces that the language counts by itself: the handler and each of its arms.
fn counted(code: &mut Code) -> u32 {
    let mut count = 0;
    code.regions(&mut |_| count += 1);
    count
}

/// How often a coin falls on heads, up to a limit.
fn heads(dice: &mut Dice) -> u32 {
    (0..HEAVIEST).take_while(|_| dice.below(2) == 0).map(|_| 1).sum()
}

/// Splits a number by weights. What rounding leaves goes to the first; what is too much for one goes to the next.
fn shares(weights: &[u64], total: u64) -> Vec<u32> {
    let sum: u64 = weights.iter().sum::<u64>().max(1);
    let mut shares: Vec<u64> = weights.iter().map(|weight| (total * weight / sum).min(MOST_PIECES)).collect();
    let mut left = total - shares.iter().sum::<u64>();
    // First one each; more is left only where the limit of a line has cut something off.
    for most in [1, MOST_PIECES] {
        for share in &mut shares {
            let more = left.min(most).min(MOST_PIECES - *share);
            *share += more;
            left -= more;
        }
    }
    shares.into_iter().map(|share| u32::try_from(share).expect("a line's pieces fit")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_in_rounding() {
        for (weights, total) in [
            (vec![1, 2, 4], 7_u64),
            (vec![1, 1, 1], 100),
            (vec![256, 1, 1], 200_000),
            (vec![1; 500], 3),
            (vec![1], 0),
            (vec![1, 1], 200_000),
        ] {
            let split = shares(&weights, total);
            assert_eq!(split.iter().map(|&share| u64::from(share)).sum::<u64>(), total, "{weights:?}");
            assert!(split.iter().all(|&share| u64::from(share) <= MOST_PIECES));
        }
    }
}

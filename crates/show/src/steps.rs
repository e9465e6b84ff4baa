//! Which steps of a trace are shown: `10-20`, `-20`, `10-`, `7`, or several of them with commas.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Ranges of steps, counted from 1. Without any, all steps are meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepRanges(Vec<RangeInclusive<usize>>);

impl StepRanges {
    /// Whether a step is among them.
    pub fn have(&self, number: usize) -> bool {
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&number))
    }

    /// The first of them that a trace with so many steps has nothing of, as it is typed.
    pub fn beyond(&self, steps: usize) -> Option<String> {
        let range = self.0.iter().find(|range| *range.start() > steps)?;
        Some(match *range.end() {
            usize::MAX => format!("{}-", range.start()),
            end if end == *range.start() => end.to_string(),
            end => format!("{}-{end}", range.start()),
        })
    }

    /// Adds others.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl FromStr for StepRanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(|part| range(part.trim())).collect::<Result<_, _>>().map(Self)
    }
}

fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || format!("'{text}' is no range of steps; write 10-20, -20, 10- or 7, counted from 1");
    let number = |text: &str| match text.parse::<usize>() {
        Ok(number) if number > 0 && !text.starts_with('+') => Ok(number),
        _ => Err(wrong()),
    };
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some(("", "")) => return Err(wrong()),
        Some(("", last)) => (1, number(last)?),
        Some((first, "")) => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(format!("'{text}' is no range of steps: it begins after its end"));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_people_write_them() {
        let shown = |text: &str| -> Vec<usize> {
            let ranges: StepRanges = text.parse().unwrap();
            (1..=12).filter(|number| ranges.have(*number)).collect()
        };
        assert_eq!(shown("3-5"), [3, 4, 5]);
        assert_eq!(shown("-2"), [1, 2]);
        assert_eq!(shown("11-"), [11, 12]);
        assert_eq!(shown("7"), [7]);
        assert_eq!(shown("1, 4-5,12-"), [1, 4, 5, 12]);
        assert!(StepRanges::default().have(99));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "-", "0", "0-3", "a", "1-a", "5-3", "1--2", "1,", "+1", "99999999999999999999"] {
            let error = text.parse::<StepRanges>().unwrap_err();
            assert!(error.contains("is no range of steps"), "{error}");
        }
    }

    #[test]
    fn ranges_beyond_the_end_are_named_as_typed() {
        for (text, beyond) in
            [("1-9,10-20", Some("10-20")), ("5-", None), ("6-", Some("6-")), ("9", Some("9"))]
        {
            let ranges: StepRanges = text.parse().unwrap();
            assert_eq!(ranges.beyond(5).as_deref(), beyond);
        }
    }
}

//! What explorers type: few texts, each of a kind that apps are known to trip over.

use retap_trace::Dice;

/// Longer than most fields expect.
const LONG: &str = "all work and no play makes a long text that no field of the app was made for, \
    and it goes on and on, past what a name, a title, a place or a price should be, past the end of the line, \
    past the end of the column in the table, until someone has to decide whether to wrap it or to cut it";

pub(crate) const TEXTS: [&str; 12] = [
    "",
    " ",
    "a",
    "Hello world",
    "0",
    "-1",
    "3.14",
    "99999999999999999999",
    "someone@example.com",
    "Grüße, 日本語, مرحبا 👩‍👧",
    "O'Neil \"100%\" <b>&amp;</b> \\",
    LONG,
];

/// One of the texts, each equally likely.
pub(crate) fn draw(dice: &mut Dice) -> &'static str {
    dice.pick(&TEXTS).expect("there are texts")
}

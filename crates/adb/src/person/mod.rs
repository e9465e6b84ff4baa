//! What a person does on a touch screen, from the raw events of its input devices. Pure: events in, gestures out.
//!
//! | file | what |
//! |---|---|
//! | `strokes` | raw events of the panel (multi-touch protocol B) become the ways of fingers |
//! | `gestures` | ways of fingers and keys become events of a trace |

mod gestures;
mod strokes;

pub use gestures::{Gestures, Limits, Told};
pub use strokes::{Stroke, Strokes};

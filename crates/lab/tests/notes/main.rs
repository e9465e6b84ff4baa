//! What is known of the built-in app `notes`: six seeded bugs, the fewest events that reach each, and sample
//! traces in which those events are hidden among others.
//!
//! After a change of the app, write the samples again with
//! `RETAP_UPDATE=1 cargo test -p retap-lab --test notes`.

mod bugs; // the six bugs and what reaches them
mod deed; // what a person does, and the event of it
mod lists; // every short list of events
mod minimal; // no event of a minimal list can be left out
mod monkey; // what blind exploration finds
mod needs; // a rotation, a system event, chance
mod noise; // needed events among others
mod play; // events on a device
mod reduce; // delta debugging, driven directly
mod samples; // the files in `samples/`

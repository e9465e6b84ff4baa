//! The sample traces and the apps they are of: every file in `samples/` is recorded again from its script and
//! compared byte by byte, and what is known of each app is shown on the simulator.
//!
//! After a change of an app or a script, write the files again with
//! `RETAP_UPDATE=1 cargo test -p retap-lab --test samples`.

mod addi; // ECHO, figure 2
mod dalvik; // SimplyDroid, figure 1
mod diner; // ND3MIN, section 2
mod filebrowser; // DetReduce, examples 2.1 to 2.4
mod flashcards; // TimeMachine, section 3.2
mod play; // events on a device, and what was seen around them
mod recorder; // scripts become sample files
mod runs; // subsequences of a trace, judged
mod script; // what a script says

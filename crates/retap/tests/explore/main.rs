//! `retap explore`, as people call it.

mod exploring;
mod resuming;
mod starts;
mod tool;

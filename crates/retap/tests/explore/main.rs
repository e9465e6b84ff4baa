//! `retap explore`, as people call it.

mod exploring;
mod resuming;
mod tool;

//! The whole engine, driven through its public interface against apps that exist in memory only.

#![expect(clippy::unwrap_used, reason = "what a test takes for granted it may take")]

mod app;
mod compare;
mod drive;
mod examples;
mod flaky;
mod forgive;
mod generated;
mod laws;
mod samples;
mod table;

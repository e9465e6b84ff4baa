//! The whole engine, driven through its public interface against apps that exist in memory only.

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

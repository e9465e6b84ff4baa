//! Reads app files.

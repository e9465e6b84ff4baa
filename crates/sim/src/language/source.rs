//! The sources of an app: its file and the files that it includes, as one tree of lines.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::Xxh3;

use super::cursor::Cursor;
use super::error::{Checked, Place, quote};
use super::limit;
use super::lines::{self, Line};

/// How the caller finds an included file: its text, or why there is none.
pub(super) type Load<'l> = &'l dyn Fn(&str) -> Result<String, String>;

/// Reads files until nothing is left to include.
pub(super) struct Reader<'l> {
    load: Load<'l>,
    /// Names of all files, by their number.
    pub(super) files: Vec<String>,
    seen: BTreeSet<String>,
    /// The files whose includes are being read, outermost first.
    chain: Vec<String>,
    bytes: usize,
    hash: Xxh3,
}

impl<'l> Reader<'l> {
    pub(super) fn new(load: Load<'l>) -> Self {
        Self {
            load,
            files: Vec::new(),
            seen: BTreeSet::new(),
            chain: Vec::new(),
            bytes: 0,
            hash: Xxh3::new(),
        }
    }

    /// The lines of a file, with those of included files in place of their `include`.
    pub(super) fn read(&mut self, name: &str, source: &str) -> Checked<Vec<Line>> {
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(name.to_owned());
        self.seen.insert(name.to_owned());
        self.bytes = self.bytes.saturating_add(source.len());
        if self.bytes > limit::BYTES {
            let start = Place { file, line: 1, column: 1 };
            return Err(
                start.fault("the sources of an app have at most 8 MiB together; make this file smaller")
            );
        }
        // With its length, so that moving text from one file to the next makes another build.
        self.hash.update(&(source.len() as u64).to_le_bytes());
        self.hash.update(source.as_bytes());

        self.chain.push(name.to_owned());
        let mut all = Vec::new();
        for line in lines::tree(file, source)? {
            match line.text.split([' ', '\t', '"']).next() {
                Some("include") => all.extend(self.include(&line)?),
                _ => all.push(line),
            }
        }
        self.chain.pop();
        Ok(all)
    }

    /// The hash of everything that was read.
    pub(super) fn build(&self) -> String {
        format!("{:016x}", self.hash.digest())
    }

    fn include(&mut self, line: &Line) -> Checked<Vec<Line>> {
        let mut cursor = Cursor::of(line, "include \"FILE\"")?;
        cursor.next();
        let place = cursor.place();
        let name = cursor.plain_text("the file's name in quotes")?;
        cursor.finish_leaf(line)?;
        if self.chain.contains(&name) {
            let cycle = self.chain.iter().skip_while(|above| **above != name).map(String::as_str);
            let cycle: Vec<&str> = cycle.chain([name.as_str()]).collect();
            let cycle = cycle.join(" -> ");
            return Err(place.fault(format!(
                "files include each other in a circle: {cycle}; remove one of the includes"
            )));
        }
        if self.chain.len() >= limit::NESTING {
            let limit = limit::NESTING;
            return Err(place.fault(format!("files include each other at most {limit} levels deep")));
        }
        if self.seen.contains(&name) {
            return Ok(Vec::new());
        }
        let source = (self.load)(&name)
            .map_err(|why| place.fault(format!("the file {} cannot be included: {why}", quote(&name))))?;
        self.read(&name, &source)
    }
}

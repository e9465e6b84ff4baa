//! Lists whose candidates a command judges: the lines of any text, or the steps of a trace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retap_reduce::Subset;
use retap_trace::{Trace, TraceWriter};

use crate::error::{Doing as _, Result, require};

/// Lines, and what stands before them.
#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) head: Arc<[u8]>,
    /// Each with its end.
    pub(super) lines: Arc<[Box<[u8]>]>,
    /// The name of the file it was read from.
    pub(super) name: String,
}

impl List {
    /// The lines of a file. They need not be text in any encoding.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).doing(|| format!("cannot read the list {}", path.display()))?;
        let lines: Arc<[Box<[u8]>]> = bytes.split_inclusive(|byte| *byte == b'\n').map(Box::from).collect();
        require!(!lines.is_empty(), "the list {} is empty", path.display());
        require!(u32::try_from(lines.len()).is_ok(), "the list {} is too long", path.display());
        Ok(Self { head: Arc::new([]), lines, name: name(path) })
    }

    /// The steps of a trace, one a line, after its header.
    pub(super) fn of_trace(trace: &Trace, path: &Path) -> Result<Self> {
        let mut text = Vec::new();
        let mut writer = TraceWriter::new(&mut text, &trace.header)?;
        trace.steps.iter().try_for_each(|step| writer.step(step))?;
        writer.finish()?;
        let mut lines = text.split_inclusive(|byte| *byte == b'\n').map(Box::from);
        let head: Box<[u8]> = lines.next().expect("a trace has a header");
        Ok(Self { head: head.into(), lines: lines.collect(), name: name(path) })
    }

    /// The text that keeps only these lines.
    pub(super) fn keep(&self, kept: &Subset) -> Vec<u8> {
        let lines = kept.positions().flat_map(|position| self.lines[position as usize].iter());
        self.head.iter().chain(lines).copied().collect()
    }

    /// A hash of what it says.
    pub(super) fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.head);
        for line in &*self.lines {
            hasher.update(line);
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }
}

/// `NAME.reduced.EXT`, beside the input. Of a trace, `.trace.jsonl` is the ending.
pub fn beside(input: &Path) -> PathBuf {
    let name = name(input);
    let dot =
        name.strip_suffix(".trace.jsonl").map(str::len).or_else(|| name.rfind('.').filter(|dot| *dot > 0));
    let (stem, ending) = name.split_at(dot.unwrap_or(name.len()));
    input.with_file_name(format!("{stem}.reduced{ending}"))
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| "list".to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_stands_beside_the_input() {
        for (input, result) in [
            ("a/list.txt", "a/list.reduced.txt"),
            ("list", "list.reduced"),
            ("x.trace.jsonl", "x.reduced.trace.jsonl"),
            (".hidden", ".hidden.reduced"),
            ("two.dots.c", "two.dots.reduced.c"),
        ] {
            assert_eq!(beside(Path::new(input)), Path::new(result));
        }
    }

    #[test]
    fn lines_keep_their_bytes_and_their_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        std::fs::write(&path, b"one\r\n\xff\n\nlast").unwrap();
        let list = List::read(&path).unwrap();
        assert_eq!(list.lines.len(), 4);
        assert_eq!(list.keep(&Subset::all(4)), b"one\r\n\xff\n\nlast");
        assert_eq!(list.keep(&Subset::from_positions([1, 3])), b"\xff\nlast");
    }
}

//! The shell protocol: each piece of data is a byte that says what it is, a length, and the data.

use std::collections::VecDeque;

use crate::shell::{Sink, Source};
use crate::transport::{Broken, HostStream};

/// Longer frames than this make no sense.
const LONGEST: usize = 1 << 20;
const HEADER: usize = 5;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    Stdin = 0,
    Stdout = 1,
    Stderr = 2,
    Exit = 3,
    CloseStdin = 4,
}

/// Writes frames of one kind.
pub(super) struct FrameSink {
    stream: HostStream,
    kind: Frame,
}

/// Reads what is typed; all other frames are of no interest.
pub(super) struct FrameSource {
    stream: HostStream,
    reader: FrameReader,
}

/// Takes frames out of bytes that come in any pieces.
#[derive(Debug, Default)]
pub(super) struct FrameReader {
    bytes: VecDeque<u8>,
    ended: bool,
}

impl FrameSink {
    pub(super) fn new(stream: &HostStream, kind: Frame) -> Self {
        Self { stream: stream.clone(), kind }
    }
}

impl Sink for FrameSink {
    fn put(&self, data: &[u8]) -> Result<(), Broken> {
        for part in data.chunks(LONGEST) {
            let length = u32::try_from(part.len()).expect("a part is short");
            let mut frame = Vec::with_capacity(HEADER + part.len());
            frame.push(self.kind as u8);
            frame.extend_from_slice(&length.to_le_bytes());
            frame.extend_from_slice(part);
            self.stream.write(&frame)?;
        }
        Ok(())
    }
}

impl FrameSource {
    pub(super) fn new(stream: &HostStream) -> Self {
        Self { stream: stream.clone(), reader: FrameReader::default() }
    }
}

impl Source for FrameSource {
    fn get(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.reader.next() {
                Some((kind, data)) if kind == Frame::Stdin as u8 => return Some(data),
                Some((kind, _)) if kind == Frame::CloseStdin as u8 => self.reader.end(),
                Some(_) => {}
                None if self.reader.ended => return None,
                None => match self.stream.read() {
                    Some(data) => self.reader.add(&data),
                    None => self.reader.end(),
                },
            }
        }
    }
}

impl FrameReader {
    pub(super) fn add(&mut self, data: &[u8]) {
        if !self.ended {
            self.bytes.extend(data);
        }
    }

    /// Nothing that comes now counts.
    fn end(&mut self) {
        self.ended = true;
        self.bytes.clear();
    }

    /// The next whole frame. One that is too long ends everything.
    pub(super) fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        if self.bytes.len() < HEADER {
            return None;
        }
        let mut length = [0; 4];
        for (to, from) in length.iter_mut().zip(self.bytes.iter().skip(1)) {
            *to = *from;
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            self.end();
            return None;
        }
        if self.bytes.len() < HEADER + length {
            return None;
        }
        let kind = self.bytes.pop_front()?;
        self.bytes.drain(..HEADER - 1);
        Some((kind, self.bytes.drain(..length).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame(kind: u8, data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap();
        [&[kind][..], &length.to_le_bytes(), data].concat()
    }

    proptest! {
        #[test]
        fn frames_survive_any_cutting(
            frames in prop::collection::vec((0..6_u8, prop::collection::vec(any::<u8>(), 0..50)), 0..10),
            cut in 1..40_usize,
        ) {
            let bytes: Vec<u8> = frames.iter().flat_map(|(kind, data)| frame(*kind, data)).collect();
            let mut reader = FrameReader::default();
            let mut read = Vec::new();
            for piece in bytes.chunks(cut) {
                reader.add(piece);
                while let Some(next) = reader.next() {
                    read.push(next);
                }
            }
            prop_assert_eq!(read, frames);
        }

        #[test]
        fn nonsense_ends_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut reader = FrameReader::default();
            reader.add(&bytes);
            while reader.next().is_some() {}
            prop_assert!(reader.bytes.len() <= bytes.len());
        }
    }
}

//! The shell protocol: each piece of data is a byte that says what it is, a length, and the data.

use crate::shell::{Input, Sink, Source};
use crate::transport::{Broken, HostStream};

/// Longer frames than this make no sense.
const LONGEST: usize = 1 << 20;
const HEADER: usize = 5;

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
pub(super) struct FrameSource(pub(super) Input);

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

impl Source for FrameSource {
    fn get(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.next()? {
                (kind, data) if kind == Frame::Stdin as u8 => return Some(data),
                (kind, _) if kind == Frame::CloseStdin as u8 => return None,
                _ => {}
            }
        }
    }
}

impl FrameSource {
    /// The next whole frame. One that is too long ends everything.
    fn next(&self) -> Option<(u8, Vec<u8>)> {
        let header = self.0.read_exactly(HEADER);
        let length = u32::from_le_bytes(header.get(1..)?.try_into().ok()?) as usize;
        if length > LONGEST {
            return None;
        }
        let data = self.0.read_exactly(length);
        (data.len() == length).then(|| (header[0], data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Pieces;
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
            let reader = FrameSource(Input::new(Pieces::of(&bytes, cut)));
            let read: Vec<_> = std::iter::from_fn(|| reader.next()).collect();
            prop_assert_eq!(read, frames);
        }

        #[test]
        fn nonsense_ends_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut reader = FrameSource(Input::of(bytes));
            while reader.get().is_some() {}
        }

        #[test]
        fn what_is_typed_is_read_up_to_its_end(
            texts in prop::collection::vec("[a-z]{0,9}", 0..5),
            cut in 1..40_usize,
        ) {
            let typed = texts.iter().flat_map(|text| [frame(0, text.as_bytes()), frame(5, b"size")]);
            let bytes: Vec<u8> = typed.chain([frame(4, b""), frame(0, b"late")]).flatten().collect();
            let read = Input::new(FrameSource(Input::new(Pieces::of(&bytes, cut)))).read_all();
            prop_assert_eq!(String::from_utf8(read).unwrap(), texts.concat());
        }
    }
}

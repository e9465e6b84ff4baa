//! Requests come in any pieces; this takes them whole.

use crate::transport::{Broken, HostStream};

/// Reads exactly as much as is asked for.
pub(super) struct Reader<'a> {
    stream: &'a HostStream,
    rest: Vec<u8>,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(stream: &'a HostStream) -> Self {
        Self { stream, rest: Vec::new(), at: 0 }
    }

    /// So many bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Result<Vec<u8>, Broken> {
        let mut bytes = Vec::with_capacity(count);
        while bytes.len() < count {
            if self.at == self.rest.len() {
                self.rest = self.stream.read().ok_or(Broken)?;
                self.at = 0;
            }
            let take = (count - bytes.len()).min(self.rest.len() - self.at);
            bytes.extend_from_slice(&self.rest[self.at..self.at + take]);
            self.at += take;
        }
        Ok(bytes)
    }

    /// A number.
    pub(super) fn number(&mut self) -> Result<u32, Broken> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| Broken)?))
    }

    /// Four letters, and a number.
    pub(super) fn header(&mut self) -> Result<([u8; 4], u32), Broken> {
        let id = self.bytes(4)?.try_into().map_err(|_| Broken)?;
        Ok((id, self.number()?))
    }
}

//! Packets of shell protocol version 2: a byte for the kind, four for the length, then the bytes.

use super::wire::Wire;
use super::{AdbError, Deadline};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PacketKind {
    Stdin = 0,
    Stdout = 1,
    Stderr = 2,
    Exit = 3,
    CloseStdin = 4,
}

/// adbd sends packets of 32 KiB; a length far beyond means that we are out of step.
const LONGEST: usize = 16 << 20;

/// A packet from the device. None at the end of the connection.
pub(crate) fn read(wire: &mut Wire, deadline: &Deadline) -> Result<Option<(u8, Vec<u8>)>, AdbError> {
    let mut head = [0; 5];
    match wire.read(&mut head[..1], deadline)? {
        0 => return Ok(None),
        _ => wire.read_exact(&mut head[1..], deadline)?,
    }
    let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
    if length > LONGEST {
        return Err(AdbError::Protocol { what: deadline.what(), why: format!("a packet of {length} bytes") });
    }
    let mut bytes = vec![0; length];
    wire.read_exact(&mut bytes, deadline)?;
    Ok(Some((head[0], bytes)))
}

pub(crate) fn write(
    wire: &mut Wire,
    kind: PacketKind,
    bytes: &[u8],
    deadline: &Deadline,
) -> Result<(), AdbError> {
    const CHUNK: usize = 32 << 10;
    let mut chunks = bytes.chunks(CHUNK);
    let first = chunks.next().unwrap_or_default();
    for chunk in std::iter::once(first).chain(chunks) {
        let length = u32::try_from(chunk.len()).expect("a chunk is short");
        let mut packet = vec![kind as u8];
        packet.extend_from_slice(&length.to_le_bytes());
        packet.extend_from_slice(chunk);
        wire.write(&packet, deadline)?;
    }
    Ok(())
}

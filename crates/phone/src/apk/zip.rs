//! One file out of a zip archive.

use std::io::Read;

use super::ApkError;

/// No manifest is larger than this.
const LARGEST: u64 = 8 << 20;

pub(super) fn entry(file: &[u8], name: &str) -> Result<Vec<u8>, ApkError> {
    let content = find(file, name).ok_or(ApkError::NotZip)?;
    if content.is_empty() { Err(ApkError::NoManifest) } else { Ok(content) }
}

/// None where the archive is none, and no bytes where the file is not there.
fn find(file: &[u8], name: &str) -> Option<Vec<u8>> {
    let end = file.len().saturating_sub(22);
    let from = end.saturating_sub(65_535);
    let tail = file.get(from..)?;
    let place = (0..=end - from).rev().find(|at| tail[*at..].starts_with(b"PK\x05\x06"))?;
    let (count, mut at) = (u16_at(tail, place + 10)?, u32_at(tail, place + 16)? as usize);
    for _ in 0..count {
        let header = file.get(at..).filter(|header| header.starts_with(b"PK\x01\x02"))?;
        let length = |at: usize| u16_at(header, at).map(usize::from);
        let (named, extra, comment) = (length(28)?, length(30)?, length(32)?);
        if header.get(46..46 + named) == Some(name.as_bytes()) {
            return content(file, header);
        }
        at += 46 + named + extra + comment;
    }
    Some(Vec::new())
}

fn content(file: &[u8], header: &[u8]) -> Option<Vec<u8>> {
    let (method, packed) = (u16_at(header, 10)?, u32_at(header, 20)? as usize);
    let local = file.get(u32_at(header, 42)? as usize..)?;
    let start = 30 + usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
    let bytes = local.get(start..start.checked_add(packed)?)?;
    match method {
        0 => Some(bytes.to_vec()),
        8 => {
            let mut content = Vec::new();
            flate2::read::DeflateDecoder::new(bytes).take(LARGEST).read_to_end(&mut content).ok()?;
            Some(content)
        }
        _ => None,
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

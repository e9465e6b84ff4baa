//! One file out of a zip archive.

use std::io::Read;

use super::ApkError;

/// No manifest is larger than this.
const LARGEST: u64 = 8 << 20;

/// The content of the file of that name.
pub(super) fn entry(file: &[u8], name: &str) -> Result<Vec<u8>, ApkError> {
    let end = file.len().saturating_sub(22);
    let from = end.saturating_sub(65_535);
    let tail = file.get(from..).unwrap_or_default();
    let place =
        (0..=end - from).rev().find(|at| tail[*at..].starts_with(b"PK\x05\x06")).ok_or(ApkError::NotZip)?;
    let (count, mut at) = (
        u16_at(tail, place + 10).ok_or(ApkError::NotZip)?,
        u32_at(tail, place + 16).ok_or(ApkError::NotZip)? as usize,
    );
    for _ in 0..count {
        let header =
            file.get(at..).filter(|header| header.starts_with(b"PK\x01\x02")).ok_or(ApkError::NotZip)?;
        let field = |at: usize| u16_at(header, at).map(usize::from);
        let (named, extra, comment) = (
            field(28).ok_or(ApkError::NotZip)?,
            field(30).ok_or(ApkError::NotZip)?,
            field(32).ok_or(ApkError::NotZip)?,
        );
        if header.get(46..46 + named) == Some(name.as_bytes()) {
            return content(file, header).ok_or(ApkError::Damaged("the archive"));
        }
        at += 46 + named + extra + comment;
    }
    Err(ApkError::NoManifest)
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

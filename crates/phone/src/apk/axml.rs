//! A compiled manifest: a pool of strings, and elements that refer to it.

use super::{ApkError, Element};

const STRING_POOL: u16 = 0x0001;
const RESOURCE_MAP: u16 = 0x0180;
const START_ELEMENT: u16 = 0x0102;
const END_ELEMENT: u16 = 0x0103;
const UTF8: u32 = 1 << 8;
/// Types of values.
const STRING: u8 = 0x03;
const INT_DEC: u8 = 0x10;
const INT_HEX: u8 = 0x11;
const BOOLEAN: u8 = 0x12;
/// Names of attributes by their resource ids, for files whose names were stripped.
const NAMES: [(u32, &str); 5] = [
    (0x0101_0003, "name"),
    (0x0101_021b, "versionCode"),
    (0x0101_021c, "versionName"),
    (0x0101_020c, "minSdkVersion"),
    (0x0101_0270, "targetSdkVersion"),
];

/// Whether the bytes are a compiled document.
pub(super) fn is_compiled(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x03, 0x00, 0x08, 0x00])
}

/// The elements of a compiled document.
pub(super) fn elements(bytes: &[u8]) -> Result<Vec<Element>, ApkError> {
    let mut document = Document::default();
    let mut at = 8;
    let mut depth = 0_usize;
    let mut elements = Vec::new();
    while let (Some(kind), Some(size)) = (u16_at(bytes, at), u32_at(bytes, at + 4)) {
        let chunk =
            bytes.get(at..at.saturating_add(size as usize)).ok_or(ApkError::Damaged("a chunk is cut off"))?;
        match kind {
            STRING_POOL => document.strings = strings(chunk).ok_or(ApkError::Damaged("the strings"))?,
            RESOURCE_MAP => {
                document.resources = (2..chunk.len() / 4).filter_map(|at| u32_at(chunk, at * 4)).collect();
            }
            START_ELEMENT => {
                elements.push(document.element(chunk, depth).ok_or(ApkError::Damaged("an element"))?);
                depth += 1;
            }
            END_ELEMENT => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += (size as usize).max(8);
    }
    Ok(elements)
}

#[derive(Default)]
struct Document {
    strings: Vec<String>,
    resources: Vec<u32>,
}

impl Document {
    fn element(&self, chunk: &[u8], depth: usize) -> Option<Element> {
        let name = self.string(u32_at(chunk, 20)?)?;
        let start = 16 + usize::from(u16_at(chunk, 24)?);
        let (size, count) = (usize::from(u16_at(chunk, 26)?), usize::from(u16_at(chunk, 28)?));
        let attribute = |number: usize| {
            let at = start + number * size.max(20);
            Some((self.name(u32_at(chunk, at + 4)?)?, self.value(chunk, at)?))
        };
        let attributes = (0..count).filter_map(attribute).collect();
        Some(Element { name: name.to_owned(), depth, attributes })
    }

    fn name(&self, number: u32) -> Option<String> {
        let resource = self.resources.get(number as usize);
        let known = NAMES.iter().find(|(id, _)| Some(id) == resource).map(|(_, name)| *name);
        known.or_else(|| self.string(number)).map(str::to_owned)
    }

    fn value(&self, chunk: &[u8], at: usize) -> Option<String> {
        let data = u32_at(chunk, at + 16)?;
        Some(match *chunk.get(at + 15)? {
            STRING => self.string(data)?.to_owned(),
            INT_DEC | INT_HEX => data.cast_signed().to_string(),
            BOOLEAN => (data != 0).to_string(),
            _ => format!("@{data:#010x}"),
        })
    }

    fn string(&self, number: u32) -> Option<&str> {
        self.strings.get(number as usize).map(String::as_str)
    }
}

fn strings(chunk: &[u8]) -> Option<Vec<String>> {
    let (count, flags, start) = (u32_at(chunk, 8)?, u32_at(chunk, 16)?, u32_at(chunk, 20)? as usize);
    if count as usize > chunk.len() / 4 {
        return None;
    }
    let one = |number: u32| {
        let offset = u32_at(chunk, 28 + number as usize * 4)? as usize;
        let text = chunk.get(start.checked_add(offset)?..)?;
        if flags & UTF8 != 0 { utf8(text) } else { utf16(text) }
    };
    Some((0..count).map(|number| one(number).unwrap_or_default()).collect())
}

fn utf8(text: &[u8]) -> Option<String> {
    // The length in characters, then in bytes; each takes two bytes when it is long.
    let long = |at: usize| text.get(at).map(|first| first & 0x80 != 0);
    let at = if long(0)? { 2 } else { 1 };
    let (length, at) = if long(at)? {
        (usize::from(text[at] & 0x7f) << 8 | usize::from(*text.get(at + 1)?), at + 2)
    } else {
        (usize::from(text[at]), at + 1)
    };
    Some(String::from_utf8_lossy(text.get(at..at + length)?).into_owned())
}

fn utf16(text: &[u8]) -> Option<String> {
    let first = u16_at(text, 0)?;
    let (length, at): (usize, usize) = if first & 0x8000 != 0 {
        (usize::from(first & 0x7fff) << 16 | usize::from(u16_at(text, 2)?), 4)
    } else {
        (usize::from(first), 2)
    };
    let bytes = text.get(at..at.checked_add(length.checked_mul(2)?)?)?;
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

//! `JaCoCo`'s execution data (`.ec`): which pieces of which classes were executed.
//!
//! A file is a row of blocks: a header (1, magic 0xC0C0, version 0x1007), sessions (0x10: name, start, end), classes
//! (0x11: id, name, and a yes or no for each of its probes, eight to a byte). All numbers are big-endian. Files may be
//! appended to each other.

use std::collections::BTreeMap;

use retap_trace::CoverageId;

/// What was executed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// The classes by their id, with their names and probes.
    pub classes: BTreeMap<u64, (String, Vec<bool>)>,
    /// Whether the file is whole. An app that dies while it writes leaves half a one; what was read counts.
    pub whole: bool,
}

/// Why a file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoverageError {
    #[error("the coverage file is empty; did the app write it?")]
    Empty,
    /// Something else.
    #[error("this is not JaCoCo execution data: it does not begin with the bytes 01 C0 C0")]
    NotJacoco,
    /// From another `JaCoCo`.
    #[error("the coverage file has version {found:#06x}; JaCoCo 0.5 and later write 0x1007")]
    Version { found: u16 },
    #[error("the coverage file has {} MiB; no app has as many classes", bytes >> 20)]
    TooLong { bytes: usize },
    /// A block that no version has.
    #[error("the coverage file has an unknown block {block:#04x} at byte {at}")]
    Block {
        /// Its kind.
        block: u8,
        at: usize,
    },
}

const MAGIC: u16 = 0xC0C0;
const VERSION: u16 = 0x1007;
const LONGEST: usize = 64 << 20;
/// A method has at most 64 KiB of code, a class 65,535 methods; real classes have some thousand probes.
const MOST_PROBES: usize = 1 << 20;

impl Coverage {
    /// The executed probes, in order and each once. The same build gives the same numbers on every device.
    pub fn ids(&self) -> Vec<CoverageId> {
        let mut ids: Vec<CoverageId> = self.executed().map(|(id, ..)| id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The executed probes, each with its class and its number there. Of methods the file says nothing.
    pub fn executed(&self) -> impl Iterator<Item = (CoverageId, &str, usize)> {
        self.classes.iter().flat_map(|(class, (name, probes))| {
            let executed = probes.iter().enumerate().filter(|(_, executed)| **executed);
            executed.map(|(probe, _)| (id(*class, probe), name.as_str(), probe))
        })
    }
}

/// `JaCoCo`'s class id is a checksum of the class file; mixed with the number of the probe it names a piece of code in
/// this build. Of 100,000 probes about one shares its number with another.
fn id(class: u64, probe: usize) -> CoverageId {
    // The generator SplitMix64, seeded by the class: its nth number belongs to the nth probe.
    let mut mixed = class.wrapping_add((probe as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    CoverageId(u32::try_from(mixed >> 32).expect("half of 64 bits"))
}

pub fn coverage(bytes: &[u8]) -> Result<Coverage, CoverageError> {
    match bytes {
        [] => return Err(CoverageError::Empty),
        [0x01, 0xC0, 0xC0, ..] => {}
        _ => return Err(CoverageError::NotJacoco),
    }
    if bytes.len() > LONGEST {
        return Err(CoverageError::TooLong { bytes: bytes.len() });
    }
    let mut cursor = Cursor { bytes, at: 0 };
    let mut found = Coverage { classes: BTreeMap::new(), whole: true };
    while cursor.at < bytes.len() {
        if !block(&mut cursor, &mut found)? {
            found.whole = false;
            break;
        }
    }
    Ok(found)
}

/// Reads a block. `false` when the file ends in it.
fn block(cursor: &mut Cursor<'_>, found: &mut Coverage) -> Result<bool, CoverageError> {
    let at = cursor.at;
    match cursor.byte() {
        Some(0x01) => {
            let (Some(magic), Some(version)) = (cursor.short(), cursor.short()) else { return Ok(false) };
            if magic != MAGIC {
                return Err(CoverageError::NotJacoco);
            }
            if version != VERSION {
                return Err(CoverageError::Version { found: version });
            }
            Ok(true)
        }
        Some(0x10) => Ok(cursor.text().and_then(|_| cursor.take(16)).is_some()),
        Some(0x11) => {
            let Some((class, name, probes)) = class(cursor) else { return Ok(false) };
            let (_, known) = found.classes.entry(class).or_insert_with(|| (name, Vec::new()));
            known.resize(known.len().max(probes.len()), false);
            for (known, executed) in known.iter_mut().zip(probes) {
                *known |= executed;
            }
            Ok(true)
        }
        Some(block) => Err(CoverageError::Block { block, at }),
        None => Ok(false),
    }
}

fn class(cursor: &mut Cursor<'_>) -> Option<(u64, String, Vec<bool>)> {
    let id = u64::from_be_bytes(cursor.take(8)?.try_into().ok()?);
    let name = cursor.text()?;
    let count = cursor.number().filter(|count| *count <= MOST_PROBES)?;
    let packed = cursor.take(count.div_ceil(8))?;
    let probes = (0..count).map(|probe| packed[probe / 8] >> (probe % 8) & 1 == 1).collect();
    Some((id, name, probes))
}

struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2).map(|taken| u16::from_be_bytes([taken[0], taken[1]]))
    }

    /// Java's text: its length in two bytes, then UTF-8 with a few deviations that class names do not have.
    fn text(&mut self) -> Option<String> {
        let length = self.short()?;
        self.take(usize::from(length)).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// Seven bits to a byte, the lowest first.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0_usize;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [u8; 5] = [0x01, 0xC0, 0xC0, 0x10, 0x07];

    fn session() -> Vec<u8> {
        [&[0x10, 0, 2][..], b"s1", &[0; 16]].concat()
    }

    fn class_block(id: u64, name: &str, probes: &[bool]) -> Vec<u8> {
        let mut block = vec![0x11];
        block.extend(id.to_be_bytes());
        block.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
        block.extend(name.as_bytes());
        let mut rest = probes.len();
        while rest >= 0x80 {
            block.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
            rest >>= 7;
        }
        block.push(u8::try_from(rest).unwrap());
        for eight in probes.chunks(8) {
            block.push(eight.iter().enumerate().map(|(nth, yes)| u8::from(*yes) << nth).sum());
        }
        block
    }

    #[test]
    fn classes_and_probes_are_read() {
        let many: Vec<bool> = (0..300).map(|nth| nth % 7 == 0).collect();
        let file = [
            &HEADER[..],
            &session(),
            &class_block(7, "com/example/Main", &[true, false, true]),
            &class_block(8, "com/example/Big", &many),
            &HEADER,
            &class_block(7, "com/example/Main", &[false, true, false]),
        ]
        .concat();
        let found = coverage(&file).unwrap();
        assert!(found.whole);
        assert_eq!(found.classes[&7], ("com/example/Main".to_owned(), vec![true; 3]));
        assert_eq!(found.classes[&8].1, many);
        assert_eq!(found.ids().len(), 3 + 43);
        assert!(found.ids().is_sorted());
        let named: Vec<_> = found.executed().filter(|(_, class, _)| *class == "com/example/Main").collect();
        assert_eq!(named.iter().map(|(_, _, probe)| *probe).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn numbers_are_the_same_for_ever() {
        assert_eq!([id(7, 0), id(7, 1), id(8, 0)].map(|id| id.0), [1_674_306_020, 72_105_175, 2_656_457_136]);
    }

    #[test]
    fn half_a_file_is_read_as_far_as_it_goes() {
        let whole = [&HEADER[..], &class_block(7, "a/B", &[true]), &class_block(8, "a/C", &[true])].concat();
        let first = HEADER.len() + class_block(7, "a/B", &[true]).len();
        for cut in first..whole.len() {
            let found = coverage(&whole[..cut]).unwrap();
            assert_eq!((found.classes.len(), found.whole), (1, cut == first), "{cut}");
        }
        assert_eq!(coverage(&HEADER[..3]).unwrap(), Coverage { classes: BTreeMap::new(), whole: false });
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(coverage(b""), Err(CoverageError::Empty));
        assert_eq!(coverage(b"run-as: unknown package"), Err(CoverageError::NotJacoco));
        assert_eq!(coverage(&[0x01, 0xC0, 0xC0, 0x10, 0x06]), Err(CoverageError::Version { found: 0x1006 }));
        assert_eq!(
            coverage(&[&HEADER[..], &[0x77]].concat()),
            Err(CoverageError::Block { block: 0x77, at: 5 })
        );
        let endless = [&HEADER[..], &[0x11], &[0; 8], &[0, 0], &[0xff; 9]].concat();
        assert!(!coverage(&endless).unwrap().whole);
    }
}

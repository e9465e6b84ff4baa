//! A policy as a file: small, versioned, checked.
//!
//! All numbers are little-endian: the magic word, the version (4 bytes), the length of the whole file (8), the setting
//! (4 x 4), the number of points of the prior (4), its points and weights (8 each), then for 1, 2, ... n live
//! candidates all values (8 each) and all picks (2 each, or 4 where 2 do not suffice), and last the XXH3 of all
//! before it (8).

use std::io::{self, Read, Write};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::Policy;
use crate::policy::Table;
use crate::solve::{layouts, splits};
use crate::{Prior, Setting};

/// The version that this program writes, and the newest that it reads.
pub const POLICY_VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"rtpolicy";
/// Where the setting starts: after magic word, version and length.
const HEADER: usize = 20;

/// Why a policy cannot be read.
#[derive(Debug, Error)]
pub enum PolicyError {
    /// The source failed.
    #[error("the policy file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// Something else.
    #[error("this is not a policy file")]
    Foreign,
    /// From a later program.
    #[error("the policy file has version {0}, but this program reads versions up to {POLICY_VERSION}")]
    Newer(u32),
    /// Cut off.
    #[error("the policy file ends early, after {found} of {expected} bytes; solve the policy again")]
    Truncated {
        /// How many bytes there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// Changed after it was written.
    #[error("the policy file is damaged ({0}); solve the policy again")]
    Damaged(&'static str),
}

impl Policy {
    /// The size of the policy as a file, in bytes.
    pub fn file_size(&self) -> usize {
        let width = 8 + pick_width(self);
        let entries: usize = self.tables.iter().map(|table| table.values.len()).sum();
        HEADER + 16 + 4 + 16 * self.prior.points().len() + entries * width + 8
    }

    /// The policy as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.file_size());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&POLICY_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.file_size() as u64).to_le_bytes());
        let points = u32::try_from(self.prior.points().len()).expect("a prior has few points");
        let Setting { n, m, nr, st } = self.setting;
        for number in [n, m, nr, st, points] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let put_floats = |bytes: &mut Vec<u8>, floats: &[f64]| {
            bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        };
        put_floats(&mut bytes, self.prior.points());
        put_floats(&mut bytes, self.prior.weights());
        let width = pick_width(self);
        for table in &self.tables {
            put_floats(&mut bytes, &table.values);
            // Little-endian, so the low bytes come first.
            table.picks.iter().for_each(|pick| bytes.extend_from_slice(&pick.to_le_bytes()[..width]));
        }
        let sum = xxh3_64(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The policy in the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PolicyError> {
        let checked = check(bytes)?;
        decode(&mut Reader { bytes: checked })
    }

    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        to.write_all(&self.to_bytes())
    }

    /// Reads a policy, to the end.
    pub fn read_from(mut from: impl Read) -> Result<Self, PolicyError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }
}

/// How many bytes the number of a split takes.
fn pick_width(policy: &Policy) -> usize {
    if policy.splits.count(policy.setting.n as usize) <= 1 << 16 { 2 } else { 4 }
}

/// Sees that the file is whole and unchanged. Returns what is between header and checksum.
fn check(bytes: &[u8]) -> Result<&[u8], PolicyError> {
    let found = bytes.len() as u64;
    let magic = bytes.len().min(MAGIC.len());
    if bytes[..magic] != MAGIC[..magic] || bytes.is_empty() {
        return Err(PolicyError::Foreign);
    }
    let mut header = Reader { bytes: &bytes[magic..] };
    let cut = PolicyError::Truncated { found, expected: HEADER as u64 };
    let Ok(version) = header.number() else { return Err(cut) };
    if version > POLICY_VERSION {
        return Err(PolicyError::Newer(version));
    }
    let Ok(length) = header.take(8) else { return Err(cut) };
    let expected = u64::from_le_bytes(*length.first_chunk().expect("8 bytes were taken"));
    if found < expected {
        return Err(PolicyError::Truncated { found, expected });
    }
    let damaged = PolicyError::Damaged("its length is wrong");
    let Some((body, sum)) = bytes.split_last_chunk() else { return Err(damaged) };
    if found > expected || body.len() < HEADER {
        return Err(damaged);
    }
    if xxh3_64(body) != u64::from_le_bytes(*sum) {
        return Err(PolicyError::Damaged("its checksum is wrong"));
    }
    Ok(&body[HEADER..])
}

fn decode(reader: &mut Reader<'_>) -> Result<Policy, PolicyError> {
    let [n, m, nr, st] = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
    let setting = Setting::new(n, m, nr, st).map_err(|_| PolicyError::Damaged("its setting is wrong"))?;
    let points = reader.number()? as usize;
    let (points, weights) = (reader.floats(points)?, reader.floats(points)?);
    let prior = Prior::new(points, weights).map_err(|_| PolicyError::Damaged("its prior is wrong"))?;
    let unsolvable = || PolicyError::Damaged("its setting has no solution");
    let splits = splits(&setting).ok_or_else(unsolvable)?;
    let mut policy = Policy::new(setting, prior, splits, Vec::new());
    let width = pick_width(&policy);
    for layout in layouts(&setting).ok_or_else(unsolvable)? {
        let values = reader.floats(layout.length())?;
        let most = policy.splits.count(policy.tables.len() + 1);
        let picks = reader.picks(layout.length(), width)?;
        if picks.iter().any(|&pick| u64::from(pick) >= most.max(1))
            || !values.iter().all(|value| value.is_finite())
        {
            return Err(PolicyError::Damaged("its tables are wrong"));
        }
        policy.tables.push(Table { layout, values, picks });
    }
    if reader.bytes.is_empty() { Ok(policy) } else { Err(PolicyError::Damaged("its length is wrong")) }
}

/// Takes numbers from the front.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], PolicyError> {
        let wrong = PolicyError::Damaged("its length is wrong");
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(wrong)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, PolicyError> {
        Ok(u32::from_le_bytes(*self.take(4)?.first_chunk().expect("4 bytes were taken")))
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f64>, PolicyError> {
        let bytes = self.take(count.saturating_mul(8))?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
    }

    fn picks(&mut self, count: usize, width: usize) -> Result<Vec<u32>, PolicyError> {
        let bytes = self.take(count.saturating_mul(width))?;
        let pick = |bytes: &[u8]| bytes.iter().rev().fold(0, |pick, &byte| pick << 8 | u32::from(byte));
        Ok(bytes.chunks_exact(width).map(pick).collect())
    }
}

#[cfg(test)]
mod tests;

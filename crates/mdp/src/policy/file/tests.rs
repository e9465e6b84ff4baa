use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::*;
use crate::solve::solve;

fn policy(n: u32) -> Policy {
    let setting = Setting::new(n, 15, 20, 18).unwrap();
    solve(setting, &Prior::recovered(), NonZeroUsize::MIN, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// The bytes with a right checksum, as a forger would write them.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 8;
    let sum = xxh3_64(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn what_is_written_is_read() {
    for n in 1..=3 {
        let policy = policy(n);
        let mut bytes = Vec::new();
        policy.write_to(&mut bytes).unwrap();
        assert_eq!(bytes.len(), policy.file_size());
        let read = Policy::read_from(bytes.as_slice()).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!((read.setting(), read.prior()), (policy.setting(), policy.prior()));
        for state in [vec![(0, 0); n as usize], vec![(13, 2)], vec![(4, 1), (2, 3)]] {
            assert_eq!(read.schedule(&state), policy.schedule(&state));
            assert_eq!(read.value(&state), policy.value(&state));
        }
    }
}

#[test]
fn many_schedules_take_wider_numbers() {
    let setting = Setting::new(3, 400, 600, 600).unwrap();
    let splits = splits(&setting).unwrap();
    let tables = Vec::new();
    let policy = Policy::new(setting, Prior::recovered(), splits, tables);
    assert_eq!(pick_width(&policy), 4);
    let bytes = [1, 2, 0, 0, 255, 255, 1, 0];
    assert_eq!(Reader { bytes: &bytes }.picks(2, 4).unwrap(), [513, 0x0001_ffff]);
}

#[test]
fn every_cut_is_noticed() {
    let bytes = policy(2).to_bytes();
    for length in 0..bytes.len() {
        let said = Policy::from_bytes(&bytes[..length]).unwrap_err();
        let right = if length == 0 {
            matches!(said, PolicyError::Foreign)
        } else {
            matches!(said, PolicyError::Truncated { found, expected } if found == length as u64 && expected > found)
        };
        assert!(right, "{length}: {said}");
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let bytes = policy(2).to_bytes();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x11;
        assert!(Policy::from_bytes(&changed).is_err(), "byte {place}");
        // Even with a right checksum nothing may go wrong beyond a refusal.
        if let Ok(policy) = Policy::from_bytes(&sealed(changed)) {
            policy.schedule(&[(0, 0), (0, 0)]);
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let bytes = policy(1).to_bytes();
    let said = |bytes: &[u8]| Policy::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(said(b"hello, world"), "this is not a policy file");
    let mut newer = bytes.clone();
    newer[8] = 7;
    assert_eq!(said(&newer), "the policy file has version 7, but this program reads versions up to 1");
    let half = bytes.len() / 2;
    let early =
        format!("the policy file ends early, after {half} of {} bytes; solve the policy again", bytes.len());
    assert_eq!(said(&bytes[..half]), early);
    let longer = [bytes.as_slice(), b"x"].concat();
    assert_eq!(said(&longer), "the policy file is damaged (its length is wrong); solve the policy again");
    let mut changed = bytes.clone();
    changed[HEADER + 30] ^= 1;
    assert_eq!(said(&changed), "the policy file is damaged (its checksum is wrong); solve the policy again");
    let mut forged = bytes;
    forged[HEADER] = 0;
    assert_eq!(
        said(&sealed(forged)),
        "the policy file is damaged (its setting is wrong); solve the policy again"
    );
}

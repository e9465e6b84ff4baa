//! The samples: each is made again from its seed and compared with its file byte by byte, crashes when it is
//! replayed, and is reduced to as many events as are known to be needed.

use std::fs;
use std::path::PathBuf;

use retap_trace::{Event, Seed, Target, Trace};

use crate::bugs::{
    BUGS, Bug, EMPTY_HISTORY, LEAKED_DIALOG, SYNC_CONFLICT, THUMBNAIL, UNDO_RESTORE, UNNAMED_TAG,
};
use crate::deed::aimed;
use crate::monkey::long_crash;
use crate::noise::hide;
use crate::play::{Phone, SPEC};
use crate::reduce::ddmin;

const UPDATE: &str = "RETAP_UPDATE";

/// Where the events of a sample come from.
enum Origin {
    /// Android Monkey found it.
    Monkey,
    /// The minimal list, hidden among so many events in all.
    Hidden(usize),
}

struct Sample {
    bug: &'static Bug,
    origin: Origin,
    seed: u64,
}

const SAMPLES: [Sample; 6] = [
    Sample { bug: &EMPTY_HISTORY, origin: Origin::Hidden(40), seed: 1 },
    Sample { bug: &LEAKED_DIALOG, origin: Origin::Hidden(60), seed: 1 },
    Sample { bug: &UNNAMED_TAG, origin: Origin::Monkey, seed: 2 },
    Sample { bug: &THUMBNAIL, origin: Origin::Hidden(90), seed: 1 },
    Sample { bug: &SYNC_CONFLICT, origin: Origin::Hidden(120), seed: 3 },
    Sample { bug: &UNDO_RESTORE, origin: Origin::Hidden(160), seed: 1 },
];

#[test]
fn the_files_say_what_is_recorded_today() {
    assert!(SAMPLES.iter().map(|sample| sample.bug.name).eq(BUGS.map(|bug| bug.name)));
    for sample in &SAMPLES {
        let trace = sample.trace();
        let (last, others) = trace.steps.split_last().expect(sample.bug.name);
        let crash = last.crash.as_ref().expect(sample.bug.name);
        assert_eq!(&*crash.signature.0, sample.bug.signature);
        assert!(others.iter().all(|step| step.crash.is_none()), "{}", sample.bug.name);
        assert!((30..=400).contains(&trace.steps.len()), "{}", sample.bug.name);
    }
}

#[test]
fn replays_crash() {
    for sample in &SAMPLES {
        let (trace, mut phone) = (sample.trace(), Phone::new(SPEC));
        let crashes = |seed: &u64| phone.reaches(trace.events(), sample.bug.signature, *seed);
        let reached = (1..=20).filter(crashes).count();
        // Of 20 runs at 0.7, from 6 to 19 are all but certain.
        let expected = if sample.bug.always { 20..=20 } else { 6..=19 };
        assert!(expected.contains(&reached), "{}: {reached} of 20", sample.bug.name);
    }
}

#[test]
fn delta_debugging_finds_as_many_events_as_are_needed() {
    for sample in &SAMPLES {
        let events: Vec<Event> = sample.trace().events().cloned().collect();
        let mut phone = Phone::new(sample.bug.sure_spec());
        let kept = ddmin(&mut phone, &events, sample.bug.signature);
        let words = phone.words_of(kept.iter().map(|&position| &events[position]));
        assert_eq!(words.len(), sample.bug.deeds.len(), "{}: {words:?}", sample.bug.name);
    }
}

impl Sample {
    /// Makes the sample, and sees to it that its file says the same.
    fn trace(&self) -> Trace {
        let trace = self.record();
        self.compare(&trace);
        trace
    }

    fn record(&self) -> Trace {
        let mut phone = Phone::new(SPEC);
        let steps = match self.origin {
            Origin::Monkey => long_crash(self.seed).expect(self.bug.name).1.steps,
            Origin::Hidden(length) => {
                let mut events = hide(self.bug, length, Seed(self.seed)).into_iter();
                phone.record(self.seed, |seen| events.next().map(|event| aimed(event, seen)))
            }
        };
        let mut header = phone.header();
        let crash = steps.last().and_then(|step| step.crash.as_ref()).expect(self.bug.name);
        header.target = Some(Target::Crash(crash.signature.clone()));
        header.seed = Some(self.seed);
        let (bug, all, needed) = (self.bug.name, steps.len(), self.bug.deeds.len());
        header.note = Some(format!("the bug {bug} of notes: {all} events, of which {needed} are needed"));
        Trace { header, steps }
    }

    fn file(&self) -> PathBuf {
        let name = format!("notes-{}.trace.jsonl", self.bug.name);
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
    }

    fn compare(&self, trace: &Trace) {
        let mut recorded = Vec::new();
        trace.write(&mut recorded).expect("memory takes all");
        let file = self.file();
        let stored = fs::read(&file).unwrap_or_default();
        if stored == recorded {
            return;
        }
        if std::env::var(UPDATE).is_ok_and(|value| value == "1") {
            fs::write(&file, recorded).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            return;
        }
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let same =
            lines(&stored).iter().zip(&lines(&recorded)).take_while(|(one, other)| one == other).count();
        panic!(
            "{} is not what seed {} records today, from line {} on; write it again with\n  \
             {UPDATE}=1 cargo test -p retap-lab --test notes",
            file.display(),
            self.seed,
            same + 1,
        );
    }
}

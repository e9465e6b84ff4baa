//! An exploration through real adb that is killed again and again, and gone on with by the same command: what was
//! recorded stays as it is, and each event counts once.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use retap_store::{Seq, SessionView};
use retap_testing::until;
use retap_trace::{Dice, Seed};
use serde_json::Value;

use crate::bench::{Bench, LONGEST, finish};

const EVENTS: usize = 300;
/// Kills of processes that have performed events of their own.
const KILLS: usize = 5;
/// Such a process performs at most so many before it is killed, so that the last kill comes before the end.
const MOST: u64 = 35;
/// Longer than an event takes.
const AN_EVENT: Duration = Duration::from_millis(40);
/// Longer than a process takes to open its device and to catch up.
const AN_OPENING: Duration = Duration::from_millis(500);

/// Texts that every device can type: what a device has no means for is left out, and is no event.
const TEXTS: &str = "[explore.rules.texts]\n\"*\" = [\"some words\", \"\", \"7\"]\n";

/// The traces of an exploration, by the names of their files: their whole lines, of which the first is a header.
type Traces = BTreeMap<String, Vec<String>>;

fn traces(out: &Path) -> Traces {
    let Ok(entries) = std::fs::read_dir(out.join("traces")) else { return Traces::new() };
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a trace");
        // The last line may be half written.
        text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .map(|path| (path.file_name().expect("a file").to_string_lossy().into_owned(), read(&path)))
        .collect()
}

fn steps(traces: &Traces) -> usize {
    traces.values().map(|lines| lines.len().saturating_sub(1)).sum()
}

/// Each trace begins as it did before.
fn assert_goes_on(before: &Traces, now: &Traces) {
    for (name, lines) in before {
        let goes_on = now.get(name).is_some_and(|now| now.starts_with(lines));
        assert!(goes_on, "{name} was\n{}and is\n{:?}", lines.concat(), now.get(name));
    }
}

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// So long after its start: mostly while it opens the device or is told what was done before.
    Early(Duration),
    /// So long after it has performed so many events.
    AtWork(usize, Duration),
}

impl Moment {
    /// Moments for kills, those of processes at work with others between them.
    fn draw(dice: &mut Dice) -> Vec<Self> {
        let mut moments = Vec::new();
        for _ in 0..KILLS {
            if dice.chance(0.4) {
                moments.push(Self::Early(below(dice, AN_OPENING)));
            }
            let events = usize::try_from(1 + dice.below(MOST)).expect("a small number");
            moments.push(Self::AtWork(events, below(dice, AN_EVENT)));
        }
        moments
    }
}

fn below(dice: &mut Dice, most: Duration) -> Duration {
    Duration::from_micros(dice.below(u64::try_from(most.as_micros()).expect("a short time")))
}

/// The exploration: a new one, or the one that was killed.
fn exploration(bench: &Bench, seed: u64) -> Command {
    let events = EVENTS.to_string();
    let mut command = bench.retap(&["explore", "--strategy", "timetravel", "--json", "--events", &events]);
    command.args(["--device", &bench.spec(), "--seed", &seed.to_string()]);
    command.arg("--out").arg(bench.folder("night"));
    command
}

/// Starts it and kills it at this moment. Returns the traces that it leaves.
fn kill(bench: &Bench, seed: u64, moment: Moment, before: &Traces) -> Traces {
    let (out, said) = (bench.folder("night"), bench.folder("words"));
    let mut command = exploration(bench, seed);
    command.stdout(Stdio::null()).stderr(File::create(&said).expect("a file"));
    let mut child = command.spawn().expect("retap starts");
    let (events, then) = match moment {
        Moment::Early(pause) => (0, pause),
        Moment::AtWork(events, pause) => (events, pause),
    };
    until("enough is recorded", || {
        let over = child.try_wait().expect("it is a child").is_some();
        over || steps(&traces(&out)) >= steps(before) + events
    });
    thread::sleep(then);
    child.kill().expect("it is a child");
    let status = child.wait().expect("it is a child");
    let words = std::fs::read_to_string(said).expect("a file");
    assert!(status.code().is_none(), "it ended before it was killed ({moment:?}) with {status}: {words}");
    let now = traces(&out);
    assert_goes_on(before, &now);
    now
}

/// How many segments it says were ended by kills.
fn cut_off(words: &str) -> usize {
    let line = words.lines().find(|line| line.contains(" ended where an earlier process was stopped"));
    let line = line.unwrap_or_else(|| panic!("nothing is said of what the kills ended: {words}"));
    let count = line.split(' ').find_map(|word| word.parse().ok());
    count.unwrap_or_else(|| panic!("{line}"))
}

/// How many segments ended so, as it stands in the log.
fn recorded_as_cut_off(out: &Path) -> usize {
    let view = SessionView::open(out).expect("a session");
    assert_eq!(view.integrity().expect("readable"), Vec::<String>::new());
    let ended = view.read(&["segment ended"], Seq::START).map(|entry| entry.expect("an entry"));
    ended.filter(|entry| entry.data["end"] == "interrupted").count()
}

/// Explores and kills as the dice of this seed say; tells how that went. None where there is no adb.
fn survives(seed: u64) -> Option<String> {
    let bench = Bench::new("notes")?;
    std::fs::write(bench.folder("retap.toml"), TEXTS).expect("a file");
    let moments = Moment::draw(&mut Seed(seed).branch("kills", 0).dice());
    let mut before = Traces::new();
    for moment in &moments {
        before = kill(&bench, seed, *moment, &before);
    }
    let said = finish(&mut exploration(&bench, seed), LONGEST);
    let words = String::from_utf8_lossy(&said.stderr).into_owned();
    let text = String::from_utf8(said.stdout).expect("JSON is text");
    let last = text.lines().last().unwrap_or_else(|| panic!("after {moments:?} nothing was said: {words}"));
    let result: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(result["status"], "done", "{words}");
    let crashed = result["crashes"].as_array().is_some_and(|crashes| !crashes.is_empty());
    assert_eq!(said.status.code(), Some(i32::from(crashed)), "{words}");

    let all = traces(&bench.folder("night"));
    assert_goes_on(&before, &all);
    assert!(!words.contains("left out"), "{words}");
    assert_eq!((result["events"].as_u64(), steps(&all)), (Some(EVENTS as u64), EVENTS), "{words}");
    assert_eq!(result["segments"].as_u64(), Some(all.len() as u64), "{words}");
    let going_on = format!("going on after {} recorded event", steps(&before));
    assert!(words.contains(&going_on), "not '{going_on}', but {words}");
    let cut_off = cut_off(&words);
    assert!((1..=moments.len()).contains(&cut_off), "{} kills: {words}", moments.len());
    assert_eq!(recorded_as_cut_off(&bench.folder("night")), cut_off, "{words}");
    Some(format!("killed {moments:?}, which ended {cut_off} segments"))
}

#[test]
fn killed_at_random_moments_each_event_is_performed_once() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let first = number("RETAP_SOAK_FIRST", 0);
    for seed in first..first + number("RETAP_SOAK_SEEDS", 1) {
        println!(
            "repeat it with RETAP_SOAK_FIRST={seed} cargo test -p retap --test android killed_at_random"
        );
        let Some(story) = survives(seed) else { return };
        println!("seed {seed}: {story}");
    }
}

//! No single event of an answer can go: by brute force, on generated apps that always crash, with everything that
//! `retap reduce` does when nothing is asked of it.
//!
//! The apps are knots: several ways to a screen, ways there and back, switches that two touches undo, texts and waits
//! that open something, buttons that spoil what was done before. So a list of events can hold parts of which none can go
//! alone, and simpler values can make an event useless. `RETAP_SOAK_SEEDS=2000` for more than 200 of them.

use std::fmt::Write as _;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use retap_device::Look;
use retap_lab::{Deadlines, Oracle, Recording, Replay};
use retap_reduce::{EventRun, Ticket};
use retap_sim::app::App;
use retap_sim::{SimDevice, SimSpec};
use retap_trace::{
    Aim, Dice, Event, Header, Key, Level, Micros, Orientation, Point, Seed, Selector, Signature, Start,
    Target, Trace,
};
use serde_json::Value;

const PACKAGE: &str = "org.example.knot";
/// Reductions that go on at once: most of their time is spent waiting for the disk.
const AT_ONCE: usize = 4;
/// The events of a recording.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=300;

/// An app with a recording of it that ends in a crash.
struct Knot {
    text: String,
    app: Arc<App>,
    trace: Trace,
    crash: Signature,
}

/// How a reduction of one went.
struct Reduced {
    before: usize,
    after: usize,
    runs: u64,
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn no_single_event_of_an_answer_can_go() {
    let (first, count) = (number("RETAP_SOAK_FIRST", 0), number("RETAP_SOAK_SEEDS", 200));
    let share = |part: u64| (first + part..first + count).step_by(AT_ONCE).map(reduced).collect::<Vec<_>>();
    let all: Vec<Result<Reduced, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..).take(AT_ONCE).map(|part| scope.spawn(move || share(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no reduction fails")).collect()
    });
    let wrong: Vec<&str> =
        all.iter().filter_map(|result| result.as_ref().err()).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {count} answers are not minimal:\n{}", wrong.len(), wrong.join("\n"));
    let sound: Vec<&Reduced> = all.iter().flatten().collect();
    let sum = |figure: fn(&Reduced) -> u64| sound.iter().map(|reduced| figure(reduced)).sum::<u64>();
    let (before, after) = (sum(|reduced| reduced.before as u64), sum(|reduced| reduced.after as u64));
    println!("{count} crashes, {before} events to {after}, {} runs", sum(|reduced| reduced.runs));
    // It would be no test if the answers were trivial.
    assert!(before > 8 * after && after > 3 * count, "{before} events became {after}");
}

/// Reduces the knot of this seed, and takes each event out of the answer.
fn reduced(seed: u64) -> Result<Reduced, String> {
    let knot = Knot::draw(Seed(seed));
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (answer, runs) = knot.reduce(folder.path(), seed);
    let events: Vec<Event> = answer.events().cloned().collect();
    let start = answer.header.start;
    assert!(knot.crashes(start, &events), "seed {seed}: the answer does not crash: {}", words(&events));
    let can_go = (0..events.len()).find(|out| knot.crashes(start, &without(&events, *out)));
    if let Some(out) = can_go {
        return Err(format!(
            "seed {seed} (RETAP_SOAK_FIRST={seed} RETAP_SOAK_SEEDS=1): event {} can go: {}",
            out + 1,
            words(&events)
        ));
    }
    let before = knot.trace.steps.len();
    Ok(Reduced { before, after: events.len(), runs })
}

fn without(events: &[Event], out: usize) -> Vec<Event> {
    [&events[..out], &events[out + 1..]].concat()
}

fn words(events: &[Event]) -> String {
    events.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Knot {
    /// The first app with this seed whose random touches end in its crash soon enough, but not at once.
    fn draw(seed: Seed) -> Self {
        for attempt in 0..1000 {
            let mut dice = seed.branch("knot", attempt).dice();
            let text = app(&mut dice);
            let spec: SimSpec = "sim:knot.app".parse().expect("a device");
            let app =
                Arc::new(spec.load(&|_| Ok(text.clone())).unwrap_or_else(|error| panic!("{error}\n{text}")));
            let start = if dice.chance(0.3) { Start::Stopped } else { Start::Launched };
            let events = walk(start, &mut dice);
            let Some(trace) = recorded(&app, start, &events) else { continue };
            let crash = trace.steps.last().and_then(|step| step.crash.as_ref()).expect("it ends so");
            let crash = crash.signature.clone();
            return Self { text, app, trace, crash };
        }
        panic!("no app of {seed:?} crashes");
    }

    /// What `retap reduce` saves, and how many runs that took.
    fn reduce(&self, folder: &Path, seed: u64) -> (Trace, u64) {
        std::fs::write(folder.join("knot.app"), &self.text).expect("a file");
        let file = std::fs::File::create(folder.join("long.trace.jsonl")).expect("a file");
        self.trace.write(file).expect("it can be written");
        let said = Command::new(env!("CARGO_BIN_EXE_retap"))
            .args([
                "reduce",
                "long.trace.jsonl",
                "--json",
                "--quiet",
                "--out",
                "short",
                "--seed",
                &seed.to_string(),
            ])
            .current_dir(folder)
            .output()
            .expect("retap runs");
        let words = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(0), "seed {seed}: {words}");
        let text = String::from_utf8(said.stdout).expect("text");
        let result: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
        let path = folder.join(result["trace"].as_str().expect("a file"));
        let saved = std::fs::File::open(&path).expect("it was saved");
        let saved = Trace::read(path.display().to_string(), BufReader::new(saved)).expect("a good trace");
        (saved, result["runs"].as_u64().expect("a number"))
    }

    /// Whether these events crash the app.
    fn crashes(&self, start: Start, events: &[Event]) -> bool {
        let mut device = device(&self.app);
        let mut replay = Replay::new(&mut device, Deadlines::default(), Look::Activity);
        let mut seen = vec![replay.begin(start, Seed(1)).expect("a sound device")];
        seen.extend(events.iter().map(|event| replay.perform(event).expect("a sound device")));
        seen.push(replay.linger().expect("a sound device"));
        seen.iter().flat_map(|seen| &seen.crashes).any(|crash| crash.signature == self.crash)
    }
}

fn device(app: &Arc<App>) -> SimDevice {
    let spec: SimSpec = "sim:knot.app".parse().expect("a device");
    SimDevice::new(&spec, app.clone()).expect("no knobs are turned")
}

/// What is seen around these events, up to the crash, if there is one at the right time.
fn recorded(app: &Arc<App>, start: Start, events: &[Event]) -> Option<Trace> {
    let mut header = Header::new(PACKAGE);
    (header.start, header.device) = (start, Some("sim:knot.app".to_owned()));
    let oracle = Oracle {
        trace: Trace { header, steps: Vec::new() }.into(),
        target: Target::AnyCrash,
        level: Level::Activity,
        seed: Seed(1),
        deadlines: Deadlines::default(),
        strict: false,
    };
    let play = EventRun { ticket: Ticket(0), events: events.into(), label: String::new() };
    let ended = oracle.play(&mut device(app), &play, &|| false).ended;
    let length = ended.reached()? as usize;
    if !LENGTH.contains(&length) {
        return None;
    }
    let recording = Recording::new(oracle.trace.header.clone(), &events[..length], "", 1, Ticket(0));
    recording.on(&oracle, Box::new(device(app))).trace()
}

/// Random touches, texts, waits and keys.
fn walk(start: Start, dice: &mut Dice) -> Vec<Event> {
    let mut events = if start == Start::Stopped { vec![Event::Launch] } else { Vec::new() };
    while events.len() < *LENGTH.end() {
        events.push(match dice.index(40) {
            0..=2 => Event::Key { key: Key::BACK },
            3..=4 => Event::Launch,
            5 => Event::Wait { time: Micros::from_millis([400, 2_500, 7_000][dice.index(3)]) },
            6 => Event::Rotate { to: [Orientation::Landscape, Orientation::Portrait][dice.index(2)] },
            7..=11 => {
                let id = Some(format!("{PACKAGE}:id/draft{}", dice.index(SCREENS)).into());
                let text = ["milk", "two; words", "7 of 9", "none"][dice.index(4)].to_owned();
                Event::Text { text, widget: Some(Selector { id, ..Selector::default() }) }
            }
            _ => {
                let Point { x, y } = cell(dice.index(CELLS));
                Event::Tap(Aim::place(Point::new(x + dice.between(-80, 80), y + dice.between(-30, 30))))
            }
        });
    }
    events
}

/// The most screens and the buttons on each.
const SCREENS: usize = 4;
const CELLS: usize = 6;
/// Numbers, switches and counters that buttons turn.
const FACTS: usize = 4;

fn cell(number: usize) -> Point {
    let number = i32::try_from(number).expect("few");
    Point::new(280 + 520 * (number % 2), 300 + 140 * (number / 2))
}

fn app(dice: &mut Dice) -> String {
    let mut text = format!("app knot \"Knot\"\npackage {PACKAGE}\n");
    for fact in 0..FACTS {
        writeln!(text, "var f{fact} int\nvar g{fact} bool").expect("memory takes all");
    }
    let screens = 2 + dice.index(SCREENS - 1);
    // The crash wants a few things at once, on some screen.
    let wants: Vec<String> = (0..2 + dice.index(2)).map(|_| fact(dice)).collect();
    let (where_to, which) = (dice.index(screens), dice.index(CELLS));
    for screen in 0..screens {
        writeln!(text, "activity {}", name(screen)).expect("memory takes all");
        writeln!(text, "  var draft{screen} text").expect("memory takes all");
        if screen == 0 && dice.chance(0.5) {
            text.push_str("  on back\n    nothing\n");
        }
        writeln!(text, "  screen s{screen} \"{{f0}} {{f1}} {{g0}}\"").expect("memory takes all");
        writeln!(text, "    field draft{screen} id=draft{screen} at=40,800,1040,900")
            .expect("memory takes all");
        for button in 0..CELLS {
            let body = if (screen, button) == (where_to, which) {
                let crash = "crash java.lang.IllegalStateException \"knot\"\n            at org.example.knot.Knot.pull(Knot.java:7)";
                format!("        if {}\n          {crash}\n", wants.join(" and "))
            } else if screen + 1 < screens && button == (screen * 5) % CELLS {
                // There is a way to every screen.
                format!("        open {}\n", name(screen + 1))
            } else {
                effect(dice, screen, screens)
            };
            let Point { x, y } = cell(button);
            let at = format!("{},{},{},{}", x - 240, y - 60, x + 240, y + 60);
            write!(text, "    button \"B{button}\" id=b{button} at={at}\n      on tap\n{body}")
                .expect("memory takes all");
        }
        write!(
            text,
            "  dialog d{screen} \"Sure?\"\n    button \"Yes\" id=yes\n      on tap\n{}        close\n",
            change(dice, 8)
        )
        .expect("memory takes all");
    }
    text
}

fn name(screen: usize) -> String {
    if screen == 0 { "MainActivity".to_owned() } else { format!("S{screen}Activity") }
}

/// Something that may hold.
fn fact(dice: &mut Dice) -> String {
    let which = dice.index(FACTS);
    match dice.index(5) {
        0 => format!("f{which} == {}", 1 + dice.index(2)),
        1 => format!("f{which} % 2 == 1"),
        2 => format!("(g{which} or f{} == 2)", dice.index(FACTS)),
        3 => format!("g{which} != g{}", (which + 1) % FACTS),
        _ => format!("g{which}"),
    }
}

/// A change of some fact, as a line that is indented so far.
fn change(dice: &mut Dice, indent: usize) -> String {
    let (which, other) = (dice.index(FACTS), dice.index(FACTS));
    let line = match dice.index(6) {
        0 => format!("set f{which} = {}", dice.index(3)),
        1 => format!("set f{which} = f{which} + 1"),
        2 => format!("set f{which} = f{other} + 1"),
        3 => format!("set g{which} = g{other}"),
        4 => format!("set g{which} = true"),
        _ => format!("toggle g{which}"),
    };
    format!("{:indent$}{line}\n", "")
}

/// What a button does.
fn effect(dice: &mut Dice, screen: usize, screens: usize) -> String {
    match dice.index(12) {
        0..=1 => format!("        open {}\n", name(dice.index(screens))),
        2 => "        finish\n".to_owned(),
        3 => format!("        dialog d{screen}\n"),
        4 => format!("        after 2s\n{}", change(dice, 10)),
        5..=6 => {
            let part = ["i", ";", "7", "ne"][dice.index(4)];
            format!("        if draft{screen} has \"{part}\"\n{}", change(dice, 10))
        }
        7 => format!("        if {}\n{}        else\n{}", fact(dice), change(dice, 10), change(dice, 10)),
        8 => format!("        if {}\n          open {}\n", fact(dice), name(dice.index(screens))),
        9 => format!("{}{}", change(dice, 8), change(dice, 8)),
        _ => change(dice, 8),
    }
}

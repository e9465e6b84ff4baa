//! Worlds whose rates are known: a generated app, a recording of it that ends in its crash, and the exact rate of any
//! list of events.
//!
//! A few steps in a fixed order arm the last button, and each touch of it then is a **try**: it crashes the app with a
//! given probability. Around that, chance has a few more places ([`ChanceKind`]): a notice that covers the app at
//! launch, a first touch that is lost, a worn button that does not always work. So the rate depends on which events are
//! kept, and some lists look better than they are.
//!
//! **The exact rate** is no estimate. All places of chance but the tries are few, so every way they can fall is
//! carried out once on the simulator, with the dice replaced by knobs. In each of them the tries are counted, by letting
//! only the n-th one crash: `fuse=n`.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use retap_lab::{Deadlines, Oracle, Recording};
use retap_reduce::{EventRun, Outcome, Ticket};
use retap_sim::app::App;
use retap_sim::{SimDevice, SimSpec};
use retap_trace::{Aim, Dice, Event, Header, Key, Level, Micros, Point, Seed, Selector, Target, Trace};

/// Recordings that are drawn before a world is given up.
const ATTEMPTS: u64 = 50;
/// Where nothing is, on every screen.
const NOWHERE: Point = Point { x: 540, y: 1700 };
const PACKAGE: &str = "org.example.calib";

/// Where chance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChanceKind {
    /// In one try, at the end.
    Last,
    /// In several tries, of which one is enough.
    Tries,
    /// A notice covers the app at launch, until somebody touches beside it.
    Notice,
    /// The first touch of a button is lost.
    Cold,
    /// A button on the way does not always work; the recording has several touches of it.
    Worn,
    /// A notice and several tries.
    Mixed,
}

impl ChanceKind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Last, Self::Tries, Self::Notice, Self::Cold, Self::Worn, Self::Mixed];
}

/// How likely each thing is.
#[derive(Debug, Clone, Copy)]
struct Chances {
    /// That a try crashes.
    fire: f64,
    notice: f64,
    cold: f64,
    /// That a touch of a worn button works.
    worn: f64,
}

/// A step that arms the last button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A button.
    Tap,
    /// A button that leads to the next activity.
    Go,
    /// A text that holds a certain one, and a button.
    Text,
    /// A button, a wait, and another button.
    Load,
    /// A button that does not always work.
    Worn,
}

/// How an app is made up: which steps it takes, and what else is on its screens.
#[derive(Debug)]
struct Plan {
    steps: Vec<Step>,
    /// Buttons without a part in it, on each screen.
    decoys: usize,
    /// Whether a try that fails disarms the button.
    restart: bool,
}

#[derive(Debug)]
pub(crate) struct CalibrationWorld {
    /// The text of the app.
    pub(crate) text: String,
    /// The recording; it names the device.
    pub(crate) trace: Trace,
    app: Arc<App>,
    chances: Chances,
    /// The touches of worn buttons that the recording has.
    worn: u32,
}

impl CalibrationWorld {
    /// A world in which the needed events alone have this rate. Its app will stand in this file.
    pub(crate) fn new(kind: ChanceKind, rate: f64, seed: Seed, file: &str) -> anyhow::Result<Self> {
        let chances = Chances::of(kind, rate);
        for attempt in 0..ATTEMPTS {
            let mut dice = seed.branch("attempt", attempt).dice();
            let plan = Plan::draw(kind, &mut dice);
            let text = plan.text();
            let spec: SimSpec = format!("sim:{file}").parse()?;
            let app = Arc::new(spec.load(&|_| Ok(text.clone()))?);
            let (events, worn, tries) = plan.events(kind, &mut dice);
            let Some(mut trace) = recorded(&app, &events, tries)? else { continue };
            let Chances { fire, notice, cold, worn: works } = chances;
            let device = format!("sim:{file}?fire={fire}&notice={notice}&cold={cold}&worn={works}");
            trace.header.device = Some(device);
            return Ok(Self { text, trace, app, chances, worn });
        }
        bail!("no recording of {kind:?} with seed {seed:?} ends in its crash")
    }

    /// The probability that these events reach the crash.
    pub(crate) fn rate(&self, events: &[Event]) -> anyhow::Result<f64> {
        let both = |chance: f64| [(0, 1.0 - chance), (1, chance)].into_iter().filter(|(_, p)| *p > 0.0);
        let mut rate = 0.0;
        for (notice, with) in both(self.chances.notice) {
            for (cold, lost) in both(self.chances.cold) {
                for (script, so) in self.scripts() {
                    let knobs = format!("notice={notice}&cold={cold}&script={script}");
                    let tries = self.tries(events, &knobs)?;
                    rate += with * lost * so * (1.0 - (1.0 - self.chances.fire).powi(tries));
                }
            }
        }
        Ok(rate)
    }

    /// What touches of worn buttons may do, one after the other, and how likely that is.
    fn scripts(&self) -> Vec<(u32, f64)> {
        let works = self.chances.worn;
        let likely = |mask: u32| {
            let each = (0..self.worn).map(|bit| if mask >> bit & 1 == 1 { works } else { 1.0 - works });
            each.product::<f64>()
        };
        let all = (0..1_u32 << self.worn).map(|mask| ((1 << self.worn) + mask, likely(mask)));
        all.filter(|(_, likely)| *likely > 0.0).collect()
    }

    /// How many tries these events make when none crashes.
    fn tries(&self, events: &[Event], knobs: &str) -> anyhow::Result<i32> {
        let mut tries = 0;
        while crashes(&self.app, events, &format!("{knobs}&fuse={}", tries + 1))? {
            tries += 1;
        }
        Ok(tries)
    }
}

impl Chances {
    /// Such that the needed events alone have this rate.
    fn of(kind: ChanceKind, rate: f64) -> Self {
        let sure = Self { fire: 1.0, notice: 0.0, cold: 0.0, worn: 1.0 };
        match kind {
            ChanceKind::Last | ChanceKind::Tries => Self { fire: rate, ..sure },
            ChanceKind::Notice => Self { notice: 1.0 - rate, ..sure },
            ChanceKind::Cold => Self { cold: 1.0 - rate, ..sure },
            ChanceKind::Worn => Self { worn: rate, ..sure },
            ChanceKind::Mixed => Self { fire: rate.sqrt(), notice: 1.0 - rate.sqrt(), ..sure },
        }
    }
}

impl Plan {
    fn draw(kind: ChanceKind, dice: &mut Dice) -> Self {
        let mut steps: Vec<Step> = (0..dice.between(1, 4))
            .map(|_| [Step::Tap, Step::Tap, Step::Go, Step::Text, Step::Load][dice.index(5)])
            .collect();
        if kind == ChanceKind::Worn {
            steps.insert(dice.index(steps.len() + 1), Step::Worn);
        }
        let decoys = 2 + dice.index(3);
        Self { steps, decoys, restart: dice.chance(0.5) }
    }

    /// The activity that is in front after so many steps.
    fn activity(&self, steps: usize) -> usize {
        self.steps[..steps].iter().filter(|step| **step == Step::Go).count()
    }

    /// What a recording does, how many touches of worn buttons are in it, and how many tries.
    fn events(&self, kind: ChanceKind, dice: &mut Dice) -> (Vec<Event>, u32, u32) {
        let tries = if matches!(kind, ChanceKind::Tries | ChanceKind::Mixed) { 2 + dice.index(3) } else { 1 };
        let (mut events, mut worn) = (Vec::new(), 0);
        // Something to touch before it begins.
        events.push(tap(cell(self.decoy(dice))));
        let last = self.activity(self.steps.len());
        for number in 0..tries {
            if number == 0 || self.restart {
                for step in 0..self.steps.len() {
                    self.noise(self.activity(step), dice, &mut events);
                    worn += self.step(step, dice, &mut events);
                }
            }
            self.noise(last, dice, &mut events);
            events.push(tap(cell(0)));
            if self.restart && number + 1 < tries {
                events.extend((0..last).map(|_| Event::Key { key: Key::BACK }));
            }
        }
        (events, worn, u32::try_from(tries).expect("few"))
    }

    /// The cell of some button without a part in it.
    fn decoy(&self, dice: &mut Dice) -> usize {
        1 + dice.index(self.decoys)
    }

    /// Events that change nothing that matters.
    fn noise(&self, activity: usize, dice: &mut Dice, events: &mut Vec<Event>) {
        for _ in 0..dice.index(6) {
            match dice.index(6) {
                0 => events.push(tap(NOWHERE)),
                1 => events.push(Event::Wait { time: Micros::from_millis(400) }),
                2 => events.push(typed(&format!("junk_{activity}"), "something")),
                3 => {
                    events.push(tap(cell(self.decoys + 1)));
                    events.push(Event::Key { key: Key::BACK });
                }
                _ => events.push(tap(cell(self.decoy(dice)))),
            }
        }
    }

    /// The events of a step; says how many of them touch a worn button.
    fn step(&self, step: usize, dice: &mut Dice, events: &mut Vec<Event>) -> u32 {
        let at = cell(self.cell(step));
        match self.steps[step] {
            Step::Tap | Step::Go => events.push(tap(at)),
            Step::Text => {
                events.push(typed(&format!("draft_{step}"), ["a,b;c", "q7;", "one; two"][dice.index(3)]));
                events.push(tap(at));
            }
            Step::Load => {
                events.push(tap(at));
                events.push(Event::Wait { time: Micros::from_secs(9) });
                events.push(tap(cell(self.cell(step) + 1)));
            }
            Step::Worn => {
                let touches = 2 + dice.index(3);
                for _ in 0..touches {
                    events.push(tap(at));
                    if dice.chance(0.3) {
                        events.push(tap(cell(self.decoy(dice))));
                    }
                }
                return u32::try_from(touches).expect("few");
            }
        }
        0
    }

    /// Where the button of a step is. The first cells are those of the last button, of decoys and of help.
    fn cell(&self, step: usize) -> usize {
        self.decoys + 2 + 2 * step
    }

    /// The app.
    fn text(&self) -> String {
        let mut text = String::from(HEAD);
        for (step, kind) in self.steps.iter().enumerate() {
            match kind {
                Step::Text => writeln!(text, "var draft_{step} text"),
                Step::Load => writeln!(text, "var loaded_{step} bool"),
                _ => Ok(()),
            }
            .expect("memory takes all");
        }
        let activities = self.activity(self.steps.len()) + 1;
        for activity in 0..activities {
            write!(text, "var junk_{activity} text\nvar seen_{activity} int\n").expect("memory takes all");
        }
        for activity in 0..activities {
            self.activity_text(activity, &mut text);
        }
        text.push_str("activity HelpActivity\n  screen help \"Help\"\n    label \"Nothing here\"\n");
        text
    }

    fn activity_text(&self, activity: usize, text: &mut String) {
        writeln!(text, "activity {}", activity_name(activity)).expect("memory takes all");
        if activity == 0 {
            text.push_str(CREATE);
        }
        writeln!(text, "  screen main{activity} \"Seen {{seen_{activity}}}\"").expect("memory takes all");
        writeln!(text, "    field junk_{activity} id=junk_{activity} at=40,1150,520,1250")
            .expect("memory takes all");
        for decoy in 0..self.decoys {
            let body = match decoy {
                0 => "nothing".to_owned(),
                _ => format!("set seen_{activity} = {decoy}"),
            };
            button(text, &format!("Look {decoy}"), 1 + decoy, &[body]);
        }
        button(text, "Help", self.decoys + 1, &["open HelpActivity".to_owned()]);
        for step in (0..self.steps.len()).filter(|step| self.activity(*step) == activity) {
            self.step_text(step, text);
        }
        if activity == self.activity(self.steps.len()) {
            button(text, "Fire", 0, &self.fire());
        }
        if activity == 0 {
            text.push_str("  dialog notice \"Do you like this app?\"\n    label \"Tell us\" height=300\n");
        }
    }

    fn step_text(&self, step: usize, text: &mut String) {
        let (cell, next) = (self.cell(step), step + 1);
        let done = |indent: &str| format!("{indent}set stage = {next}");
        let when = |condition: &str| vec![format!("if stage == {step}{condition}"), done("  ")];
        match self.steps[step] {
            Step::Tap => button(text, &format!("Step {step}"), cell, &when("")),
            Step::Go => {
                let next = activity_name(self.activity(step) + 1);
                button(
                    text,
                    &format!("Step {step}"),
                    cell,
                    &[when(""), vec![format!("open {next}")]].concat(),
                );
            }
            Step::Text => {
                let top = 1270 + 10 * i32::try_from(step).expect("few");
                writeln!(text, "    field draft_{step} id=draft_{step} at=560,{top},1040,{}", top + 8)
                    .expect("memory takes all");
                let body = when(&format!(" and draft_{step} has \";\""));
                button(text, &format!("Check {step}"), cell, &body);
            }
            Step::Load => {
                let load = [format!("if stage == {step}"), "  after 4s".to_owned()];
                let loaded = format!("    set loaded_{step} = true");
                button(text, &format!("Load {step}"), cell, &[&load[..], &[loaded]].concat());
                button(text, &format!("Use {step}"), cell + 1, &when(&format!(" and loaded_{step}")));
            }
            Step::Worn => {
                let works = |indent: &str| format!("{indent}  set stage = {next}");
                let body = [
                    format!("if stage == {step}"),
                    "  if script > 0".to_owned(),
                    "    if script / bit % 2 == 1".to_owned(),
                    works("    "),
                    "    set bit = bit * 2".to_owned(),
                    "  else".to_owned(),
                    "    chance worn".to_owned(),
                    works("    "),
                ];
                button(text, &format!("Step {step}"), cell, &body);
            }
        }
    }

    /// What the last button does.
    fn fire(&self) -> Vec<String> {
        let crash = [
            "crash java.lang.IllegalStateException \"armed\"",
            "  at org.example.calib.Fire.go(Fire.java:7)",
        ];
        let indented = |by: &str| crash.map(|line| format!("{by}{line}"));
        let mut body =
            vec![format!("if stage == {}", self.steps.len()), "  set tries = tries + 1".to_owned()];
        if self.restart {
            body.push("  set stage = 0".to_owned());
        }
        body.extend(["  if fuse > 0".to_owned(), "    if tries == fuse".to_owned()]);
        body.extend(indented("      "));
        body.extend(["  else".to_owned(), "    chance fire".to_owned()]);
        body.extend(indented("      "));
        body
    }
}

/// What every app begins with. Where `fuse` or `script` is not 0, it stands for the dice.
const HEAD: &str = "app calib \"Calib\"
package org.example.calib
knob fire = 1.0 probability
knob notice = 0.0 probability
knob cold = 0.0 probability
knob worn = 1.0 probability
knob fuse = 0
knob script = 0
var stage int
var tries int
var asleep bool
var bit int = 1
";

const CREATE: &str = "  on create
    chance cold
      set asleep = true
    chance notice
      dialog notice
";

fn activity_name(activity: usize) -> String {
    if activity == 0 { "MainActivity".to_owned() } else { format!("Part{activity}Activity") }
}

/// A button in a cell. The first one that is touched may have to wake the app.
fn button(text: &mut String, words: &str, cell: usize, body: &[String]) {
    let Point { x, y } = self::cell(cell);
    let id = words.to_lowercase().replace(' ', "_");
    write!(
        text,
        "    button \"{words}\" id={id} at={},{},{},{}\n      on tap\n        if asleep\n          set asleep = false\n        else\n",
        x - 240,
        y - 50,
        x + 240,
        y + 50
    )
    .expect("memory takes all");
    for line in body {
        writeln!(text, "          {line}").expect("memory takes all");
    }
}

/// The middle of a cell: two columns, from the top.
fn cell(number: usize) -> Point {
    let number = i32::try_from(number).expect("few");
    Point::new(280 + 520 * (number % 2), 260 + 120 * (number / 2))
}

fn tap(at: Point) -> Event {
    Event::Tap(Aim::place(at))
}

fn typed(id: &str, text: &str) -> Event {
    let id = Some(format!("{PACKAGE}:id/{id}").into());
    Event::Text { text: text.to_owned(), widget: Some(Selector { id, ..Selector::default() }) }
}

/// The events with what is seen around them, if the last of so many tries, and the last event, is the crash.
fn recorded(app: &Arc<App>, events: &[Event], tries: u32) -> anyhow::Result<Option<Trace>> {
    let device = device(app, &format!("fuse={tries}"))?;
    let recording = Recording::new(Header::new(PACKAGE), events, "", 1, Ticket(0));
    let recording = recording.on(&oracle(Target::AnyCrash), Box::new(device));
    let Some(mut trace) = recording.trace() else { return Ok(None) };
    let Some(crash) = trace.steps.last().and_then(|step| step.crash.clone()) else { return Ok(None) };
    trace.header.target = Some(Target::Crash(crash.signature));
    Ok(Some(trace))
}

fn crashes(app: &Arc<App>, events: &[Event], knobs: &str) -> anyhow::Result<bool> {
    let play = EventRun { ticket: Ticket(0), events: events.into(), label: String::new() };
    let report = oracle(Target::AnyCrash).play(&mut device(app, knobs)?, &play, &|| false);
    match report.ended.outcome {
        Outcome::Reached => Ok(true),
        Outcome::Missed => Ok(false),
        Outcome::Inconclusive => bail!("a sound device failed: {}", report.why.unwrap_or_default()),
    }
}

fn oracle(target: Target) -> Oracle {
    let trace = Trace { header: Header::new(PACKAGE), steps: Vec::new() };
    let (trace, level, seed) = (Arc::new(trace), Level::Activity, Seed::default());
    Oracle { trace, target, level, seed, deadlines: Deadlines::default(), strict: false }
}

fn device(app: &Arc<App>, knobs: &str) -> anyhow::Result<SimDevice> {
    let spec: SimSpec = format!("sim:calib.app?{knobs}").parse()?;
    SimDevice::new(&spec, app.clone()).context("a world of ours")
}

//! What a person does becomes a trace: through a page, or heard on the device. The person is a list of wishes here, and the
//! device that is touched is a simulated one that touches itself.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use retap_device::{Device, DeviceError, Inputs, Look, PersonInput, Snapshots};
use retap_job::record::{
    CrashCause, FILE, Person, RecordNews, RecordPlace, RecordResult, RecordScene, RecordSource, RecordStatus,
    Wish, record,
};
use retap_job::{Devices, Stop, Time, tracefile};
use retap_lab::{Deadlines, Oracle, Recording, Walk};
use retap_reduce::Ticket;
use retap_sim::SimDevice;
use retap_trace::{
    Event, Header, Key, Level, Micros, Observation, Orientation, Seed, Size, Start, Step, Target, Trace,
};

/// The way to a crash that is known.
fn events() -> Vec<Event> {
    taps(&["New note", "Tags", "Add tag", "Done"])
}

fn sim(spec: &str) -> SimDevice {
    let source = if spec.ends_with("late.app") { LATE } else { LISTS };
    SimDevice::open(spec, &|_| Ok(source.to_owned())).expect("an app that is written well")
}

/// Is at work for longer than is waited for after an event, and crashes then.
const LATE: &str = r#"
app late "Late"
activity Main
  screen main "Main"
    button "Late" at=0,300,1080,500
      on tap
        after 2s
          after 2s
            after 2s
              crash java.lang.IllegalStateException "late"
"#;

/// A field that a button empties while it keeps the focus, with another button where the keyboard is; and crashes, now and
/// later.
const LISTS: &str = r#"
app lists "Lists"
kept items list
var draft text
activity Main
  screen main "{len(items)} items"
    field draft id=draft hint="What?" at=0,100,1080,300
    button "Add" id=add at=0,300,1080,500
      on tap
        push items draft
        clear draft
    label "Clear" id=clear at=0,500,1080,700
      on tap
        clear draft
    button "Low" id=low at=0,1200,1080,1900
    button "Now" id=now at=0,700,540,900
      on tap
        crash java.lang.IllegalStateException "now"
    button "Later" id=later at=540,700,1080,900
      on tap
        after 8s
          crash java.lang.IllegalStateException "later"
"#;

/// A key of the soft keyboard, by its place among those of all rows.
fn soft_key(key: char) -> Event {
    let rows =
        ["qqwweerrttyyuuiioopp", "^aassddffgghhjjkkll^", "^^^zzxxccvvbbnnmm<<<", "^^^,,          ..!!!"];
    let found = rows.iter().zip(0..).find_map(|(row, number)| Some((row.find(key)?, number)));
    let (column, row) = found.expect("a key");
    let x = i32::try_from(column).expect("a row is short") * 54 + 50;
    Event::tap(x, 1152 + row * 192 + 96)
}

/// Taps on the widgets with these names, found by performing them one after the other.
fn taps(names: &[&str]) -> Vec<Event> {
    let mut device = sim("sim:notes");
    let mut walk = Walk::begin(&mut device, Deadlines::default(), Start::Launched, Seed(1))
        .expect("this computer works");
    let mut events = Vec::new();
    for name in names {
        let tree = walk.seen().tree.clone().expect("this computer works");
        let found =
            tree.ids().find(|id| *tree.node(*id).text == **name).unwrap_or_else(|| panic!("no {name}"));
        let at = tree.node(found).bounds.center();
        events.push(Event::tap(at.x, at.y));
        walk.act(Event::tap(at.x, at.y)).expect("this computer works");
    }
    events
}

fn devices(device: Box<dyn Device>) -> Devices {
    let header = Header { screen: Some(device.screen()), ..Header::new(device.package()) };
    Devices::new(vec![device], header, Time::Virtual)
}

/// A person who wants this, and looks after each step whether it is on disk.
#[derive(Debug)]
struct Script {
    wishes: VecDeque<Wish>,
    folder: PathBuf,
    shown: usize,
    refused: Vec<String>,
}

impl Script {
    fn new(folder: &Path, events: Vec<Event>) -> Self {
        let wishes = events.into_iter().map(Wish::Perform).collect();
        Self { wishes, folder: folder.to_owned(), shown: 0, refused: Vec::new() }
    }
}

impl Person for Script {
    fn show(&mut self, scene: &RecordScene<'_>) {
        assert!(scene.picture.starts_with(b"\x89PNG"));
        self.shown += 1;
        match tracefile::read(&self.folder.join(FILE)) {
            Ok(trace) => assert_eq!(trace.steps, scene.steps, "what was done is on disk"),
            Err(_) => assert_eq!(scene.steps.len(), 0, "nothing was done yet"),
        }
    }

    fn refuse(&mut self, why: &str) {
        self.refused.push(why.to_owned());
    }

    fn wish(&mut self, _: Duration) -> Option<Wish> {
        Some(self.wishes.pop_front().unwrap_or(Wish::Done))
    }
}

fn place(folder: &Path) -> RecordPlace {
    RecordPlace::take(folder).expect("this computer works")
}

fn by_person(folder: &Path, events: Vec<Event>) -> (RecordResult, Script) {
    let mut script = Script::new(folder, events);
    let devices = devices(Box::new(sim("sim:notes")));
    let source = RecordSource::Person(&mut script);
    let result = record(&devices, 1, place(folder), source, &mut |_| {}, &Stop::default())
        .expect("this computer works");
    (result, script)
}

/// A device that a person has in hand: inputs come as they stand in a list, each a while after the look before it or, when
/// it is `quick`, before it.
#[derive(Debug)]
struct Held {
    device: SimDevice,
    inputs: VecDeque<Heard>,
    /// Whether there is some rest before each input, so that the device is looked at meanwhile.
    rests: bool,
    rest: u32,
    unplugged: bool,
}

#[derive(Debug, Clone)]
enum Heard {
    Done(Event),
    Quick(Event),
    Odd(&'static str),
    /// What does this to the app, and is not expressed by any event.
    Strange(Event),
    Fails,
    Stop(Stop),
    /// The device is gone after the wish to stop.
    Unplugged(Stop),
}

impl Inputs for Held {
    fn listen(&mut self, _: Micros) -> Result<(), DeviceError> {
        Ok(())
    }

    fn next_input(&mut self, within: Micros) -> Result<Option<PersonInput>, DeviceError> {
        if self.rests && self.rest < 40 {
            self.rest += 1;
            return Ok(None);
        }
        let pressed = self.device.now();
        if let Some(Heard::Strange(event)) = self.inputs.front() {
            self.device.perform(event, within + Micros::from_secs(10))?;
        }
        let (deed, pressed) = match self.inputs.pop_front() {
            None => return Ok(None),
            Some(Heard::Done(event)) => (Ok(event), pressed),
            Some(Heard::Quick(event)) => (Ok(event), Micros::ZERO),
            Some(Heard::Odd(what)) => (Err(what.to_owned()), pressed),
            Some(Heard::Strange(_)) => (Err("something strange".to_owned()), pressed),
            Some(Heard::Fails) => return Err(DeviceError::Offline { device: "held".to_owned() }),
            Some(Heard::Stop(stop)) => {
                stop.ask();
                return Ok(None);
            }
            Some(Heard::Unplugged(stop)) => {
                stop.ask();
                self.unplugged = true;
                return Ok(None);
            }
        };
        self.rest = 0;
        if let Ok(event) = &deed {
            self.device.perform(event, within + Micros::from_secs(10))?;
        }
        Ok(Some(PersonInput { pressed, deed }))
    }
}

impl Device for Held {
    fn name(&self) -> &str {
        self.device.name()
    }
    fn package(&self) -> &str {
        self.device.package()
    }
    fn screen(&self) -> Size {
        self.device.screen()
    }
    fn reset(&mut self, seed: Seed, within: Micros) -> Result<(), DeviceError> {
        self.device.reset(seed, within)
    }
    fn perform(&mut self, event: &Event, within: Micros) -> Result<(), DeviceError> {
        self.device.perform(event, within)
    }
    fn settle(&mut self, within: Micros) -> Result<bool, DeviceError> {
        if self.unplugged {
            return Err(DeviceError::Offline { device: "held".to_owned() });
        }
        self.device.settle(within)
    }
    fn observe(&mut self, look: Look, within: Micros) -> Result<Observation, DeviceError> {
        self.device.observe(look, within)
    }
    fn screenshot(&mut self, within: Micros) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot(within)
    }
    fn now(&self) -> Micros {
        self.device.now()
    }
    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        Some(self)
    }
}

fn by_hand(folder: &Path, inputs: Vec<Heard>, stop: &Stop) -> (RecordResult, Vec<String>) {
    on_hand(folder, "sim:notes", inputs, stop)
}

fn on_hand(folder: &Path, spec: &str, inputs: Vec<Heard>, stop: &Stop) -> (RecordResult, Vec<String>) {
    let device = sim(spec);
    held(folder, Held { device, inputs: inputs.into(), rests: true, rest: 0, unplugged: false }, stop)
}

/// The same without any rest: what comes after the wish to stop was done before it, and waits to be heard.
fn in_haste(folder: &Path, spec: &str, inputs: Vec<Heard>, stop: &Stop) -> (RecordResult, Vec<String>) {
    let device = sim(spec);
    held(folder, Held { device, inputs: inputs.into(), rests: false, rest: 0, unplugged: false }, stop)
}

fn held(folder: &Path, held: Held, stop: &Stop) -> (RecordResult, Vec<String>) {
    let mut told = Vec::new();
    let mut news = |news: &RecordNews<'_>| {
        told.push(match news {
            RecordNews::Begun => "begun".to_owned(),
            RecordNews::Step { number, step } => format!("{number}. {}", step.event),
            RecordNews::LeftOut { what } => format!("left out: {what}"),
            RecordNews::Unwatched { why } => format!("unwatched: {why}"),
            _ => "?".to_owned(),
        });
    };
    let result = record(&devices(Box::new(held)), 1, place(folder), RecordSource::Device, &mut news, stop)
        .expect("this computer works");
    (result, told)
}

fn saved(folder: &Path) -> Trace {
    tracefile::read(&folder.join(FILE)).expect("this computer works")
}

/// Steps without the times, which a person has.
fn timeless(trace: &Trace) -> Vec<Step> {
    trace.steps.iter().map(|step| Step { at: None, ..step.clone() }).collect()
}

#[test]
fn a_page_and_a_hand_give_the_steps_that_a_performance_gives() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let (page, hand) = (scratch.path().join("page"), scratch.path().join("hand"));
    let (result, script) = by_person(&page, events());
    assert_eq!((result.status, result.steps), (RecordStatus::Recorded, 4));
    assert_eq!(script.shown, 5, "at the start, and after each step");
    let recorded = saved(&page);
    let signature = recorded.steps[3].crash.as_ref().expect("this computer works").signature.clone();
    assert_eq!(recorded.header.target, Some(Target::Crash(signature.clone())));
    assert_eq!(result.signature.as_deref(), Some(&*signature.0));

    let oracle = Oracle {
        trace: recorded.clone().into(),
        target: Target::AnyCrash,
        level: Level::Activity,
        seed: Seed(1),
        deadlines: Deadlines::default(),
        strict: false,
    };
    let performed = Recording::new(recorded.header.clone(), &events(), "", 1, Ticket(0));
    let performed = performed.on(&oracle, Box::new(sim("sim:notes"))).trace().expect("this computer works");
    assert_eq!(timeless(&performed), timeless(&recorded));

    let inputs = events().into_iter().map(Heard::Done).collect();
    let (result, told) = by_hand(&hand, inputs, &Stop::default());
    assert_eq!(
        (result.status, result.quick, result.signature.as_deref()),
        (RecordStatus::Recorded, 0, Some(&*signature.0))
    );
    assert_eq!(told, ["begun", "1. tap 'New note'", "2. tap 'Tags'", "3. tap 'Add tag'", "4. tap 'Done'"]);
    assert_eq!(timeless(&saved(&hand)), timeless(&recorded));
}

#[test]
fn what_cannot_be_done_is_refused_and_the_recording_goes_on() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let events = vec![
        Event::tap(-1, 5),
        Event::tap(5, 99_999),
        Event::text("nobody has the focus"),
        taps(&["New note"]).remove(0),
        Event::Rotate { to: Orientation::Landscape },
    ];
    let (result, script) = by_person(scratch.path(), events);
    assert_eq!((result.status, result.steps), (RecordStatus::Recorded, 2));
    assert_eq!(script.refused.len(), 3, "{:?}", script.refused);
    assert_eq!(script.refused[2], "no field has the focus; tap one first");
    assert_eq!(saved(scratch.path()).header.target, None);
}

#[test]
fn nothing_is_recorded_over_and_nothing_is_left_of_nothing() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let (result, _) = by_person(scratch.path(), Vec::new());
    assert_eq!((result.status, result.trace), (RecordStatus::Nothing, None));
    assert!(!scratch.path().join(FILE).exists());
    std::fs::write(scratch.path().join(FILE), "kept").expect("this computer works");
    let refused = RecordPlace::take(scratch.path());
    assert!(refused.unwrap_err().to_string().contains("is there already"));
    assert_eq!(std::fs::read(scratch.path().join(FILE)).expect("this computer works"), b"kept");
}

#[test]
fn what_a_hand_does_is_written_down_as_far_as_it_is_known() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let stop = Stop::default();
    let [new, tags] = taps(&["New note", "Tags"]).try_into().expect("this computer works");
    let inputs = vec![
        Heard::Odd("a gesture of 3 fingers"),
        Heard::Done(new),
        Heard::Quick(tags),
        Heard::Done(Event::key(Key::BACK)),
        Heard::Stop(stop.clone()),
    ];
    let (result, told) = by_hand(scratch.path(), inputs, &stop);
    assert_eq!((result.status, result.steps, result.quick), (RecordStatus::Recorded, 3, 1));
    assert_eq!(result.left_out, ["a gesture of 3 fingers"]);
    assert_eq!(told[1], "left out: a gesture of 3 fingers");
    let steps = saved(scratch.path()).steps;
    assert!(steps[0].before.is_some() && steps[0].after.is_none(), "it may be the state after the next one");
    assert!(
        steps[1].before.is_none() && steps[1].event.aim().expect("this computer works").widget.is_none(),
        "{:?}",
        steps[1]
    );
    assert!(steps[1].after.is_some() && steps[2].before == steps[1].after);
}

#[test]
fn keys_of_a_keyboard_become_one_text() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let stop = Stop::default();
    let mut inputs: Vec<Heard> = taps(&["New note", "Title"]).into_iter().map(Heard::Done).collect();
    for key in ["m", "i", "x", "delete", "l", "k"] {
        inputs.push(Heard::Done(Event::key(key.parse().expect("this computer works"))));
    }
    inputs.push(Heard::Stop(stop.clone()));
    let (result, told) = by_hand(scratch.path(), inputs, &stop);
    assert_eq!(result.steps, 3, "{told:?}");
    let trace = saved(scratch.path());
    assert_eq!(trace.steps[2].event.to_string(), "type \"milk\" into 'Title'");
    assert!(told.contains(&"3. type \"mi\" into 'Title'".to_owned()), "each letter is on disk: {told:?}");
    // It does what was typed.
    let mut device = sim("sim:notes");
    let mut walk = Walk::begin(&mut device, Deadlines::default(), Start::Launched, Seed(1))
        .expect("this computer works");
    let last = trace
        .steps
        .iter()
        .map(|step| walk.act(step.event.clone()).expect("this computer works"))
        .last()
        .expect("this computer works");
    assert_eq!(
        last.after.expect("this computer works").activity,
        trace.steps[2].after.as_ref().expect("this computer works").activity
    );
    assert!(
        walk.seen()
            .tree
            .as_ref()
            .expect("this computer works")
            .nodes()
            .iter()
            .any(|node| &*node.text == "milk")
    );
}

#[test]
fn a_device_that_fails_leaves_what_was_recorded() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let inputs = vec![Heard::Done(taps(&["New note"]).remove(0)), Heard::Fails];
    let (result, _) = by_hand(scratch.path(), inputs, &Stop::default());
    assert_eq!((result.status, result.steps), (RecordStatus::CutShort, 1));
    assert_eq!(result.why.as_deref(), Some("device held is offline"));
    assert_eq!(saved(scratch.path()).steps.len(), 1);
}

/// The events of a recording on the app with lists, in words.
fn on_lists(inputs: Vec<Event>) -> Vec<String> {
    let scratch = tempfile::tempdir().expect("this computer works");
    let stop = Stop::default();
    let mut inputs: Vec<Heard> = inputs.into_iter().map(Heard::Done).collect();
    inputs.push(Heard::Stop(stop.clone()));
    on_hand(scratch.path(), "sim:./lists.app", inputs, &stop);
    saved(scratch.path()).events().map(ToString::to_string).collect()
}

#[test]
fn a_button_that_empties_the_field_is_a_tap_and_the_text_stays() {
    let typed = || ["m", "i"].map(|key| soft_key(key.parse().expect("a letter")));
    let (field, add, clear) = (Event::tap(500, 200), Event::tap(500, 400), Event::tap(500, 600));
    let with = |then: &[Event]| on_lists([&[field.clone()][..], &typed(), then].concat());
    let begun = ["tap 'What?'", "type \"mi\" into 'What?'"];
    assert_eq!(with(&[]), begun, "a keyboard that covers a button types");
    assert_eq!(with(&[add]), [&begun[..], &["tap 'Add'"]].concat());
    assert_eq!(
        with(&[clear]),
        [&begun[..], &["tap 'Clear'"]].concat(),
        "no widget that says it can be tapped"
    );
    let deleted = with(&[soft_key('<'), soft_key('x')]);
    assert_eq!(deleted.last().map(String::as_str), Some("type \"mx\" into 'What?'"), "{deleted:?}");
}

/// A crash that no step has led to is in no step, and is told as such.
#[test]
fn a_crash_after_what_is_left_out_is_of_no_step() {
    let (add, now, later) = (Event::tap(500, 400), Event::tap(100, 800), Event::tap(900, 800));
    for (inputs, cause, steps) in [
        (vec![Heard::Strange(now.clone())], CrashCause::LeftOut, 0),
        (vec![Heard::Done(add.clone()), Heard::Strange(now.clone())], CrashCause::LeftOut, 1),
        (vec![Heard::Done(add.clone()), Heard::Strange(later.clone())], CrashCause::LeftOut, 1),
        (vec![Heard::Strange(add.clone()), Heard::Done(later)], CrashCause::Step, 1),
        (vec![Heard::Strange(add), Heard::Done(now)], CrashCause::Step, 1),
    ] {
        let scratch = tempfile::tempdir().expect("this computer works");
        let (result, _) = on_hand(scratch.path(), "sim:./lists.app", inputs.clone(), &Stop::default());
        assert_eq!((result.crash_of, result.steps), (Some(cause), steps), "{inputs:?}");
        assert!(result.signature.is_some());
        if steps > 0 {
            let trace = saved(scratch.path());
            let of_step = cause == CrashCause::Step;
            assert_eq!(
                (trace.crash().is_some(), trace.header.target.is_some()),
                (of_step, of_step),
                "{inputs:?}"
            );
        }
    }
}

/// What is wished for is whole. That nobody could look for a late crash does not take it back.
#[test]
fn a_device_that_fails_after_the_end_cuts_nothing_short() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let stop = Stop::default();
    let inputs = vec![Heard::Done(taps(&["New note"]).remove(0)), Heard::Unplugged(stop.clone())];
    let (result, told) = by_hand(scratch.path(), inputs, &stop);
    assert_eq!((result.status, result.steps), (RecordStatus::Recorded, 1), "{result:?}");
    assert_eq!(result.why.as_deref(), Some("device held is offline"));
    assert_eq!(told.last().map(String::as_str), Some("unwatched: device held is offline"));
}

/// Nor is a crash that comes of it a crash of what was recorded.
#[test]
fn what_is_done_after_the_end_is_not_recorded() {
    let (add, now) = (Event::tap(500, 400), Event::tap(100, 800));
    for (after, steps) in [(vec![], 2), (vec![Heard::Done(now)], 2)] {
        let scratch = tempfile::tempdir().expect("this computer works");
        let stop = Stop::default();
        let went_on = !after.is_empty();
        // The first one after the wish was begun at that very moment, and takes a while.
        let before = vec![Heard::Done(add.clone()), Heard::Stop(stop.clone()), Heard::Done(add.clone())];
        let (result, told) = in_haste(scratch.path(), "sim:./lists.app", [before, after].concat(), &stop);
        assert_eq!((result.status, result.steps), (RecordStatus::Recorded, steps), "{told:?}");
        assert_eq!((result.signature, result.why.is_some()), (None, went_on), "{told:?}");
        assert!(saved(scratch.path()).crash().is_none());
    }
}

#[test]
fn what_was_done_before_the_end_is_heard() {
    let scratch = tempfile::tempdir().expect("this computer works");
    let stop = Stop::default();
    let [new, tags] = taps(&["New note", "Tags"]).try_into().expect("this computer works");
    let inputs = vec![
        Heard::Done(new),
        Heard::Stop(stop.clone()),
        Heard::Done(tags),
        Heard::Quick(Event::key(Key::BACK)),
    ];
    let (result, told) = in_haste(scratch.path(), "sim:notes", inputs, &stop);
    assert_eq!((result.status, result.steps, result.quick), (RecordStatus::Recorded, 3, 1), "{told:?}");
    let steps = saved(scratch.path()).steps;
    assert!(steps[1].before.is_some() && steps[0].after == steps[1].before, "{steps:?}");
}

/// A person who sees what is about to crash ends the recording before it does.
#[test]
fn a_crash_that_comes_after_the_end_is_recorded() {
    let later = Event::tap(500, 400);
    let (by_hand, on_page) = (tempfile::tempdir().expect("room"), tempfile::tempdir().expect("room"));
    let stop = Stop::default();
    let inputs = vec![Heard::Done(later.clone()), Heard::Stop(stop.clone())];
    let (one, _) = in_haste(by_hand.path(), "sim:./late.app", inputs, &stop);
    let mut script = Script::new(on_page.path(), vec![later]);
    let (devices, source) = (devices(Box::new(sim("sim:./late.app"))), RecordSource::Person(&mut script));
    let other = record(&devices, 1, place(on_page.path()), source, &mut |_| {}, &Stop::default())
        .expect("this computer works");
    for (result, folder) in [(one, by_hand), (other, on_page)] {
        assert_eq!((result.steps, result.crash_of), (1, Some(CrashCause::Step)), "{result:?}");
        let trace = saved(folder.path());
        let signature = trace.crash().expect("it is recorded").signature.clone();
        assert_eq!(trace.header.target, Some(Target::Crash(signature)));
    }
}

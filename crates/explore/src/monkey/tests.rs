use std::collections::BTreeMap;

use proptest::prelude::*;
use retap_trace::{Aiming, Flag, Seed, Size};

use super::*;
use crate::sample::{LANE, View, any_screen, event, is_inside, lines, named, notes, screen};

fn monkey(seed: u64, aware: bool) -> Monkey {
    Monkey::new(MonkeySettings { aware, ..MonkeySettings::default() }, Seed(seed).dice())
}

/// A monkey that does nothing but this.
fn only(category: &str, seed: u64, aware: bool) -> Monkey {
    let percentages = format!("{category}=100").parse().unwrap();
    Monkey::new(MonkeySettings { percentages, aware, ..MonkeySettings::default() }, Seed(seed).dice())
}

fn events(mut monkey: Monkey, view: &View, count: usize) -> Vec<Event> {
    (0..count).map(|_| event(monkey.next(LANE, &view.inside()))).collect()
}

#[test]
fn one_seed_is_one_run_for_ever() {
    let view = View::new(notes());
    for aware in [false, true] {
        let mut monkey = monkey(7, aware);
        let moves = lines((0..20).map(|_| monkey.next(LANE, &view.inside())));
        insta::assert_snapshot!(format!("{}_seed_7", monkey.name()), moves);
    }
}

/// The kind of an event, as far as the events of Monkey's categories can be told apart.
fn kind(event: &Event) -> &'static str {
    match event {
        Event::Tap(_) => "tap",
        Event::Swipe { .. } => "swipe",
        Event::Pinch { .. } => "pinch",
        Event::Launch => "launch",
        Event::Key { key } if NAV.contains(key) => "dpad",
        Event::Key { key } if MAJOR_NAV.contains(key) => "major",
        Event::Key { key: NO_KEY } => "flip",
        Event::Key { .. } => "other key",
        other => panic!("{other} is none of Monkey's"),
    }
}

#[test]
fn events_come_in_monkeys_shares() {
    const EVENTS: u32 = 100_000;
    // Any key draws from 280 keys, among them the four and the two; a trackball clicks one time in ten.
    let any = |keys: f64| 13.0 * keys / 280.0;
    let expected = BTreeMap::from([
        ("tap", 15.0),
        ("swipe", 10.0),
        ("pinch", 2.0),
        ("launch", 2.0),
        ("flip", 1.0),
        ("dpad", 25.0 + 13.5 + any(4.0)),
        ("major", 15.0 + 1.5 + any(2.0)),
        ("other key", 2.0 + any(274.0)),
    ]);
    let view = View::new(screen(Size { width: 1080, height: 1920 }, None));
    for seed in [3, 7, 99] {
        let mut counts = BTreeMap::new();
        for event in events(monkey(seed, false), &view, EVENTS as usize) {
            *counts.entry(kind(&event)).or_insert(0_u32) += 1;
        }
        for (kind, wanted) in &expected {
            let drawn = f64::from(counts[kind]) * 100.0 / f64::from(EVENTS);
            let tolerance = 5.0 * (wanted * (100.0 - wanted) / f64::from(EVENTS)).sqrt();
            assert!((drawn - wanted).abs() <= tolerance, "seed {seed}: {kind} {drawn} % of {wanted} %");
        }
    }
}

#[test]
fn each_category_has_its_events() {
    let view = View::new(notes());
    for (category, kinds) in [
        ("touch", "tap"),
        ("motion", "swipe"),
        ("pinchzoom", "pinch"),
        ("nav", "dpad"),
        ("majornav", "major"),
        ("appswitch", "launch"),
        ("flip", "flip"),
    ] {
        assert!(
            events(only(category, 5, false), &view, 200).iter().all(|event| kind(event) == kinds),
            "{category}"
        );
    }
    for event in events(only("syskeys", 5, false), &view, 500) {
        assert!(matches!(event, Event::Key { key } if SYSTEM.contains(&key)), "{event}");
    }
    let turns = events(only("rotation", 5, false), &view, 200);
    for to in [Orientation::Portrait, Orientation::Landscape] {
        assert!(turns.contains(&Event::Rotate { to }));
    }
}

#[test]
fn every_key_comes_but_those_that_put_to_sleep() {
    let view = View::new(notes());
    let mut seen = [false; Key::LAST as usize + 1];
    for event in events(only("anyevent", 11, false), &view, 20_000) {
        let Event::Key { key } = event else { panic!("{event} is no key") };
        seen[usize::from(key.0)] = true;
    }
    let missing: Vec<_> = (0..=Key::LAST).filter(|&code| !seen[usize::from(code)]).map(Key).collect();
    assert_eq!(missing, [NO_KEY, Key::END_CALL, Key::POWER, Key::SLEEP, SOFT_SLEEP]);
}

#[test]
fn a_tap_names_the_widget_under_it() {
    let seen = notes();
    let tree = seen.tree.as_ref().unwrap();
    let view = View::new(seen.clone());
    for event in events(only("touch", 21, false), &view, 2_000) {
        let aim = event.aim().unwrap();
        let (id, node) = named(&seen, aim.widget.as_ref());
        assert_eq!(aim.by, Aiming::Place);
        assert!(node.bounds.contains(aim.at), "{event}");
        let actionable = tree.hit(aim.at, |node| node.flags.actionable());
        assert_eq!(Some(id), actionable.or(tree.hit(aim.at, |_| true)), "{event} at {}", aim.at);
    }
    let blind = View::new(screen(seen.screen, None));
    assert!(
        events(only("touch", 21, false), &blind, 50).iter().all(|tap| tap.aim().unwrap().widget.is_none())
    );
}

#[test]
fn aware_touches_reach_every_actionable_widget_and_no_other() {
    let seen = notes();
    let view = View::new(seen.clone());
    let mut reached = BTreeMap::new();
    for event in events(only("touch", 4, true), &view, 4_000) {
        let widget = match &event {
            Event::Text { widget, .. } => widget.as_ref(),
            other => other.aim().and_then(|aim| aim.widget.as_ref()),
        };
        let (id, node) = named(&seen, widget);
        assert!(node.flags.actionable(), "{event}");
        let field = node.class.ends_with("EditText");
        assert_eq!(
            matches!(event, Event::Text { .. }),
            field,
            "text goes into fields, and nothing else does: {event}"
        );
        let fits = match event {
            Event::Swipe { .. } => node.flags.has(Flag::Scrollable),
            Event::LongTap { .. } => !node.flags.has(Flag::Clickable),
            _ => true,
        };
        assert!(fits, "{event}");
        *reached.entry(id.0).or_insert(0_u32) += 1;
    }
    // 10 widgets, 400 touches each; 80 are more than four standard deviations.
    assert_eq!(reached.keys().copied().collect::<Vec<_>>(), [2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert!(reached.values().all(|count| (320..480).contains(count)), "{reached:?}");
}

#[test]
fn aware_typing_draws_every_text() {
    let view = View::new(notes());
    let mut typed: Vec<_> = events(only("touch", 8, true), &view, 4_000)
        .into_iter()
        .filter_map(|event| if let Event::Text { text, .. } = event { Some(text) } else { None })
        .collect();
    typed.sort();
    typed.dedup();
    let mut texts = texts::TEXTS.to_vec();
    texts.sort_unstable();
    assert_eq!(typed, texts);
    let has = |fits: fn(&str) -> bool| texts.iter().any(|text| fits(text));
    assert!(has(str::is_empty) && has(|text| text.len() > 255) && has(|text| !text.is_ascii()));
    assert!(has(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())));
}

#[test]
fn aware_motions_swipe_what_scrolls() {
    let seen = notes();
    let view = View::new(seen.clone());
    for event in events(only("motion", 13, true), &view, 300) {
        let (_, node) = named(&seen, event.aim().unwrap().widget.as_ref());
        assert!(node.flags.has(Flag::Scrollable), "{event}");
    }
}

#[test]
fn aware_is_blind_where_there_is_nothing_to_aim_at() {
    let view = View::new(screen(Size { width: 300, height: 500 }, None));
    let (blind, aware) = (monkey(6, false), monkey(6, true));
    assert_eq!(events(blind, &view, 500), events(aware, &view, 500));
}

#[test]
fn the_stay_outside_is_bounded() {
    let view = View::new(notes());
    let mut monkey = only("nav", 1, false);
    let mut forced = Vec::new();
    for nth in 0..9 {
        match event(monkey.next(LANE, &view.outside())) {
            Event::Key { key } if NAV.contains(&key) => assert!(nth < 5, "move {nth} is free"),
            other => forced.push(other),
        }
    }
    let (back, launch) = (Event::key(Key::BACK), Event::Launch);
    assert_eq!(forced, [back.clone(), launch.clone(), back, launch]);
    assert_eq!(kind(&event(monkey.next(LANE, &view.inside()))), "dpad");
    assert_eq!(
        kind(&event(monkey.next(LANE, &view.outside()))),
        "dpad",
        "back inside, the count starts over"
    );
}

#[test]
fn a_crash_ends_a_trace_and_a_start_begins_one() {
    let view = View::new(notes());
    let crashed = Sight { crashed: true, ..view.inside() };
    assert_eq!(monkey(1, false).next(LANE, &crashed), Move::Restart);
    let started = Sight { reply: Reply::Started, ..crashed };
    event(monkey(1, false).next(LANE, &started));
}

proptest! {
    #[test]
    fn every_event_stays_on_the_screen(seen in any_screen(), seed: u64, aware: bool) {
        let view = View::new(seen);
        for event in events(monkey(seed, aware), &view, 200) {
            prop_assert!(is_inside(&event, view.observation.screen), "seed {}: {:?}", seed, event);
        }
    }

    #[test]
    fn the_same_sights_give_the_same_moves(
        screens in prop::collection::vec((any_screen(), any::<bool>()), 1..30),
        seed: u64,
        aware: bool,
    ) {
        let views: Vec<_> = screens.into_iter().map(|(seen, front)| (View::new(seen), front)).collect();
        let run = || {
            let mut monkey = monkey(seed, aware);
            let sights = views.iter().map(|(view, front)| if *front { view.inside() } else { view.outside() });
            sights.map(|sight| monkey.next(LANE, &sight)).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run(), "seed {}", seed);
    }

    #[test]
    fn a_screen_without_size_does_not_panic(seed: u64) {
        let view = View::new(screen(Size::default(), None));
        prop_assert_eq!(events(monkey(seed, true), &view, 50).len(), 50);
    }
}

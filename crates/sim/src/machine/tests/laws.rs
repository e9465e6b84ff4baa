//! Laws that hold for every app and every sequence of events.

use proptest::prelude::*;
use retap_trace::Selector;

use super::*;

/// An app with some of everything, on every button.
const EVERYTHING: &str = include_str!("everything.app");

fn random_event(phone: &Phone, dice: &mut Dice) -> Event {
    let screen = phone.machine.screen();
    let at = |dice: &mut Dice| {
        let (width, height) = (screen.width as usize, screen.height as usize);
        Point::new(i32::try_from(dice.index(width)).unwrap(), i32::try_from(dice.index(height)).unwrap())
    };
    let widget = |dice: &mut Dice| {
        let tree = phone.machine.tree();
        let ids: Vec<_> = tree.ids().collect();
        let id = *dice.pick(&ids).expect("a tree has a root");
        (tree.node(id).bounds.center(), Selector::of(&tree, id))
    };
    match dice.index(16) {
        0 => Event::Launch,
        1 => Event::DoubleTap(Aim::place(at(dice))),
        2 => Event::LongTap { aim: Aim::place(at(dice)), hold: Micros::from_millis(700) },
        3 | 4 => Event::Swipe { aim: Aim::place(at(dice)), to: at(dice), over: Micros::from_millis(200) },
        5 => Event::Pinch { aim: Aim::place(at(dice)), percent: 150, over: Micros::ZERO },
        6 => Event::key(Key(u16::try_from(dice.index(300)).unwrap())),
        7 => Event::key(*dice.pick(&[Key::BACK, Key::MENU, Key::APP_SWITCH, Key::ENTER]).unwrap()),
        8 => Event::text(["", "milk", "ünï"][dice.index(3)]),
        9 => Event::Text { text: "typed".into(), widget: Some(widget(dice).1) },
        10 => Event::Rotate { to: [Orientation::Portrait, Orientation::Landscape][dice.index(2)] },
        11 => Event::system(
            ["android.intent.action.BATTERY_LOW", "android.intent.action.AIRPLANE_MODE"][dice.index(2)],
        ),
        12 => Event::Wait { time: Micros(dice.below(4_000_000)) },
        13 => {
            let (place, selector) = widget(dice);
            Event::Tap(Aim::widget(place, selector))
        }
        _ => Event::Tap(Aim::place(widget(dice).0)),
    }
}

fn everything(seed: Seed) -> Phone {
    let latency = Latency::Uniform(Micros::ZERO, Micros::from_millis(400));
    let settings = Settings { latency, order: true, variants: true, ..Settings::default() };
    Phone::with(EVERYTHING, &settings, seed)
}

/// Performs so many random events, drawn by their own dice.
fn play(phone: &mut Phone, events: usize, seed: Seed) -> Vec<Event> {
    let mut dice = seed.dice();
    (0..events)
        .map(|_| {
            let event = random_event(phone, &mut dice);
            phone.act(&event);
            if dice.chance(0.5) {
                phone.settle(1_000);
            }
            event
        })
        .collect()
}

fn looks(phone: &Phone) -> (String, GuiTree, bool, String) {
    let machine = &phone.machine;
    (machine.activity().to_string(), machine.tree(), machine.keyboard(), log(machine))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_seed_one_run(seed: u64) {
        let run = || {
            let mut phone = everything(Seed(seed));
            let events = play(&mut phone, 60, Seed(seed ^ 1));
            (events, looks(&phone), phone.machine.take_coverage(), phone.machine.take_crashes())
        };
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_clone_is_an_exact_snapshot(seed: u64, before in 0_usize..60, between in 0_usize..60) {
        let mut phone = everything(Seed(seed));
        play(&mut phone, before, Seed(seed ^ 1));
        let (snapshot, seen) = (phone.machine.clone(), looks(&phone));
        play(&mut phone, between, Seed(seed ^ 2));
        phone.machine = snapshot.clone();
        prop_assert_eq!(looks(&phone), seen);

        let mut futures = [snapshot.clone(), snapshot].map(|machine| Phone { machine, dice: Seed(seed ^ 3).dice() });
        let played = futures.each_mut().map(|phone| play(phone, 40, Seed(seed ^ 4)));
        prop_assert_eq!(&played[0], &played[1]);
        prop_assert!(futures[0].machine == futures[1].machine);
    }

    #[test]
    fn time_in_two_parts_is_time_in_one(seed: u64, first in 0_u64..3_000, second in 0_u64..3_000) {
        let mut phone = everything(Seed(seed));
        play(&mut phone, 30, Seed(seed ^ 1));
        let mut futures =
            [(); 2].map(|()| Phone { machine: phone.machine.clone(), dice: Seed(seed).dice() });
        futures[0].wait(first);
        futures[0].wait(second);
        futures[1].wait(first + second);
        prop_assert_eq!(looks(&futures[0]), looks(&futures[1]));
    }
}

#[test]
fn nothing_panics_and_every_tree_is_sound() {
    for seed in 0..40 {
        let mut phone = everything(Seed(seed));
        let mut dice = Seed(seed).branch("events", 0).dice();
        for step in 0..2_500 {
            let event = random_event(&phone, &mut dice);
            phone.act(&event);
            let tree = phone.machine.tree();
            let screen = phone.machine.screen().rect();
            let sound =
                |node: &Node| !node.bounds.is_empty() && node.bounds.intersect(&screen) == node.bounds;
            assert!(tree.nodes().iter().all(sound), "seed {seed}, step {step}: {event}\n{}", shown(&tree));
            assert!(!tree.nodes().is_empty());
        }
        assert!(phone.machine.covered() > 20, "seed {seed}: the app was hardly used");
    }
}

#[test]
fn nothing_panics_on_the_apps_that_ship() {
    for library in crate::library::APPS {
        let mut phone = Phone::with(library.text, &Settings::default(), Seed(1));
        let mut dice = Seed(2).dice();
        for _ in 0..100_000 {
            let event = random_event(&phone, &mut dice);
            phone.act(&event);
        }
        assert!(phone.machine.covered() > 0, "{} was never used", library.name);
    }
}

/// Plays with an app, looks at every screen, and takes a picture of some.
fn monkey(phone: &mut Phone, events: usize, seed: Seed) {
    let mut dice = seed.dice();
    for number in 0..events {
        let event = random_event(phone, &mut dice);
        phone.act(&event);
        let tree = phone.machine.tree();
        assert!(!tree.nodes().is_empty());
        if number % 500 == 0 {
            let scene = crate::draw::Scene::new(&tree, phone.machine.screen());
            assert!(!crate::draw::screenshot(&scene).is_empty());
        }
    }
}

#[test]
fn nothing_panics_on_the_apps_of_the_handbook() {
    for (line, source) in crate::language::tests::handbook::apps() {
        for seed in 0..4 {
            let mut phone = Phone::with(&source, &Settings::default(), Seed(seed));
            phone.launch();
            monkey(&mut phone, 2_000, Seed(seed).branch("events", line as u64));
        }
    }
}

#[test]
fn windows_without_widgets_take_every_event() {
    let head = "app empty \"Empty\"\nactivity MainActivity";
    let empty = format!("{head}\n  screen main\n");
    let titled = format!("{head}\n  screen main \"Empty\" scrolls\n");
    let layers = format!("{head}\n  on create\n    dialog none\n  screen main\n  dialog none \"Nothing\"\n");
    for source in [empty, titled, layers] {
        for seed in 0..10 {
            let mut phone = Phone::with(&source, &Settings::default(), Seed(seed));
            phone.launch();
            monkey(&mut phone, 1_000, Seed(seed).branch("events", 0));
        }
    }
}

#[test]
fn a_machine_is_small() {
    let mut phone = everything(Seed(3));
    play(&mut phone, 300, Seed(4));
    assert!(size_of::<Machine>() < 700, "{}", size_of::<Machine>());
    assert!(phone.machine.state.vars.len() * size_of::<Value>() < 1_000);
}

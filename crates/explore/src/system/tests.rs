use std::collections::BTreeSet;

use retap_trace::Seed;

use super::*;

fn components() -> Components {
    let named = |kind: &str| vec![format!("org.example/.{kind}One"), format!("org.example/.{kind}Two")];
    Components { activities: named("Activity"), services: named("Service"), receivers: named("Receiver") }
}

/// The system events of so many seconds, with their times.
fn day(settings: SystemSettings, seed: u64, seconds: u64) -> Vec<(u64, Event)> {
    let mut system = SystemEvents::new(settings, Seed(seed).dice());
    let mut held = Orientation::Portrait;
    let mut events = Vec::new();
    for second in 0..seconds {
        if let Some(event) = system.next(Micros::from_secs(second), held) {
            if let Event::Rotate { to } = &event {
                assert_ne!(*to, held, "a rotation turns the device");
                held = *to;
            }
            events.push((second, event));
        }
    }
    events
}

/// Whether an event only ends one before it.
fn ends(event: &Event) -> bool {
    let Event::System(SystemEvent { action, extras }) = event else { return false };
    let extra = |name: &str, value: &str| extras.get(name).is_some_and(|has| has == value);
    ["gsm:cancel", "am:stopservice"].contains(&&**action)
        || extra("connected", "true")
        || extra("state", "false")
}

#[test]
fn one_seed_is_one_day_for_ever() {
    let settings = SystemSettings { components: components(), ..SystemSettings::default() };
    let line =
        |(second, event): (u64, Event)| format!("{second} {}\n", serde_json::to_string(&event).unwrap());
    insta::assert_snapshot!(
        "system_seed_7",
        day(settings, 7, 2_400).into_iter().map(line).collect::<String>()
    );
}

#[test]
fn they_come_every_60_to_90_seconds() {
    let mut events = day(SystemSettings::default(), 3, 100_000);
    events.retain(|(_, event)| !ends(event));
    assert!((60..=91).contains(&events[0].0));
    // A look every second rounds up.
    let pauses: Vec<_> = events.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(pauses.iter().all(|pause| (60..=91).contains(pause)), "{pauses:?}");
    let mean = pauses.iter().sum::<u64>() / pauses.len() as u64;
    assert!((74..=77).contains(&mean), "{mean} s on average");
}

/// The kind of an event, which the lists tell apart but for the battery's actions.
fn kind(event: &Event) -> &'static str {
    match event {
        Event::Rotate { .. } => "rotation",
        Event::Key { .. } => "volume",
        Event::System(SystemEvent { action, .. }) => match &**action {
            "sms:send" => "sms",
            "gsm:call" => "call",
            "am:start" => "activity",
            "am:startservice" => "service",
            "am:broadcast" => "receiver",
            action if action == CONNECTIVITY.0 || action == AIRPLANE_MODE.0 => "network",
            _ => "broadcast or battery",
        },
        other => panic!("{other} is no system event"),
    }
}

#[test]
fn every_kind_is_equally_likely() {
    let settings = SystemSettings { components: components(), ..SystemSettings::default() };
    let mut counts = BTreeMap::new();
    let events = day(settings, 11, 300_000);
    for (_, event) in events.iter().filter(|(_, event)| !ends(event)) {
        *counts.entry(kind(event)).or_insert(0_u32) += 1;
    }
    // About 4000 in all, so 400 of each; 100 are five standard deviations.
    assert_eq!(counts.len(), 9);
    let both = counts.remove("broadcast or battery").unwrap();
    assert!((660..940).contains(&both), "{both}");
    assert!(counts.values().all(|count| (300..500).contains(count)), "{counts:?}");
}

#[test]
fn without_components_nothing_is_started() {
    let kinds: BTreeSet<_> = day(SystemSettings::default(), 5, 200_000)
        .iter()
        .map(|(_, event)| event.clone())
        .map(|event| kind(&event))
        .collect();
    for started in ["activity", "service", "receiver"] {
        assert!(!kinds.contains(started), "{started}");
    }
}

#[test]
fn without_kinds_there_is_nothing() {
    let settings = SystemSettings { kinds: Vec::new(), ..SystemSettings::default() };
    assert_eq!(day(settings, 1, 10_000), []);
    let only = SystemSettings { kinds: vec![SystemKind::Service], ..SystemSettings::default() };
    assert_eq!(day(only, 1, 10_000), [], "no service is known");
}

#[test]
fn calls_end_and_networks_come_back() {
    let settings = SystemSettings { components: components(), ..SystemSettings::default() };
    let events = day(settings, 2, 100_000);
    let mut ended = 0;
    for pair in events.windows(2) {
        let after = pair[1].0 - pair[0].0;
        match kind_of_end(&pair[0].1) {
            Some(wait) => {
                assert!(ends(&pair[1].1) && after == wait, "{pair:?}");
                ended += 1;
            }
            None => assert!(!ends(&pair[1].1) || kind(&pair[0].1) == "service", "{pair:?}"),
        }
    }
    assert!(ended > 100, "{ended}");
}

/// After how many seconds an event must be over, if it must.
fn kind_of_end(event: &Event) -> Option<u64> {
    match event {
        event if ends(event) => None,
        Event::System(SystemEvent { action, .. }) if action == "gsm:call" => Some(3),
        Event::System(SystemEvent { extras, .. }) => {
            (extras.contains_key("connected") || extras.contains_key("state")).then_some(30)
        }
        _ => None,
    }
}

#[test]
fn half_of_the_services_are_stopped() {
    let kinds = vec![SystemKind::Service];
    let settings = SystemSettings { kinds, components: components(), ..SystemSettings::default() };
    let events = day(settings, 4, 300_000);
    let stopped = events.iter().filter(|(_, event)| ends(event)).count();
    let started = events.len() - stopped;
    // Five standard deviations of half of 4000.
    assert!(started > 3_000 && stopped.abs_diff(started / 2) < 160, "{stopped} of {started}");
}

use proptest::prelude::*;
use retap_trace::{Flag, Node, Rect, Size};

use super::*;
use crate::pattern::Pattern;
use crate::rules::FieldTexts;
use crate::sample::{LANE, View, any_screen, event, notes, screen};
use crate::{Answer, Monkey, MonkeySettings, PERMISSION_DIALOGS, Random, RandomSettings, SaveId};

/// Remembers what it was shown, and makes the moves it is given, then monkey's.
struct Witness {
    monkey: Monkey,
    moves: Vec<Move>,
    shown: Vec<(String, Reply, Option<usize>, bool)>,
}

impl Explorer for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn next(&mut self, lane: Lane, seen: &Sight<'_>) -> Move {
        self.shown.push((
            seen.observation.activity.to_string(),
            seen.reply,
            seen.new_coverage,
            seen.in_front,
        ));
        if self.moves.is_empty() { self.monkey.next(lane, seen) } else { self.moves.remove(0) }
    }
}

fn witness(moves: &[Move]) -> Witness {
    let monkey = Monkey::new(MonkeySettings::default(), Seed(1).dice());
    Witness { monkey, moves: moves.to_vec(), shown: Vec::new() }
}

fn monkey(seed: u64, aware: bool) -> Monkey {
    Monkey::new(MonkeySettings { aware, ..MonkeySettings::default() }, Seed(seed).dice())
}

fn avoid(patterns: &[&str]) -> Rules {
    Rules { avoid: patterns.iter().map(|&text| Pattern::from(text)).collect(), ..Rules::default() }
}

fn question() -> View {
    let mut tree = GuiTree::new();
    tree.push(Node {
        text: "Allow".into(),
        id: "com.android.permissioncontroller:id/permission_allow_button".into(),
        class: "android.widget.Button".into(),
        bounds: Rect::new(100, 100, 300, 200),
        flags: [Flag::Enabled, Flag::Clickable].into_iter().collect(),
        ..Node::default()
    });
    let seen = screen(Size { width: 1080, height: 1920 }, Some(tree));
    View::new(Observation { package: PERMISSION_DIALOGS[0].into(), activity: "GrantActivity".into(), ..seen })
}

fn activity(name: &str) -> View {
    View::new(Observation { activity: name.into(), ..notes() })
}

#[test]
fn without_rules_nothing_changes() {
    let view = View::new(notes());
    let mut ruled = Ruled::new(monkey(3, true), Rules::default(), Seed(1));
    let mut plain = monkey(3, true);
    assert_eq!(ruled.name(), "aware");
    for _ in 0..300 {
        assert_eq!(ruled.next(LANE, &view.inside()), plain.next(LANE, &view.inside()));
    }
}

#[test]
fn a_black_list_holds_for_blind_aware_and_random() {
    let seen = notes();
    let view = View::new(seen.clone());
    let rules = avoid(&["Add tag", "text:Pinned", "All"]);
    let random = Random::new(RandomSettings { restart: 0.0, longest: u32::MAX }, Seed(4).dice());
    let explorers: [Box<dyn Explorer>; 3] =
        [Box::new(monkey(4, false)), Box::new(monkey(4, true)), Box::new(random)];
    let tree = seen.tree.as_ref().unwrap();
    let areas = [2, 5, 8].map(|id| tree.node(NodeId(id)).bounds);
    for explorer in explorers {
        let mut ruled = Ruled::new(explorer, rules.clone(), Seed(1));
        let mut touches = 0;
        for _ in 0..5_000 {
            let event = event(ruled.next(LANE, &view.inside()));
            if let Some(aim) = event.aim() {
                touches += 1;
                assert!(!areas.iter().any(|area| area.contains(aim.at)), "{}: {event}", ruled.name());
            }
            assert!(!matches!(event, Event::Key { key: Key::ENTER | Key::DPAD_CENTER }), "{}", ruled.name());
        }
        assert!(touches > 1_000, "{}: {touches} touches elsewhere", ruled.name());
    }
}

#[test]
fn a_screen_that_is_all_forbidden_is_left() {
    let view = View::new(notes());
    let touch = MonkeySettings { percentages: "touch=100".parse().unwrap(), ..MonkeySettings::default() };
    let mut tree = GuiTree::new();
    tree.push(Node { bounds: Rect::new(0, 0, 1080, 1920), id: "root".into(), ..Node::default() });
    let all = View::new(Observation { tree: Some(tree), ..view.observation.clone() });
    let mut ruled = Ruled::new(Monkey::new(touch, Seed(1).dice()), avoid(&["root"]), Seed(1));
    assert_eq!(event(ruled.next(LANE, &all.inside())), Event::key(Key::BACK));
}

#[test]
fn fields_get_their_own_texts() {
    let mut seen = notes();
    let mut tree = GuiTree::new();
    for (nth, node) in seen.tree.take().unwrap().nodes().iter().cloned().enumerate() {
        tree.push(Node {
            id: if nth == 4 { "org.example:id/email".into() } else { node.id.clone() },
            ..node
        });
    }
    seen.tree = Some(tree);
    let view = View::new(seen);
    let own = ["Zoë 日本", "ada@example.com"];
    let texts = vec![
        FieldTexts { field: "id:nothing".into(), texts: vec!["wrong".into()] },
        FieldTexts { field: "id:email".into(), texts: own.map(str::to_owned).to_vec() },
    ];
    for aware in [false, true] {
        let rules = Rules { texts: texts.clone(), ..Rules::default() };
        let mut ruled = Ruled::new(monkey(8, aware), rules, Seed(2));
        let mut typed = std::collections::BTreeSet::new();
        for _ in 0..3_000 {
            match event(ruled.next(LANE, &view.inside())) {
                Event::Text { text, widget } => {
                    assert_eq!(widget.unwrap().id.as_deref(), Some("org.example:id/email"));
                    typed.insert(text);
                }
                Event::Tap(aim) => {
                    assert!(!Rect::new(40, 300, 1040, 420).contains(aim.at), "it types instead");
                }
                _ => {}
            }
        }
        assert_eq!(typed.into_iter().collect::<Vec<_>>(), own, "aware: {aware}");
    }
}

#[test]
fn a_question_is_answered_before_the_explorer_sees_it() {
    let (question, view) = (question(), View::new(notes()));
    let rules = Rules { permissions: Answer::Allow, ..Rules::default() };
    let mut ruled = Ruled::new(witness(&[]), rules, Seed(1));
    let started = Sight { reply: Reply::Started, new_coverage: Some(5), ..question.inside() };
    match event(ruled.next(LANE, &started)) {
        Event::Tap(aim) => assert_eq!(aim.widget.unwrap().text.as_deref(), Some("Allow")),
        other => panic!("{other}"),
    }
    ruled.next(LANE, &Sight { new_coverage: Some(2), ..view.inside() });
    let activity = view.observation.activity.to_string();
    assert_eq!(
        ruled.explorer.shown,
        [(activity, Reply::Started, Some(7), true)],
        "as if it had started here"
    );
}

#[test]
fn a_question_that_does_not_go_away_is_left_to_the_explorer() {
    let question = question();
    let rules = Rules { permissions: Answer::Allow, ..Rules::default() };
    let mut ruled = Ruled::new(witness(&[]), rules, Seed(1));
    for _ in 0..TRIES {
        ruled.next(LANE, &question.inside());
    }
    assert_eq!(ruled.explorer.shown.len(), 0);
    ruled.next(LANE, &question.inside());
    assert_eq!(ruled.explorer.shown.len(), 1);
}

#[test]
fn whoever_saved_hears_of_it_at_once() {
    let question = question();
    let rules = Rules { permissions: Answer::Allow, ..Rules::default() };
    let mut ruled = Ruled::new(witness(&[Move::Act(Event::Launch)]), rules, Seed(1));
    let saved = Sight { reply: Reply::Saved(SaveId(3)), ..question.inside() };
    assert!(
        matches!(event(ruled.next(LANE, &saved)), Event::Tap(_)),
        "and the question is answered all the same"
    );
    assert_eq!(ruled.explorer.shown[0].1, Reply::Saved(SaveId(3)));
}

#[test]
fn black_listed_activities_are_left_at_once() {
    let rules = Rules { avoid_activities: vec!["Pay*".into()], ..Rules::default() };
    let mut ruled = Ruled::new(witness(&[]), rules, Seed(1));
    let (pay, other) = (activity("org.example.PayActivity"), activity("org.example.Other"));
    let moves: Vec<_> = (0..7).map(|_| ruled.next(LANE, &pay.inside())).collect();
    let (back, launch) = (Move::Act(Event::key(Key::BACK)), Move::Act(Event::Launch));
    let both = [back.clone(), launch.clone()];
    assert_eq!(moves[..6], [both.clone(), both.clone(), both].concat());
    assert_eq!(moves[6], Move::Restart, "when nothing else helps");
    assert_eq!(ruled.explorer.shown.len(), 0);
    ruled.next(LANE, &other.inside());
    assert_eq!(ruled.explorer.shown.len(), 1);
    assert_eq!(ruled.next(LANE, &pay.inside()), back, "the count starts over");
}

#[test]
fn listed_packages_are_part_of_the_app() {
    let rules = Rules { packages: vec!["com.android.cam*".into()], ..Rules::default() };
    let mut ruled = Ruled::new(witness(&[]), rules, Seed(1));
    for package in ["com.android.camera2", "com.android.browser"] {
        let view = View::new(Observation { package: package.into(), ..notes() });
        ruled.next(LANE, &view.outside());
    }
    let in_front: Vec<_> = ruled.explorer.shown.iter().map(|shown| shown.3).collect();
    assert_eq!(in_front, [true, false]);
}

proptest! {
    #[test]
    fn nothing_forbidden_is_ever_touched(
        mut seen in any_screen(), seed: u64, aware: bool, which in prop::collection::vec(0..12_usize, 1..4),
    ) {
        let mut tree = GuiTree::new();
        for (nth, node) in seen.tree.take().unwrap().nodes().iter().cloned().enumerate() {
            tree.push(Node { id: format!("app:id/w{nth}").into(), ..node });
        }
        seen.tree = Some(tree);
        let patterns: Vec<_> = which.iter().map(|nth| format!("id:w{nth}")).collect();
        let rules = avoid(&patterns.iter().map(String::as_str).collect::<Vec<_>>());
        let view = View::new(seen);
        let tree = view.observation.tree.as_ref().unwrap();
        let mut ruled = Ruled::new(monkey(seed, aware), rules, Seed(seed));
        for _ in 0..100 {
            let event = event(ruled.next(LANE, &view.inside()));
            let place = event.aim().map(|aim| aim.at);
            for (nth, node) in tree.nodes().iter().enumerate().filter(|(nth, _)| which.contains(nth)) {
                prop_assert!(!place.is_some_and(|at| node.bounds.contains(at)), "seed {}: {} on {}", seed, event, nth);
            }
        }
    }
}

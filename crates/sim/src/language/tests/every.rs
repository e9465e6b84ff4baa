//! An app with every construct: what the tables must say.

use std::fmt::Write as _;

use retap_trace::{CrashKind, Key, Micros, Rect};

use super::sound::assert_sound;
use crate::app::{
    ActivityId, App, Effect, Expr, Gesture, KnobId, Latency, Life, Operator, OutsideApp, PermissionId,
    Probability, SiteId, Template, Value, VarId, Widget, WidgetId, WidgetKind, WindowId, WindowKind,
};
use crate::language::parse;

pub(super) const EVERY: &str = include_str!("every.app");

pub(super) fn load(name: &str) -> Result<String, String> {
    match name {
        "part.app" => Ok("var part int = 7\ninclude \"leaf.app\"\n".to_owned()),
        "leaf.app" => Ok("# nothing but a comment\n".to_owned()),
        other => Err(format!("there is no {other}")),
    }
}

fn every() -> App {
    parse("every.app", EVERY, &load).unwrap_or_else(|error| panic!("{error}"))
}

fn widget<'a>(app: &'a App, window: &str, id: &str) -> &'a Widget {
    let window = app.windows.iter().find(|known| *known.name == *window).unwrap();
    window.widgets.iter().find(|widget| widget.id.ends_with(&format!("/{id}"))).unwrap()
}

fn effects<'a>(app: &'a App, window: &str, id: &str, gesture: Gesture) -> &'a [Effect] {
    app.block(widget(app, window, id).handler(gesture).unwrap())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| (*item).into()).collect::<Vec<_>>().into())
}

#[test]
fn it_is_sound() {
    assert_sound(&every());
}

#[test]
fn the_head_says_who_the_app_is() {
    let app = every();
    assert_eq!((&*app.name, &*app.label, &*app.package), ("every", "Every thing", "org.example.every"));
    let permissions: Vec<&str> = app.permissions.iter().map(|name| &**name).collect();
    assert_eq!(permissions, ["android.permission.CAMERA", "android.permission.READ_CONTACTS"]);
    let knobs: Vec<_> = app.knobs.iter().map(|knob| (&*knob.name, knob.initial, knob.probability)).collect();
    assert_eq!(knobs, [("dialog", 0.25, true), ("pages", 3.0, false)]);
}

#[test]
fn variables_live_as_long_as_they_say() {
    let app = every();
    let vars: Vec<_> = app.vars.iter().map(|var| (&*var.name, var.initial.clone(), var.life)).collect();
    let expected = [
        ("part", Value::Int(7), Life::Process),
        ("items", list(&["milk", "tea"]), Life::Kept),
        ("done", Value::Bool(false), Life::Kept),
        ("count", Value::Int(-2), Life::Process),
        ("colour", text("red"), Life::Process),
        ("wifi", Value::Bool(true), Life::Process),
        ("size", Value::Int(1), Life::Process),
        ("draft", text(""), Life::Activity(ActivityId(0))),
    ];
    assert_eq!(vars, expected);
    assert_eq!(app.vars[4].variants, [(text("red"), 2), (text("blue"), 1), (text("green"), 1)]);
    assert!(app.vars.iter().enumerate().all(|(number, var)| var.variants.is_empty() == (number != 4)));
}

#[test]
fn windows_know_their_activity_and_kind() {
    let app = every();
    let windows: Vec<_> = app
        .windows
        .iter()
        .map(|window| (&*window.name, window.activity.0, window.kind, window.scrolls))
        .collect();
    let expected = [
        ("list", 0, WindowKind::Screen, true),
        ("search", 0, WindowKind::Screen, false),
        ("welcome", 0, WindowKind::Dialog { cancelable: false }, false),
        ("confirm", 0, WindowKind::Dialog { cancelable: true }, true),
        ("main", 0, WindowKind::Menu, false),
        ("edit", 1, WindowKind::Screen, false),
    ];
    assert_eq!(windows, expected);
    assert_eq!(app.windows[1].title, None);
    assert_eq!(app.windows[2].focus, Some(WidgetId(0)));
    assert_eq!(app.windows[0].focus, None);
    let names: Vec<_> = app.activities.iter().map(|activity| (&*activity.name, activity.first)).collect();
    assert_eq!(
        names,
        [("org.example.every.MainActivity", WindowId(0)), ("org.example.other.EditActivity", WindowId(5))]
    );
}

#[test]
fn widgets_are_listed_depth_first() {
    let app = every();
    let shape: Vec<_> = app.windows[0].widgets.iter().map(|widget| (widget.depth, &*widget.class)).collect();
    let expected = [
        (0, "android.widget.TextView"),
        (0, "android.widget.ListView"),
        (1, "android.widget.LinearLayout"),
        (2, "android.widget.TextView"),
        (2, "android.widget.Button"),
        (0, "android.widget.EditText"),
        (0, "android.widget.EditText"),
        (0, "android.widget.CheckBox"),
        (0, "android.widget.Switch"),
        (0, "android.widget.RadioButton"),
        (0, "android.widget.RadioButton"),
        (0, "android.widget.LinearLayout"),
        (1, "android.widget.ImageView"),
        (1, "android.widget.ImageButton"),
        (1, "android.widget.Button"),
    ];
    assert_eq!(shape, expected);
    let kinds: Vec<&WidgetKind> = app.windows[0].widgets.iter().map(|widget| &widget.kind).collect();
    assert_eq!(kinds[1], &WidgetKind::List(VarId(1)));
    assert_eq!(kinds[5], &WidgetKind::Field { var: VarId(7), password: false, hint: "Title".into() });
    assert_eq!(kinds[6], &WidgetKind::Field { var: VarId(4), password: true, hint: "".into() });
    assert_eq!(kinds[7..9], [&WidgetKind::Check(VarId(2)), &WidgetKind::Switch(VarId(5))]);
    assert_eq!(kinds[10], &WidgetKind::Radio(VarId(6), Value::Int(2)));
    assert_eq!(app.windows[1].widgets.len(), 2, "a list without rows of its own shows its items");
    assert_eq!(app.windows[1].widgets[1].text, Template::Parts(vec![("".into(), Some(Expr::Item))]));
}

#[test]
fn attributes_land_where_they_belong() {
    let app = every();
    let widgets = &app.windows[0].widgets;
    assert_eq!(&*widgets[0].id, "org.example.every:id/head");
    assert_eq!(&*widgets[14].id, "android:id/button1");
    assert_eq!(widgets[8].height, Some(120));
    assert_eq!(widgets[12].bounds, Some(Rect::new(0, -10, 200, 100)));
    assert_eq!(widgets[12].desc, Template::Plain("Logo".into()));
    assert_eq!(widgets[12].text, Template::default());
    assert_eq!(widgets[13].desc, Template::Parts(vec![("Add ".into(), Some(Expr::Var(VarId(7))))]));
    let tea = Box::new(Expr::Value(text("tea")));
    assert_eq!(widgets[4].visible, Some(Expr::Binary(Operator::NotEqual, Box::new(Expr::Item), tea)));
    let small = Expr::Binary(Operator::Less, Expr::Var(VarId(3)).into(), Expr::Value(Value::Int(3)).into());
    let not_done = Expr::Not(Expr::Var(VarId(2)).into());
    assert_eq!(widgets[5].enabled, Some(Expr::Binary(Operator::And, small.into(), not_done.into())));
}

#[test]
fn and_binds_tighter_than_or_and_not_looser_than_a_comparison() {
    let app = every();
    let var = |number| Box::new(Expr::Var(VarId(number)));
    let value = |value| Box::new(Expr::Value(value));
    let has = Expr::Binary(Operator::Has, var(1), value(text("milk")));
    let first = Expr::At(var(1), value(Value::Int(0)));
    let equal = Expr::Binary(Operator::Equal, first.into(), value(text("tea")));
    let and = Expr::Binary(Operator::And, has.into(), equal.into());
    let granted = Expr::Granted(PermissionId(0));
    let enabled = widget(&app, "edit", "stop").enabled.clone();
    assert_eq!(enabled, Some(Expr::Binary(Operator::Or, granted.into(), and.into())));
}

#[test]
fn activities_and_the_app_handle_what_they_are_told() {
    let app = every();
    let main = &app.activities[0];
    let created = &**app.block(main.on_create.unwrap());
    assert!(
        matches!(created, [Effect::Cover(..), Effect::Chance(Probability::Knob(KnobId(0)), then, Some(_))]
            if app.block(*then)[1] == Effect::Overlay(WindowId(2)))
    );
    assert_eq!(app.block(main.on_resume.unwrap())[1..], [Effect::Busy(Micros::from_millis(300))]);
    assert_eq!(app.block(main.on_menu.unwrap())[1..], [Effect::Overlay(WindowId(4))]);
    let keys: Vec<Key> = main.on_key.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, [Key::SEARCH, Key(300)]);
    assert_eq!(app.block(main.on_key[0].1)[1..], [Effect::Show(WindowId(1))]);
    assert!(main.on_back.is_some() && main.on_pause.is_some());
    assert!(app.on_start.is_some());
    assert_eq!(&*app.receivers[0].0, "android.intent.action.BATTERY_LOW");
    assert_eq!((&*app.timers[0].name, app.timers[0].every), ("sync", Micros::from_secs(30)));
}

#[test]
fn a_chain_of_conditions_nests_to_the_right() {
    let app = every();
    let block = &**app.block(app.activities[0].on_back.unwrap());
    let [Effect::Cover(..), Effect::If(_, _, Some(second))] = block else { panic!("{block:?}") };
    let second = &**app.block(*second);
    let [Effect::If(Expr::Landscape, nothing, Some(last))] = second else { panic!("{second:?}") };
    assert!(matches!(app.block(*nothing)[..], [Effect::Cover(..)]));
    assert!(matches!(app.block(*last)[..], [Effect::Cover(..), Effect::Finish]));
}

#[test]
fn gestures_find_their_handlers() {
    let app = every();
    assert_eq!(effects(&app, "list", "add", Gesture::Tap)[1..], [Effect::Open(ActivityId(1))]);
    assert_eq!(effects(&app, "list", "add", Gesture::DoubleTap)[1..], [Effect::Leave(OutsideApp::Share)]);
    let clear = [Effect::Set(VarId(1), Expr::Value(list(&[]))), Effect::Set(VarId(7), Expr::Value(text("")))];
    assert_eq!(effects(&app, "list", "add", Gesture::SwipeLeft)[1..], clear);
    assert_eq!(effects(&app, "list", "rows", Gesture::LongTap)[1..], [Effect::Remove(VarId(1), Expr::Index)]);
    let turned = Effect::Set(VarId(5), Expr::Not(Expr::Var(VarId(5)).into()));
    assert_eq!(effects(&app, "list", "done", Gesture::Change)[1..], [turned]);
}

#[test]
fn choosing_a_menu_item_closes_the_menu() {
    let app = every();
    let taps: Vec<&[Effect]> =
        app.windows[4].widgets.iter().map(|item| &**app.block(item.handler(Gesture::Tap).unwrap())).collect();
    assert!(matches!(taps[0], [Effect::Cover(..), Effect::Close, Effect::Leave(OutsideApp::Settings)]));
    assert_eq!(taps[1], [Effect::Close]);
}

#[test]
fn network_and_permissions_branch() {
    let app = every();
    let loading = &effects(&app, "edit", "load", Gesture::Tap)[1];
    let Effect::Fetch { latency, fail, reply, error: Some(_) } = loading else { panic!("{loading:?}") };
    assert_eq!(*latency, Latency::Lognormal(Micros::from_millis(400), 0.5));
    assert_eq!(*fail, Probability::Knob(KnobId(0)));
    assert!(matches!(app.block(*reply)[1], Effect::After(Micros(500_000), _)));
    let photo = effects(&app, "edit", "photo", Gesture::Tap);
    assert!(matches!(photo[1], Effect::Ask(PermissionId(0), Some(_), Some(_))));
    assert_eq!(photo[2], Effect::Ask(PermissionId(1), None, None));
    let stop = effects(&app, "edit", "stop", Gesture::Tap);
    assert!(matches!(
        stop[1],
        Effect::Fetch {
            latency: Latency::Fixed(Micros(400_000)),
            fail: Probability::Fixed(_),
            error: None,
            ..
        }
    ));
}

#[test]
fn crashes_carry_their_stacks() {
    let app = every();
    let kinds: Vec<_> = app.sites.iter().map(|site| (site.kind, &*site.exception)).collect();
    let expected = [
        (CrashKind::Java, "java.lang.IllegalStateException"),
        (CrashKind::Native, "SIGSEGV"),
        (CrashKind::Anr, "ANR"),
        (CrashKind::Java, "java.lang.NullPointerException"),
    ];
    assert_eq!(kinds, expected);
    let frames = |site: usize| app.sites[site].frames.iter().map(|frame| &*frame.0).collect::<Vec<_>>();
    assert_eq!(app.sites[0].cause.as_deref(), Some("java.io.IOException"));
    assert_eq!(
        frames(0),
        [
            "org.example.every.EditActivity.load(EditActivity.java:41)",
            "android.view.View.performClick(View.java:7125)"
        ]
    );
    assert_eq!(frames(1), ["libevery.so render+24"]);
    let line = EVERY.lines().position(|line| line.contains("NullPointer")).unwrap() + 1;
    assert_eq!(
        frames(3),
        [format!("org.example.every.EditActivity.onEditStopLongTap(EditActivity.java:{line})")]
    );
    assert_eq!(effects(&app, "edit", "stop", Gesture::LongTap)[1], Effect::Crash(SiteId(3)));
    assert_eq!(effects(&app, "edit", "stop", Gesture::Tap).last(), Some(&Effect::Hang(SiteId(2))));
}

#[test]
fn coverage_is_named_for_people() {
    let app = every();
    let mut listing = String::new();
    for (number, name) in app.coverage.iter().enumerate() {
        writeln!(listing, "{number} {name}").unwrap();
    }
    insta::assert_snapshot!(listing);
}

#[test]
fn every_block_is_as_written() {
    let app = every();
    let mut listing = String::new();
    for (number, block) in app.blocks.iter().enumerate() {
        writeln!(listing, "block {number}").unwrap();
        for effect in block {
            writeln!(listing, "  {effect:?}").unwrap();
        }
    }
    insta::assert_snapshot!(listing);
}

#[test]
fn the_build_changes_with_any_source() {
    let build = every().build;
    assert_eq!(build.len(), 16);
    assert_eq!(build, every().build);
    let edited = parse("every.app", &EVERY.replace("Every thing", "Everything"), &load).unwrap();
    assert_ne!(build, edited.build);
    let other_part = |name: &str| load(name).map(|text| text.replace('7', "8"));
    assert_ne!(build, parse("every.app", EVERY, &other_part).unwrap().build);
}

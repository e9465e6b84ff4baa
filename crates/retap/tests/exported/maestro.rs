//! Flows, as Maestro's own reader understands them.

use retap_trace::{Key, Start, Trace};
use serde_json::{Value, json};

use crate::corpus::Case;
use crate::deed::{Deed, Find, Place, deeds, hangs};

/// Compares what Maestro read with what the trace does. `names` are those of widgets on the screen.
pub(crate) fn check(case: &Case, commands: &Value, names: &[String]) {
    let commands = commands.as_array().unwrap_or_else(|| panic!("{}: {commands}", case.name));
    let package = &case.trace.header.app.package;
    let config = &commands[0]["applyConfigurationCommand"]["config"];
    assert_eq!(config["appId"], **package, "{}", case.name);
    let acts = |command: &&Value| {
        !["waitForAnimationToEndCommand", "hideKeyboardCommand"]
            .iter()
            .any(|name| command.get(name).is_some())
    };
    let read: Vec<Value> =
        commands[1..].iter().filter(acts).map(|command| simplified(command, names)).collect();
    let mut wanted = steps(&case.trace);
    let stopped = ".*(has stopped|keeps stopping|isn.t responding).*";
    // Android needs a while to say so.
    wanted.push(json!({"wait": if hangs(&case.trace) { "15000" } else { "3000" }, "for": stopped}));
    wanted.push(json!({"gone": {"textRegex": stopped}}));
    let ours = format!("{package}:id/.*");
    // Any other last step may leave the app, also when it is mended.
    let touches_own =
        (deeds(&case.trace).last().and_then(id_of)).is_some_and(|id| id.starts_with(&ours[..ours.len() - 2]));
    if touches_own {
        wanted.push(json!({"seen": {"idRegex": ours}}));
    }
    assert_eq!(read, wanted, "{}", case.name);
}

fn id_of(deed: &Deed) -> Option<&String> {
    let (Deed::Tap(Place::Widget(find))
    | Deed::DoubleTap(Place::Widget(find))
    | Deed::LongTap(Place::Widget(find), _)
    | Deed::Text(Some(find), _)) = deed
    else {
        return None;
    };
    find.names.get("id")
}

/// A command with what matters of it.
fn simplified(command: &Value, names: &[String]) -> Value {
    let (kind, body) = command.as_object().and_then(|parts| parts.iter().next()).expect("one command");
    let optional = body["optional"].as_bool().expect("Maestro says so");
    assert_eq!(optional, kind == "assertConditionCommand" && body["timeout"].is_string(), "{command}");
    let taps = || {
        let place = match body.get("selector") {
            Some(selector) => widget(selector, names),
            None => body["point"].clone(),
        };
        let times = body["repeat"]["repeat"].as_u64().unwrap_or(1);
        json!({"tap": place, "times": times, "long": body["longPress"]})
    };
    match kind.as_str() {
        "launchAppCommand" => {
            json!({"launch": body["appId"], "clear": body["clearState"], "stop": body["stopApp"]})
        }
        "stopAppCommand" => json!({"stop": body["appId"]}),
        "clearStateCommand" => json!({"clear": body["appId"]}),
        "tapOnElement" | "tapOnPointV2Command" => taps(),
        "swipeCommand" => {
            let place = |at: &Value| json!([at["x"], at["y"]]);
            json!({"swipe": [place(&body["startPoint"]), place(&body["endPoint"])], "ms": body["duration"]})
        }
        "backPressCommand" => json!({"key": "BACK"}),
        "pressKeyCommand" => json!({"key": body["code"]}),
        "eraseTextCommand" => json!({"erase": body["charactersToErase"]}),
        "inputTextCommand" => json!({"type": body["text"]}),
        "setOrientationCommand" => json!({"rotate": body["orientation"]}),
        "assertConditionCommand" => match body["timeout"].as_str() {
            Some(ms) => {
                let what = &body["condition"]["visible"];
                json!({"wait": ms, "for": what.get("idRegex").or_else(|| what.get("textRegex"))})
            }
            None => condition(&body["condition"]),
        },
        other => panic!("{other} is not expected: {command}"),
    }
}

fn condition(condition: &Value) -> Value {
    let pattern = |selector: &Value| {
        let mut selector = selector.clone();
        selector.as_object_mut().expect("an object").retain(|name, _| name.ends_with("Regex"));
        selector
    };
    match (condition.get("visible"), condition.get("notVisible")) {
        (Some(seen), None) => json!({"seen": pattern(seen)}),
        (None, Some(gone)) => json!({"gone": pattern(gone)}),
        _ => panic!("{condition}"),
    }
}

/// The widget that a selector means: the one name of those on the screen that its patterns fit. Maestro does not tell
/// letters from capital ones, takes an id also without its package, and a line's end also for a blank.
fn widget(selector: &Value, names: &[String]) -> Value {
    let meant = |part: &str| {
        let fits: Vec<&String> = selector[part]
            .as_array()?
            .iter()
            .map(|at| &names[usize::try_from(at.as_u64().expect("a number")).expect("few")])
            .collect();
        let alike = |one: &str, other: &str| {
            let plain = |text: &str| text.to_lowercase().replace('\n', " ");
            plain(one) == plain(other) || plain(one).ends_with(&format!("/{}", plain(other)))
        };
        let shortest = fits.iter().min_by_key(|name| name.len())?;
        assert!(fits.iter().all(|name| alike(name, shortest)), "{selector} means {fits:?}");
        Some(json!(shortest))
    };
    json!({"id": meant("idRegexFits"), "label": meant("textRegexFits"), "index": selector.get("index")})
}

fn steps(trace: &Trace) -> Vec<Value> {
    let package = &*trace.header.app.package;
    let place = |place: &Place| match place {
        Place::Widget(find) => wanted(find),
        Place::At(at) => json!(format!("{},{}", at.x, at.y)),
    };
    let tap = |what: Value, times: u64, long: bool| json!({"tap": what, "times": times, "long": long});
    let mut all = match trace.header.start {
        Start::Launched => vec![json!({"launch": package, "clear": true, "stop": null})],
        Start::Stopped => vec![json!({"stop": package}), json!({"clear": package})],
    };
    let mut typed = 0;
    for deed in deeds(trace).into_iter().skip(usize::from(trace.header.start == Start::Launched)) {
        let erased = 256 + typed;
        typed += deed.typed();
        match deed {
            Deed::Launch => all.push(json!({"launch": package, "clear": null, "stop": false})),
            Deed::Tap(at) => all.push(tap(place(&at), 1, false)),
            Deed::DoubleTap(at) => all.push(tap(place(&at), 2, false)),
            Deed::LongTap(at, _) => all.push(tap(place(&at), 1, true)),
            Deed::Swipe(at, to, ms) => all.push(json!({"swipe": [[at.x, at.y], [to.x, to.y]], "ms": ms})),
            Deed::Key(code) => all.push(key(Key(code))),
            Deed::Text(find, text) => {
                all.extend(find.map(|find| tap(wanted(&find), 1, false)));
                all.push(json!({"erase": erased}));
                all.extend((!text.is_empty()).then(|| json!({"type": text})));
            }
            Deed::Rotate(to) => {
                all.push(json!({"rotate": if to == "portrait" { "PORTRAIT" } else { "LANDSCAPE_LEFT" }}));
            }
            Deed::Wait(ms) => all.push(json!({"wait": ms.to_string(), "for": "nothing has this id"})),
            deed @ (Deed::Pinch(..) | Deed::Shell(_) | Deed::Console(_)) => {
                panic!("{deed:?} should have been refused")
            }
        }
    }
    all
}

fn wanted(find: &Find) -> Value {
    let label = ["desc", "text", "hint"].iter().find_map(|part| find.names.get(part));
    let index = find.index.map(|index| index.to_string());
    json!({"id": find.names.get("id"), "label": label, "index": index})
}

/// A key by the name that Maestro has for it, or as the letter that it types.
fn key(key: Key) -> Value {
    let name = match key.0 {
        4 => "BACK",
        3 => "HOME",
        19 => "REMOTE_UP",
        20 => "REMOTE_DOWN",
        21 => "REMOTE_LEFT",
        22 => "REMOTE_RIGHT",
        23 => "REMOTE_CENTER",
        24 => "VOLUME_UP",
        25 => "VOLUME_DOWN",
        26 => "POWER",
        61 => "TAB",
        66 => "ENTER",
        67 => "BACKSPACE",
        82 => "REMOTE_MENU",
        111 => "ESCAPE",
        _ => return json!({"type": key.char().expect("it types something").to_string()}),
    };
    json!({"key": name})
}

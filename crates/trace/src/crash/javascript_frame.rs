//! Frames of JavaScript, as V8 (`fn (http://host/app.js:10:5)`) and Firefox or Safari (`fn@http://host/app.js:10:5`)
//! write them.

use super::site::{Owner, Site, plain};

pub(super) fn site(frame: &str) -> Site {
    let (function, location) = parts(frame.trim());
    let function = function_name(function);
    let place = place(location);
    let file = place.rsplit('/').next().unwrap_or_default();
    let name = match plain(function) {
        empty if empty.is_empty() => plain(file.split(':').next().unwrap_or_default()),
        name => name,
    };
    let words = match function {
        "" => file.to_owned(),
        _ => format!("{function} ({file})"),
    };
    Site { stable: format!("{function}@{place}"), name, words, owner: owner(location) }
}

fn parts(frame: &str) -> (&str, &str) {
    if let Some((function, location)) = frame.split_once(" (") {
        return (function, location.strip_suffix(')').unwrap_or(location));
    }
    match frame.split_once('@') {
        // A scope of npm in an address (`/@scope/`) is not the mark between function and place.
        Some((function, location)) if !function.contains('/') || function.ends_with("/<") => {
            (function, location)
        }
        _ => ("", frame),
    }
}

/// The function without what is said about the call: `async fn`, `new Fn`, `fn [as other]`, `async*fn`, `fn/<`.
fn function_name(function: &str) -> &str {
    let function = function.split(" [as ").next().unwrap_or_default();
    let function = ["async ", "new ", "async*"]
        .iter()
        .fold(function, |name, front| name.strip_prefix(front).unwrap_or(name));
    function.trim_end_matches("/<").trim()
}

/// The place without host, query and fragment: `/app.js:10:5` for `http://localhost:8080/app.js?v=3:10:5`.
fn place(location: &str) -> String {
    // Code made at run time: what counts is the place in it, not where it was made.
    let location = location.rsplit(", ").next().unwrap_or_default();
    let (address, position) = split_position(location);
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let address = address.split(" line ").next().unwrap_or_default();
    let path = match address.split_once("://") {
        _ if address.starts_with("blob:") => "blob",
        _ if address.starts_with("data:") => "data",
        Some((_, rest)) => rest.find('/').map_or("", |slash| &rest[slash..]),
        None => address,
    };
    format!("{path}{position}")
}

/// Splits `:LINE:COLUMN` off the end.
fn split_position(location: &str) -> (&str, &str) {
    let mut end = location.len();
    for _ in 0..2 {
        match location[..end].rsplit_once(':') {
            Some((front, number))
                if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                end = front.len();
            }
            _ => break,
        }
    }
    location.split_at(end)
}

fn owner(location: &str) -> Owner {
    let foreign =
        ["/node_modules/", "-extension://", "[native code]", "webpack/bootstrap", "webpack/runtime"];
    let inner = ["node:", "internal/", "native", "<anonymous>"];
    let framework = location.is_empty()
        || foreign.iter().any(|mark| location.contains(mark))
        || inner.iter().any(|front| location.starts_with(front));
    if framework { Owner::Framework } else { Owner::App }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_say_the_same() {
        let v8 = site("addTag (http://localhost:8080/js/app.js?v=3:10:5)");
        let firefox = site("addTag@https://example.org/js/app.js#x:10:5");
        assert_eq!(v8.stable, "addTag@/js/app.js:10:5");
        assert_eq!(firefox.stable, v8.stable);
        assert_eq!((v8.name.as_str(), v8.words.as_str()), ("addTag", "addTag (app.js:10:5)"));
    }

    #[test]
    fn what_is_said_about_a_call_does_not_count() {
        for frame in [
            "async addTag (a.js:1:2)",
            "new addTag (a.js:1:2)",
            "addTag [as click] (a.js:1:2)",
            "async*addTag@a.js:1:2",
            "addTag/<@a.js:1:2",
        ] {
            assert_eq!(site(frame).stable, "addTag@a.js:1:2", "{frame}");
        }
    }

    #[test]
    fn a_frame_without_a_function_goes_by_its_file() {
        assert_eq!(site("http://localhost/js/app.js:10:5").name, "app.js");
        assert_eq!(site("@http://localhost/js/app.js:10:5").stable, "@/js/app.js:10:5");
        assert_eq!(site("http://localhost/@scope/app.js:10:5").stable, "@/@scope/app.js:10:5");
        assert_eq!(
            site("Object.<anonymous> (blob:http://localhost/6c3a:1:2)").stable,
            "Object.<anonymous>@blob:1:2"
        );
        assert_eq!(
            site("eval (eval at x (http://h/a.js:1:1), <anonymous>:3:4)").stable,
            "eval@<anonymous>:3:4"
        );
    }

    #[test]
    fn libraries_and_the_browser_are_frameworks() {
        assert_eq!(site("map (<anonymous>)").owner, Owner::Framework);
        assert_eq!(site("x (http://h/node_modules/react-dom/index.js:1:1)").owner, Owner::Framework);
        assert_eq!(site("x (http://h/app.js:1:1)").owner, Owner::App);
    }
}

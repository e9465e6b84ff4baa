//! Whatever goes in, an app or one error comes out.

use proptest::prelude::*;

use super::every::{EVERY, load};
use super::sound::assert_sound;
use crate::app::App;
use crate::language::{LanguageError, parse};

/// Reads anything, and holds the promises that every answer keeps.
fn survives(source: &str) -> Result<App, LanguageError> {
    let answer = parse("noise.app", source, &load);
    match &answer {
        Ok(app) => assert_sound(app),
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "{error}");
            assert!(!error.file.is_empty() && !error.message.contains('\n'), "{error:?}");
            assert!(error.message.len() < 1_000, "{error}");
        }
    }
    answer
}

/// Words and signs that mean something somewhere.
fn vocabulary() -> Vec<&'static str> {
    let words = EVERY.split([' ', '\n']).filter(|word| !word.is_empty());
    words
        .chain(["\n", "\n  ", "\n    ", "\n      ", "\t", "\"", "{", "}", "(", "[", "=", "-", "é", "\u{0}"])
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_words_never_panic(words in proptest::collection::vec(proptest::sample::select(vocabulary()), 0..120)) {
        let source = format!("app noise\nactivity A\n  screen s\n    button \"x\"\n      on tap\n        {}", words.join(" "));
        let _ = survives(&source);
    }

    #[test]
    fn truncated_apps_never_panic(at in 0..EVERY.len()) {
        let _ = survives(&EVERY[..EVERY.floor_char_boundary(at)]);
    }

    #[test]
    fn mutated_apps_never_panic(
        cuts in proptest::collection::vec((0..EVERY.len(), 0_usize..12, proptest::sample::select(vocabulary())), 1..6)
    ) {
        let mut source: Vec<char> = EVERY.chars().collect();
        for (at, length, word) in cuts {
            let at = at.min(source.len());
            let end = (at + length).min(source.len());
            source.splice(at..end, word.chars());
        }
        let _ = survives(&source.into_iter().collect::<String>());
    }

    #[test]
    fn small_changes_leave_an_app_or_an_error(
        which in 0_usize..400, word in proptest::sample::select(vocabulary())
    ) {
        let mut words: Vec<&str> = EVERY.split_inclusive([' ', '\n']).collect();
        let which = which % words.len();
        let replaced = format!("{word}{}", &words[which][words[which].len() - 1..]);
        words[which] = &replaced;
        let _ = survives(&words.concat());
    }

    #[test]
    fn swapped_lines_never_panic(pairs in proptest::collection::vec((0_usize..200, 0_usize..200), 1..4)) {
        let mut lines: Vec<&str> = EVERY.lines().collect();
        for (left, right) in pairs {
            let count = lines.len();
            lines.swap(left % count, right % count);
        }
        let _ = survives(&lines.join("\n"));
    }
}

#[test]
fn long_chains_end_in_an_error_not_in_a_full_stack() {
    let head = "app noise\nvar x int\nactivity A\n  on create\n    ";
    let foot = "\n  screen s\n";
    for expression in [
        format!("set x = {}1", "1 + ".repeat(200_000)),
        format!("set x = {}1", "(".repeat(200_000)),
        format!("set x = {}1", "-".repeat(200_000)),
        format!("if {}true", "not ".repeat(200_000)),
        format!("set x = {}", "len(\"{".repeat(100_000)),
        format!("set x = x{}", "[0]".repeat(100_000)),
    ] {
        survives(&format!("{head}{expression}{foot}")).unwrap_err();
    }
    let chain =
        "    if x > 0\n      nothing\n".to_owned() + &"    else if x > 1\n      nothing\n".repeat(10_000);
    survives(&format!("app noise\nvar x int\nactivity A\n  on create\n{chain}  screen s\n")).unwrap_err();
}

#[test]
fn too_many_things_of_a_kind_are_refused() {
    let many: String = (0..70_000).map(|number| format!("var v{number} int\n")).collect::<Vec<_>>().concat();
    let error = survives(&format!("app noise\n{many}activity A\n  screen s\n")).unwrap_err();
    assert_eq!(error.line, 1 + 65_000 + 1);
    let widgets = "    label \"x\"\n".repeat(65_001);
    let error = survives(&format!("app noise\nactivity A\n  screen s\n{widgets}")).unwrap_err();
    assert!(error.message.contains("65000 widgets"), "{error}");
    let crash = "    button \"x\"\n      on tap\n        crash java.lang.Error\n";
    let half = crash.repeat(32_501);
    let source = format!("app noise\nactivity A\n  screen s\n{half}  screen t\n{half}");
    let error = survives(&source).unwrap_err();
    assert!(error.message.contains("65000 places"), "{error}");
    assert!(survives(&"#".repeat((8 << 20) + 1)).unwrap_err().message.contains("8 MiB"));
}

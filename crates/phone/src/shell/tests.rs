use proptest::prelude::*;

use super::io::Input;
use super::parse::parse;
use crate::testing::{Pieces, out, phone, run, run_with};

#[test]
fn quotes_and_variables_make_words() {
    let phone = phone();
    for (script, said) in [
        ("echo a  b", "a b\n"),
        ("echo 'a  b' \"c  d\"", "a  b c  d\n"),
        ("x=1; echo $x ${x}2 \"$x\" '$x'", "1 12 1 $x\n"),
        ("x=' a  b '; echo \"<$x>\" '<'$x'>'", "< a  b > < a b >\n"),
        ("echo a\\ b \"q\\\"q\"", "a b q\"q\n"),
        ("echo '' \"\" end", "  end\n"),
        ("x=; echo $x end", "end\n"),
        ("A=1 B=2; echo $A$B", "12\n"),
        ("A=1 echo \"<$A>\"; A=2 sh -c 'echo $A'", "<>\n2\n"),
    ] {
        let ran = run(&phone, script);
        assert_eq!(ran.out, said, "{script}: {ran:?}");
    }
}

#[test]
fn lists_go_by_the_status() {
    let phone = phone();
    for (script, said, status) in [
        ("false && echo no || echo yes", "yes\n", 0),
        ("true && echo a; false", "a\n", 1),
        ("(exit 7); echo $?", "7\n", 0),
        ("exit 5; echo no", "", 5),
        ("(echo a; echo b) | grep b", "b\n", 0),
        ("x=1; (x=2; echo $x); echo $x", "2\n1\n", 0),
        ("sh -c 'echo in; exit 4'; echo $?", "in\n4\n", 0),
        ("# nothing\necho a # b", "a\n", 0),
    ] {
        let ran = run(&phone, script);
        assert_eq!((&*ran.out, ran.status), (said, status), "{script}: {ran:?}");
    }
}

#[test]
fn redirections_lead_where_they_say() {
    let phone = phone();
    let script = "cd /data/local/tmp; echo a > f; echo b >> f; cat < f; ls /nope 2> e; cat e; ls /nope >/dev/null 2>&1";
    let ran = run(&phone, script);
    assert_eq!(ran.out, "a\nb\nls: /nope: No such file or directory\n");
    assert_eq!((ran.err.as_str(), ran.status), ("", 1));
    let ran = run(&phone, "echo a > /system/x");
    assert_eq!(
        (ran.status, &*ran.err),
        (1, "/system/bin/sh: can't create /system/x: Read-only file system\n")
    );
    assert_eq!(run(&phone, "ls /nope 2>&1 | cut -d : -f 1").out, "ls\n");
}

#[test]
fn pipes_end_when_nobody_reads() {
    let phone = phone();
    assert_eq!(out(&phone, "logcat | true && echo ended"), "ended\n");
    assert_eq!(run(&phone, "echo a | grep b").status, 1);
    assert_eq!(run(&phone, "false | true").status, 0);
}

#[test]
fn a_shell_reads_its_lines() {
    let phone = phone();
    let ran =
        run_with(&phone, "sh", b"x=1\necho $x\necho 'two\nlines'\nfalse ||\necho three\nexit 3\necho no\n");
    assert_eq!((&*ran.out, ran.status), ("1\ntwo\nlines\nthree\n", 3));
}

#[test]
fn unknown_programs_are_not_found() {
    let phone = phone();
    let ran = run(&phone, "foo --bar");
    assert_eq!((ran.status, &*ran.err), (127, "/system/bin/sh: foo: inaccessible or not found\n"));
    let old = crate::testing::phone_of("sim:notes", crate::android::Android::NINE);
    assert_eq!(run(&old, "foo").err, "/system/bin/sh: foo: not found\n");
    assert_eq!(run(&phone, "/sdcard").status, 126);
    assert_eq!(out(&phone, "/system/bin/echo hi"), "hi\n");
    assert_eq!(run(&phone, "sh /data/local/tmp/s").status, 127);
}

#[test]
fn mistakes_get_a_sentence() {
    let phone = phone();
    for script in [
        "echo )",
        "if true",
        "a | | b",
        "echo 'open",
        "( echo",
        "for",
        "<",
        "a && && b",
        "echo <<E",
        "echo $(a)",
        "echo `a`",
        "echo ${x:-y}",
        "sleep 1 &",
        "{ echo; }",
    ] {
        let ran = run(&phone, script);
        assert!(
            ran.status != 0 && ran.err.starts_with("/system/bin/sh: syntax error: unexpected"),
            "{script}: {ran:?}"
        );
    }
    let deep = "(".repeat(1000);
    assert_eq!(run(&phone, &deep).err, "/system/bin/sh: syntax error: too deep\n");
    let itself = "export me='sh -c \"$me\"'; sh -c \"$me\"";
    assert_eq!(run(&phone, itself).status, 1);
}

/// Pieces of shell that make odd scripts when put together.
const PIECES: [&str; 38] = [
    "echo",
    "a",
    "$x",
    "${x:-b}",
    "$(",
    ")",
    "(",
    "{",
    "}",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "'",
    "\"",
    "`",
    "\\",
    "\n",
    "if",
    "then",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "while",
    "false",
    "!",
    ">",
    "<",
    "2>&1",
    "/sdcard/f",
    "*",
    "[",
    "]",
    "x=1",
    "$?",
];

#[test]
fn a_line_that_never_ends_is_read_in_parts() {
    let bytes = vec![b'x'; 3 << 20];
    let input = Input::new(Pieces::of(&bytes, 600 << 10));
    let lines: Vec<Vec<u8>> = std::iter::from_fn(|| input.read_line()).collect();
    assert!(lines.len() > 1 && lines.concat() == bytes, "{} lines", lines.len());
}

proptest! {
    #[test]
    fn what_comes_in_pieces_is_read_whole(bytes in prop::collection::vec(0..20_u8, 0..200), cut in 1..50_usize) {
        let input = || Input::new(Pieces::of(&bytes, cut));
        let mixed = input();
        let begins = [mixed.read_exactly(7), mixed.read().unwrap_or_default(), mixed.read_exactly(30)].concat();
        prop_assert_eq!([begins, mixed.read_all()].concat(), &*bytes);
        let lines = input();
        let mut all: Vec<Vec<u8>> = std::iter::from_fn(|| lines.read_line()).collect();
        if bytes.is_empty() || bytes.ends_with(b"\n") {
            all.push(Vec::new());
        }
        prop_assert_eq!(all.join(&b'\n'), bytes);
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "\\PC{0,80}|[a-z$(){};|&<>'\"`\\\\ \n]{0,120}") {
        let _ = parse(&text);
    }

    #[test]
    fn any_script_comes_to_an_end(pieces in prop::collection::vec(0..PIECES.len(), 0..16)) {
        let script: Vec<&str> = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        let ran = run(&phone(), &script.join(" "));
        prop_assert!(ran.out.len() < 1 << 20);
    }

    #[test]
    fn what_is_quoted_comes_back(text in "[^']{0,60}") {
        let text = text.replace('\0', "");
        prop_assert_eq!(out(&phone(), &format!("echo -n \"\" '{text}'")), format!(" {text}"));
    }
}

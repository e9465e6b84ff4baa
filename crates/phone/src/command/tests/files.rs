use crate::testing::{out, phone, run};

#[test]
fn files_are_made_listed_and_removed() {
    let phone = phone();
    out(&phone, "cd /sdcard; echo 1 > a; echo 2 > b");
    phone.with(|state| state.world.files.make_folder("/sdcard/c", false, 0)).unwrap();
    out(&phone, "echo 3 > /sdcard/c/h");
    assert_eq!(out(&phone, "ls /sdcard"), "DCIM\nDownload\nMusic\na\nb\nc\n");
    assert_eq!(out(&phone, "cd /sdcard; ls c a; cat a c/h"), "h\na\n1\n3\n");
    assert_eq!(run(&phone, "ls -R /sdcard").err, "ls: Unknown option 'R'\n");
    assert_eq!(run(&phone, "rm /sdcard/c").err, "rm: /sdcard/c: Is a directory\n");
    out(&phone, "rm -rf /sdcard/c /sdcard/nothing");
    assert_eq!(run(&phone, "ls /sdcard/c").err, "ls: /sdcard/c: No such file or directory\n");
    assert_eq!(run(&phone, "cat /nope").status, 1);
    assert_eq!(run(&phone, "ls /data").err, "ls: /data: Permission denied\n");
}

#[test]
fn sums_are_right() {
    let phone = phone();
    out(&phone, "echo 'a b' > /sdcard/f; echo c >> /sdcard/f");
    assert_eq!(
        out(&phone, "md5sum /sdcard/f; toybox md5sum -b /sdcard/f"),
        "fdd10b3cb73391a9fc37eae64dac9702  /sdcard/f\nfdd10b3cb73391a9fc37eae64dac9702\n"
    );
    assert_eq!(run(&phone, "toybox nonsense").err, "toybox: Unknown command nonsense\n");
    assert!(out(&phone, "df").starts_with("Filesystem     1K-blocks    Used Available Use% Mounted on\n"));
}

#[test]
fn lines_are_chosen() {
    let phone = phone();
    out(&phone, "echo one word > /sdcard/n; echo two >> /sdcard/n; echo a.b >> /sdcard/n");
    assert_eq!(out(&phone, "cat /sdcard/n | grep wo"), "one word\ntwo\n");
    assert_eq!(out(&phone, "cat /sdcard/n | grep a.b"), "a.b\n");
    assert_eq!(run(&phone, "echo a | grep b").status, 1);
    assert_eq!(run(&phone, "echo a | grep '^a'").err, "grep: bad REGEX '^a'\n");
    assert_eq!(run(&phone, "echo a | grep -A1 a").status, 2);
    assert_eq!(
        out(&phone, "echo 'Physical density: 420' | cut -d ' ' -f 3; echo a | cut -d : -f 2"),
        "420\na\n"
    );
    assert_eq!(run(&phone, "echo a | cut -c 1").status, 1);
}

#[test]
fn full_storage_is_noticed() {
    let phone = phone();
    let big = vec![b'x'; 8 << 20];
    phone.with(|state| state.world.files.write("/sdcard/a", big, 0o644, 0)).unwrap();
    let script: Vec<String> = (0..40).map(|number| format!("cat a a a a > b{number}")).collect();
    let ran = run(&phone, &format!("cd /sdcard; {} || exit 9", script.join(" && ")));
    assert_eq!(ran.status, 9, "{ran:?}");
    assert!(ran.err.contains("No space left on device"), "{ran:?}");
}

/// What no client was seen to use is not there, and says so as Android's shell does.
#[test]
fn other_programs_are_not_there() {
    let phone = phone();
    for name in [
        "[", "basename", "chmod", "cp", "date", "dirname", "env", "head", "id", "ip", "kill", "ln", "mkdir",
        "mv", "pgrep", "ping", "printf", "readlink", "realpath", "reboot", "rmdir", "seq", "sort", "stat",
        "tail", "tee", "test", "touch", "tr", "uname", "uniq", "uptime", "wc", "which", "whoami", "xargs",
    ] {
        let ran = run(&phone, &format!("{name} x"));
        let said = format!("/system/bin/sh: {name}: inaccessible or not found\n");
        assert_eq!((ran.status, &*ran.out, ran.err), (127, "", said));
    }
}

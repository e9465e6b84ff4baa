use crate::testing::{out, phone, run};

#[test]
fn files_are_made_listed_and_removed() {
    let phone = phone();
    out(&phone, "cd /sdcard; mkdir -p a/b; echo 1 > a/f; echo 2 > a/b/g; mkdir c; echo 3 > c/h");
    assert_eq!(out(&phone, "ls /sdcard/a /sdcard/c"), "/sdcard/a:\nb\nf\n\n/sdcard/c:\nh\n");
    assert_eq!(out(&phone, "cat /sdcard/a/f /sdcard/a/b/g"), "1\n2\n");
    assert_eq!(
        out(&phone, "ls -l /sdcard/a"),
        "total 8\ndrwxr-xr-x 2 shell shell 4096 2024-01-01 00:00 b\n-rw-r--r-- 1 shell shell    2 2024-01-01 00:00 f\n"
    );
    assert_eq!(run(&phone, "ls -R /sdcard").err, "ls: Unknown option 'R'\n");
    assert_eq!(run(&phone, "rm /sdcard/a").err, "rm: /sdcard/a: Is a directory\n");
    out(&phone, "rm -rf /sdcard/a /sdcard/nothing");
    assert_eq!(run(&phone, "ls /sdcard/a").err, "ls: /sdcard/a: No such file or directory\n");
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
    out(&phone, "echo -e '1\\n11\\n2\\n21' > /sdcard/n");
    assert_eq!(
        out(&phone, "grep 1$ /sdcard/n; grep -c 1 /sdcard/n; cat /sdcard/n | grep -v 1"),
        "1\n11\n21\n3\n2\n"
    );
    assert_eq!(
        out(
            &phone,
            "echo FooBar | grep -io 'foo\\|bar'; echo a.b | grep -F a.b; echo abc | grep -E 'a(b|x)c'"
        ),
        "Foo\nBar\na.b\nabc\n"
    );
    assert_eq!(run(&phone, "echo a | grep -q b").status, 1);
    assert_eq!(run(&phone, "echo a | grep '\\('").status, 2);
    assert_eq!(run(&phone, "echo a | grep -A1 a").err, "grep: Unknown option 'A'\n");
    assert_eq!(
        out(&phone, "echo 'Physical density: 420' | cut -d ' ' -f 3; echo a:b:c | cut -d: -f1,3"),
        "420\na:c\n"
    );
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
        "[", "basename", "chmod", "cp", "date", "dirname", "env", "head", "id", "kill", "ln", "mv", "pgrep",
        "ping", "printf", "readlink", "realpath", "rmdir", "seq", "sort", "stat", "tail", "tee", "test",
        "touch", "tr", "uname", "uniq", "uptime", "wc", "whoami", "xargs",
    ] {
        let ran = run(&phone, &format!("{name} x"));
        let said = format!("/system/bin/sh: {name}: inaccessible or not found\n");
        assert_eq!((ran.status, &*ran.out, ran.err), (127, "", said));
        assert_eq!(run(&phone, &format!("which {name}")).status, 1);
    }
}

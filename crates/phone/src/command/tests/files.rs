use crate::testing::{out, phone, run, run_with};

#[test]
fn files_are_made_listed_copied_moved_and_removed() {
    let phone = phone();
    out(
        &phone,
        "cd /sdcard; mkdir -p a/b; echo 1 > a/f; echo 2 > a/b/g; cp -r a c; mv a/f a/h; rm c/f; ln -s /sdcard/a l",
    );
    assert_eq!(out(&phone, "ls /sdcard/a /sdcard/c"), "/sdcard/a:\nb\nh\n\n/sdcard/c:\nb\n");
    assert_eq!(out(&phone, "cd /sdcard; ls -R a"), "a:\nb\nh\n\na/b:\ng\n");
    assert_eq!(out(&phone, "cat /sdcard/l/h /sdcard/c/b/g"), "1\n2\n");
    assert_eq!(
        out(&phone, "ls -l /sdcard/a"),
        "total 8\ndrwxr-xr-x 2 shell shell 4096 2024-01-01 00:00 b\n-rw-r--r-- 1 shell shell    2 2024-01-01 00:00 h\n"
    );
    assert_eq!(out(&phone, "readlink /sdcard/l; realpath /sdcard/l"), "/sdcard/a\n/storage/emulated/0/a\n");
    assert_eq!(run(&phone, "rm /sdcard/a").err, "rm: /sdcard/a: Is a directory\n");
    assert_eq!(run(&phone, "rmdir /sdcard/a").err, "rmdir: /sdcard/a: Directory not empty\n");
    out(&phone, "rm -rf /sdcard/a /sdcard/nothing; touch /sdcard/t; chmod 600 /sdcard/t");
    assert_eq!(out(&phone, "stat -c '%n %s %a %F' /sdcard/t"), "/sdcard/t 0 600 regular file\n");
    assert_eq!(run(&phone, "ls /sdcard/a").err, "ls: /sdcard/a: No such file or directory\n");
    assert_eq!(run(&phone, "cat /nope").status, 1);
    assert_eq!(run(&phone, "ls /data").err, "ls: /data: Permission denied\n");
}

#[test]
fn sums_and_counts_are_right() {
    let phone = phone();
    out(&phone, "printf 'a b\\nc\\n' > /sdcard/f");
    assert_eq!(
        out(&phone, "md5sum /sdcard/f; toybox md5sum -b /sdcard/f"),
        "fdd10b3cb73391a9fc37eae64dac9702  /sdcard/f\nfdd10b3cb73391a9fc37eae64dac9702\n"
    );
    assert_eq!(out(&phone, "wc -l /sdcard/f; wc -c < /sdcard/f; wc -w < /sdcard/f"), "2 /sdcard/f\n6\n3\n");
    assert_eq!(run(&phone, "toybox nonsense").err, "toybox: Unknown command nonsense\n");
    assert!(out(&phone, "df").starts_with("Filesystem     1K-blocks    Used Available Use% Mounted on\n"));
}

#[test]
fn lines_are_chosen() {
    let phone = phone();
    out(&phone, "seq 1 20 > /sdcard/n");
    assert_eq!(
        out(&phone, "head -n 2 /sdcard/n; head -1 /sdcard/n; tail -2 /sdcard/n; tail -n +20 /sdcard/n"),
        "1\n2\n1\n19\n20\n20\n"
    );
    assert_eq!(out(&phone, "seq 1 20 | head -c 3"), "1\n2");
    assert_eq!(
        out(&phone, "grep -n 1$ /sdcard/n; grep -c 1 /sdcard/n; grep -v 1 /sdcard/n | wc -l"),
        "1:1\n11:11\n11\n9\n"
    );
    assert_eq!(
        out(
            &phone,
            "echo FooBar | grep -io 'foo\\|bar'; echo a.b | grep -F a.b; echo abc | grep -E 'a(b|x)c'"
        ),
        "Foo\nBar\na.b\nabc\n"
    );
    assert_eq!(out(&phone, "grep -A1 -B1 -m1 5 /sdcard/n"), "4\n5\n6\n");
    assert_eq!(run(&phone, "echo a | grep -q b").status, 1);
    assert_eq!(run(&phone, "echo a | grep '\\('").status, 2);
    assert_eq!(
        out(&phone, "echo 'Physical density: 420' | cut -d ' ' -f 3; echo a:b:c | cut -d: -f1,3"),
        "420\na:c\n"
    );
    assert_eq!(
        out(
            &phone,
            "printf 'b\\na\\nb\\n' | sort -u; printf '10\\n9\\n' | sort -n; echo aXb | tr -d X | tr a-z A-Z"
        ),
        "a\nb\n9\n10\nAB\n"
    );
    assert_eq!(out(&phone, "printf 'a\\na\\nb\\n' | uniq -c"), "      2 a\n      1 b\n");
    assert_eq!(run_with(&phone, "tee /sdcard/t | cat; cat /sdcard/t", b"x\n").out, "x\nx\n");
    assert_eq!(
        out(&phone, "echo a b | xargs echo c; basename /a/b.c .c; dirname /a/b; pwd"),
        "c a b\nb\n/a\n/\n"
    );
}

#[test]
fn conditions_hold_or_not() {
    let phone = phone();
    for (condition, holds) in [
        ("-d /sdcard", true),
        ("-f /sdcard", false),
        ("-e /nope -o 1 = 1", true),
        ("-n '' -a 1 = 1", false),
        ("! -z x", true),
        ("3 -gt 2", true),
        ("a != a", false),
        ("-L /sdcard", true),
    ] {
        assert_eq!(run(&phone, &format!("[ {condition} ]")).status == 0, holds, "{condition}");
        assert_eq!(run(&phone, &format!("test {condition}")).status == 0, holds, "{condition}");
    }
    assert_eq!(run(&phone, "[ 1 = 1").status, 2);
    assert_eq!(run(&phone, "[ x -gt 1 ]").status, 2);
}

#[test]
fn full_storage_is_noticed() {
    let phone = phone();
    let ran = run(&phone, "seq 1 90000 > /sdcard/a; cp /sdcard/a /sdcard/b");
    assert_eq!(ran.status, 0, "{ran:?}");
    let mut script = String::from("cd /sdcard;");
    for number in 0..12 {
        script.push_str(&format!(" cat a a a a a a a a > b{number} &&"));
    }
    let ran = run(&phone, &format!("{script} for i in 1 2 3 4 5 6 7; do cat b* > c$i || exit 9; done"));
    assert_eq!(ran.status, 9, "{ran:?}");
    assert!(ran.err.contains("No space left on device"), "{ran:?}");
}

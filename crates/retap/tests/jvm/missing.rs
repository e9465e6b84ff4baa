//! What is missing, and what is wrong, is said in one sentence.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::bench::{Bench, program};
use crate::command::{retap, run, scratch, words};

/// The sentences about what went wrong.
fn errors(said: &Output) -> Vec<String> {
    words(said).lines().filter(|line| line.starts_with("error: ")).map(str::to_owned).collect()
}

/// A computer with these programs and an empty cache.
fn bare(folder: &Path, programs: &[(&str, PathBuf)], args: &[&str]) -> Output {
    let bin = folder.join("bin");
    let _ = std::fs::remove_dir_all(&bin);
    std::fs::create_dir(&bin).expect("a folder");
    for (name, path) in programs {
        symlink(path, bin.join(name)).expect("a link");
    }
    let mut command: Command = retap(folder, args);
    command.env("PATH", &bin).env_remove("JAVA_HOME").env("XDG_CACHE_HOME", folder.join("cache"));
    command.output().expect("retap runs")
}

#[test]
fn a_demo_without_a_jdk_or_maven_says_what_to_install() {
    let folder = scratch();
    let demo = ["demo", "--apk"];
    let none = bare(folder.path(), &[], &demo);
    let said = errors(&none);
    assert_eq!(none.status.code(), Some(2), "{}", words(&none));
    assert!(
        said.len() == 1 && said[0].contains("no Java was found; install a JDK of version 17"),
        "{said:?}"
    );
    assert!(!words(&none).contains("downloading"), "nothing is begun: {}", words(&none));
    let Some(java) = program("java") else { return };
    let without = bare(folder.path(), &[("java", java.clone())], &demo);
    let said = errors(&without);
    assert_eq!(without.status.code(), Some(2), "{}", words(&without));
    assert!(said.len() == 1 && said[0].contains("no Maven was found"), "{said:?}");
    assert!(!words(&without).contains("downloading"), "nothing is begun: {}", words(&without));

    // What is about to be downloaded is said first, unless quiet was asked for.
    let fails = folder.path().join("mvn");
    std::fs::write(&fails, "#!/bin/sh\nexit 1\n").expect("a file");
    let made = Command::new("/bin/chmod").arg("+x").arg(&fails).status();
    assert!(made.is_ok_and(|status| status.success()));
    let programs = [("java", java), ("mvn", fails)];
    let begun = bare(folder.path(), &programs, &demo);
    let said = words(&begun);
    let (first, last) =
        (said.find("downloading up to 360 MB from Maven Central"), said.find("error: Maven could not"));
    assert!(begun.status.code() == Some(2) && first.is_some() && first < last, "{said}");
    let quiet = bare(folder.path(), &programs, &["demo", "--apk", "-q"]);
    assert!(words(&quiet).starts_with("error: Maven could not build the Java side"), "{}", words(&quiet));
}

/// A signal may reach retap alone, as from a build server.
#[test]
fn a_set_up_that_is_interrupted_leaves_no_maven() {
    let Some(java) = program("java") else { return };
    let folder = scratch();
    let maven = folder.path().join("mvn");
    let script = format!(
        "#!/bin/sh\n/bin/sleep 600 &\necho $! > {0}/new && /bin/mv {0}/new {0}/child\nwait\n",
        folder.path().display()
    );
    std::fs::write(&maven, script).expect("a file");
    let made = Command::new("/bin/chmod").arg("+x").arg(&maven).status();
    assert!(made.is_ok_and(|status| status.success()));
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for (name, path) in [("java", &java), ("mvn", &maven)] {
        symlink(path, bin.join(name)).expect("a link");
    }
    let mut command: Command = retap(folder.path(), &["demo", "--apk"]);
    command.env("PATH", &bin).env_remove("JAVA_HOME").env("XDG_CACHE_HOME", folder.path().join("cache"));
    let mut child = crate::bench::quiet(command);
    let started = folder.path().join("child");
    retap_testing::until("Maven runs", || started.exists());
    let number = std::fs::read_to_string(&started).expect("a number");
    let process = Path::new("/proc").join(number.trim());
    // One that nobody has waited for is still listed.
    let runs = || std::fs::read_to_string(process.join("stat")).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(runs());
    let asked = Command::new("/bin/kill").args(["-INT", &child.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    retap_testing::until("Maven is gone", || !runs());
}

#[test]
fn a_mode_is_for_apps_in_a_jvm() {
    let folder = scratch();
    let trace = crate::command::sample("dalvik");
    for (args, said) in [
        (
            &["explore", "-d", "sim:notes", "--wild"][..],
            "--wild is for apps in a JVM (jvm:APP.apk), not for sim:notes",
        ),
        (&["reduce", &trace, "--calm"], "--calm is for apps in a JVM"),
        (&["replay", &trace, "--wild"], "--wild is for apps in a JVM"),
        (&["suite", &trace, "--wild"], "--wild is for apps in a JVM"),
        (&["replay", &trace, "--wild", "-d", "adb?app=a.b"], "--wild is for apps in a JVM"),
        (
            &["explore", "-d", "jvm:sample?mode=calm", "--wild"],
            "--wild is the contrary of what jvm:sample?mode=calm says",
        ),
        (
            &["explore", "-d", "jvm:sample?mode=wild", "--calm"],
            "--calm is the contrary of what jvm:sample?mode=wild says",
        ),
        (
            &["reduce", &trace, "--to", "cmd:true", "--wild"],
            "--calm and --wild do nothing with --to cmd:COMMAND",
        ),
        (&["explore", "--calm", "--wild"], "the argument '--calm' cannot be used with '--wild'"),
        (&["explore", "--resume", "x", "--wild"], "the argument '--resume <DIR>' cannot be used with"),
    ] {
        let refused = run(folder.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", words(&refused));
        let errors = errors(&refused);
        assert!(errors.len() == 1 && errors[0].contains(said), "{args:?}: {errors:?}");
    }
}

#[test]
fn what_is_no_app_is_refused_in_one_sentence() {
    let Some(bench) = Bench::new("refusals") else { return };
    std::fs::write(bench.scratch.path().join("text.apk"), "not an app").expect("a file");
    for (device, said) in [
        ("jvm:nowhere.apk", "nowhere.apk cannot be read"),
        ("jvm:text.apk", "text.apk cannot be run in a JVM: it is no APK: it cannot be read as a zip file"),
        ("text.apk", "'text.apk' is a file, not a device; an Android app (an APK) is written jvm:text.apk"),
        ("jvm:smaple", "the app that is part of retap is jvm:sample"),
        ("jvm:sample?screen=h640dp-w360dp-xxhdpi", "the option 'screen' takes qualifiers in the order"),
        ("jvm:.", "cannot be read"),
        ("jvm:text.apk?api=34", "the option 'api' takes 29"),
        ("jvm:text.apk?scren=1", "did you mean `screen`?"),
    ] {
        let refused = bench.run(&["explore", "--device", device, "--events", "5"]);
        let errors: Vec<String> =
            words(&refused).lines().filter(|line| line.starts_with("error: ")).map(str::to_owned).collect();
        assert_eq!(refused.status.code(), Some(2), "{device}: {}", words(&refused));
        assert!(errors.len() == 1 && errors[0].contains(said), "{device}: {errors:?}");
    }
    bench.assert_nothing_runs();
}

/// What is made once is told once, and not to those who asked for quiet.
#[test]
fn quiet_is_quiet() {
    let Some(bench) = Bench::new("quiet") else { return };
    let apps = || {
        let versions = std::fs::read_dir(bench.folder.join("retap/jvm")).expect("a folder").flatten();
        versions.map(|version| version.path().join("apps")).filter(|apps| apps.is_dir()).collect::<Vec<_>>()
    };
    let again = |args: &[&str]| {
        for apps in apps() {
            std::fs::remove_dir_all(apps).expect("a folder");
        }
        let made = bench.run(&[&["device", "screenshot", "jvm:sample", "a.png"], args].concat());
        assert!(made.status.success(), "{}", words(&made));
        words(&made)
    };
    let said = again(&[]);
    assert!(said.contains("building the sample app, once\nconverting the app's code, once"), "{said}");
    let said = again(&["-q"]);
    // That there is no sandbox is said to all.
    assert!(said.lines().all(|line| line.starts_with("warning: ")), "{said}");
    bench.assert_nothing_runs();
}

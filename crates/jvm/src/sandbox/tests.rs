//! What a program in the sandbox can do, tried by one.

#![cfg(target_os = "linux")]

use super::*;

struct Bench {
    scratch: tempfile::TempDir,
    sandbox: Sandbox,
}

impl Bench {
    /// None where there is no sandbox.
    fn new() -> Option<Self> {
        let sandbox = Sandbox::find(&JvmEnvironment::read());
        if sandbox.bwrap().is_none() {
            let why = sandbox.warning().unwrap_or_default().to_owned();
            retap_testing::skipped(retap_testing::Requirement::Sandbox, why);
            return None;
        }
        // Not below /tmp, which is another one inside.
        let scratch = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        for part in ["data", "tmp", "read"] {
            std::fs::create_dir(scratch.path().join(part)).unwrap();
        }
        std::fs::write(scratch.path().join("secret"), "42").unwrap();
        std::fs::write(scratch.path().join("read/it"), "17").unwrap();
        std::fs::write(scratch.path().join("read/hidden"), "18").unwrap();
        Some(Self { scratch, sandbox })
    }

    /// What a script prints, and whether it ended well.
    fn says(&self, script: &str) -> (String, bool) {
        let path = self.scratch.path();
        let script = script.replace("HERE", path.to_str().unwrap());
        let command = self.sandbox.command(&Confined {
            program: Path::new("/bin/sh"),
            args: vec!["-c".into(), script.into()],
            phone: Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../jvm/phone")),
            readable: vec![&path.join("read")],
            hidden: vec![path.join("read/hidden"), path.join("read/nothing")],
            folder: &path.join("data"),
            place: &path.join("data"),
            scratch: &path.join("tmp"),
        });
        let ran = run(command, Duration::from_mins(1)).unwrap();
        (ran.stdout.trim().to_owned(), ran.status.success())
    }
}

#[test]
fn what_is_read_below_a_phone_s_data_is_not_hidden_by_it() {
    let data = |paths: &[&str]| {
        let sandbox = Sandbox { bwrap: Some("/usr/bin/bwrap".into()), ..Sandbox::default() };
        let sandbox = sandbox.for_reading(paths.iter().map(Path::new));
        sandbox.data(Path::new("/tmp/run/data")).to_owned()
    };
    assert_eq!(data(&["/home/me/a.apk", "/database/jdk"]), Path::new("/data"));
    assert_eq!(data(&["/home/me/a.apk", "/data/jdk"]), Path::new("/tmp/run/data"));
}

#[test]
fn it_sees_its_own_files_and_no_others() {
    let Some(bench) = Bench::new() else { return };
    assert_eq!(bench.says("cat HERE/read/it"), ("17".to_owned(), true));
    assert_eq!(bench.says("cat HERE/read/hidden").0, "");
    assert_eq!(
        bench.says("pwd; echo 5 > mine; cat mine").0,
        format!("{}/data\n5", bench.scratch.path().display())
    );
    assert!(bench.scratch.path().join("data/mine").is_file());
    let other = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    assert!(bench.says(&format!("echo 1 > /tmp/x && test ! -e {}", other.path().display())).1);
    assert!(bench.scratch.path().join("tmp/x").is_file());
    for forbidden in [
        "cat HERE/secret",
        "echo 1 > HERE/read/it",
        "echo 1 > HERE/read/new",
        "echo 1 > /usr/new",
        "echo 1 > /new",
        "ls /home",
        "ls /root",
        "cat /etc/shadow",
        "cat /etc/passwd",
        // As root, the sandbox could undo itself and change the kernel's settings.
        "mount -o remount,bind,rw /usr",
        "unshare --user --map-root-user --mount mount -o remount,bind,rw /usr",
        "test -w /proc/sys/kernel/core_pattern",
        "test -w /proc/sysrq-trigger",
        "echo 1 > /dev/shm/file",
        "echo 1 > /dev/file",
    ] {
        assert!(!bench.says(forbidden).1, "{forbidden}");
    }
}

#[test]
fn it_has_no_network_and_sees_no_other_processes() {
    let Some(bench) = Bench::new() else { return };
    let interfaces = bench.says("cat /proc/net/dev").0;
    let names: Vec<&str> =
        interfaces.lines().skip(2).filter_map(|line| line.trim().split(':').next()).collect();
    assert_eq!(names, ["lo"]);
    let processes = bench.says("for p in /proc/[0-9]*; do echo $p; done").0;
    assert!(processes.lines().count() <= 4, "{processes}");
}

#[test]
fn it_sees_a_phone_and_not_this_computer() {
    let Some(bench) = Bench::new() else { return };
    let cores = bench.says("cd /sys/devices/system/cpu; echo cpu[0-9]*; cat cpu0/cpufreq/cpuinfo_max_freq");
    assert_eq!(cores, ("cpu0 cpu1\n1500000".to_owned(), true));
    let memory = bench.says("head -n 1 /proc/meminfo; grep Hardware /proc/cpuinfo; ls /sys").0;
    assert_eq!(memory, "MemTotal:        1937224 kB\nHardware\t: retap\ndevices");
    assert_eq!(bench.says("ls /dev").0, "full\nnull\nrandom\nurandom\nzero");
    assert!(!bench.says("echo 1 > /sys/devices/system/cpu/online").1);
}

#[test]
fn it_gets_a_clean_environment_and_limits() {
    let Some(bench) = Bench::new() else { return };
    let environment = bench.says("env").0;
    let mut names: Vec<&str> = environment.lines().filter_map(|line| line.split('=').next()).collect();
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["HOME", "LANG", "PATH", "TMPDIR", "TZ"]);
    assert_eq!(bench.says("grep CapEff /proc/self/status").0, "CapEff:\t0000000000000000");
    if bench.sandbox.prlimit.is_some() {
        assert_eq!(bench.says("ulimit -n").0, "4096");
        assert!(!bench.says("dd if=/dev/zero of=big bs=1M count=1 seek=1030 2>/dev/null").1, "a large file");
    }
}

#[test]
fn where_there_is_none_it_is_said_what_that_means() {
    let nowhere = tempfile::tempdir().unwrap();
    let environment = JvmEnvironment { path: nowhere.path().into(), ..JvmEnvironment::default() };
    let said = Sandbox::find(&environment).warning().unwrap().to_owned();
    assert_eq!(
        said,
        "bwrap was not found, so the app's code runs with your rights: it can read and change your files and use the \
         network; install it (on Debian: apt install bubblewrap)"
    );
}

#[test]
fn one_that_is_not_permitted_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = tempfile::tempdir().unwrap();
    let bwrap = scratch.path().join("bwrap");
    std::fs::write(&bwrap, "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
        .unwrap();
    std::fs::set_permissions(&bwrap, std::fs::Permissions::from_mode(0o755)).unwrap();
    let environment = JvmEnvironment { path: scratch.path().into(), ..JvmEnvironment::default() };
    let sandbox = Sandbox::find(&environment);
    let said = sandbox.warning().unwrap();
    assert!(
        sandbox.bwrap().is_none() && said.contains("does not work here (bwrap: No permissions"),
        "{said}"
    );
}

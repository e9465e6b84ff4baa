//! The command lines of the Java side.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::run_folder::{ERROR_FILE, RunFolder};
use crate::sandbox::{Confined, Sandbox};
use crate::setup::JavaSide;
use crate::toolchain::Jdk;

/// What every JVM of ours is started with. Time zone and language are those of every run, not of this computer.
const FLAGS: [&str; 15] = [
    "-Xmx1g",
    "-XX:MaxDirectMemorySize=256m",
    "-Xss4m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    // Every reset loads the app's classes again: without room for their code Java throws InternalErrors.
    "-XX:ReservedCodeCacheSize=240m",
    "-XX:-UsePerfData",
    // Class files that were made of an app's code are not always as strict as those of a compiler.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    "-XX:-CreateCoredumpOnCrash",
    "-Xshare:auto",
    "-Dfile.encoding=UTF-8",
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
];
/// What Robolectric does inside of Java's own classes, and where these keep what an app has set.
const OPENED: [&str; 7] = [
    "java.base/java.lang",
    "java.base/java.util",
    "java.base/java.lang.reflect",
    "java.base/java.net",
    "java.base/java.io",
    "java.base/java.security",
    "java.base/jdk.internal.access",
];

/// The JVM in which an app runs.
pub(crate) fn main(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    run: &RunFolder,
    readable: &[&Path],
) -> Command {
    let (data, scratch) = (run.data(), run.scratch());
    let mut args: Vec<OsString> = FLAGS.map(OsString::from).into();
    args.push("--enable-native-access=ALL-UNNAMED".into());
    args.extend(OPENED.iter().map(|name| format!("--add-opens={name}=ALL-UNNAMED").into()));
    args.push("-Drobolectric.offline=true".into());
    args.push(setting("robolectric.dependency.dir", side.android()));
    args.extend(places(sandbox.data(&data), sandbox.scratch(&scratch)));
    args.extend(["-cp".into(), side.class_path(), "retap.host.Main".into()]);
    confine(
        jdk,
        side,
        sandbox,
        args,
        readable,
        Folders { folder: &data, place: sandbox.data(&data), scratch: &scratch },
    )
}

/// The one that makes class files of an app's code.
pub(crate) fn convert(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    apk: &Path,
    out: &Path,
    folder: &Path,
) -> Command {
    let mut args: Vec<OsString> = FLAGS.map(OsString::from).into();
    args.extend(places(folder, sandbox.scratch(folder)));
    args.extend(["-cp".into(), side.class_path(), "retap.host.Convert".into(), apk.into(), out.into()]);
    confine(jdk, side, sandbox, args, &[apk], Folders::of(folder))
}

/// The one that builds the sample.
pub(crate) fn sample(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    sources: &Path,
    out: &Path,
    folder: &Path,
) -> Command {
    let mut args: Vec<OsString> = FLAGS.map(OsString::from).into();
    args.extend(places(folder, sandbox.scratch(folder)));
    args.extend([
        "-cp".into(),
        side.building_path(),
        "retap.sample.Build".into(),
        sources.into(),
        out.into(),
    ]);
    confine(jdk, side, sandbox, args, &[sources], Folders::of(folder))
}

/// The folders of a process: its own, where it finds that, and one for what it needs for a moment.
struct Folders<'a> {
    folder: &'a Path,
    place: &'a Path,
    scratch: &'a Path,
}

impl<'a> Folders<'a> {
    /// One for everything.
    fn of(folder: &'a Path) -> Self {
        Self { folder, place: folder, scratch: folder }
    }
}

fn confine(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    args: Vec<OsString>,
    readable: &[&Path],
    Folders { folder, place, scratch }: Folders<'_>,
) -> Command {
    let target = side.root.join("target");
    let mut all = vec![jdk.home.as_path(), &target];
    all.extend(readable);
    // What Java starts other programs with. Nothing here needs one.
    let hidden = vec![jdk.home.join("lib/jspawnhelper")];
    let phone = side.root.join("phone");
    sandbox.command(&Confined {
        program: &jdk.java,
        args,
        readable: all,
        phone: Some(&phone),
        hidden,
        folder,
        place,
        scratch,
    })
}

/// Where Java is told to put files.
fn places(folder: &Path, scratch: &Path) -> [OsString; 3] {
    let errors = [OsString::from("-XX:ErrorFile="), scratch.join(ERROR_FILE).into()];
    [setting("user.home", folder), setting("java.io.tmpdir", scratch), errors.into_iter().collect()]
}

fn setting(name: &str, path: &Path) -> OsString {
    let mut setting = OsString::from(format!("-D{name}="));
    setting.push(path);
    setting
}

impl JavaSide {
    /// The libraries of the device, and those of the builder of the sample, which is loaded from its own first.
    fn building_path(&self) -> OsString {
        let (own, libraries) = self.jars.split_at(1.min(self.jars.len()));
        std::env::join_paths(own.iter().chain(&self.builder).chain(libraries)).unwrap_or_default()
    }

    /// All libraries of the device, in a fixed order.
    fn class_path(&self) -> OsString {
        // Android may be in a folder of its own, from which only Robolectric loads it.
        let apart =
            |path: &&std::path::PathBuf| path.parent().is_some_and(|place| place.ends_with("framework"));
        std::env::join_paths(self.jars.iter().filter(|path| !apart(path))).unwrap_or_default()
    }

    /// The folder in which Android is.
    fn android(&self) -> &Path {
        let is_it = |path: &&std::path::PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("android-all"))
        };
        self.jars.iter().find(is_it).and_then(|path| path.parent()).unwrap_or(&self.root)
    }
}

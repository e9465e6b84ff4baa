//! Lines of source that a stack names, as paths in a repository. A frame tells the name of a file and a package; where
//! exactly one file that git tracks fits both, that is it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use retap_trace::Crash;

/// The files that git tracks, by their names; or why nothing is known of them.
#[derive(Debug)]
pub(crate) struct SourceFiles(Result<BTreeMap<String, Vec<String>>, String>);

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// The path from the top of the repository, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) line: u32,
}

impl SourceFiles {
    /// The files that git tracks below a folder; without one, in the whole checkout that this program runs in.
    pub(crate) fn tracked_below(folder: Option<&Path>) -> Self {
        let here = folder.unwrap_or(Path::new("."));
        let tracked = if folder.is_some() { "." } else { ":/" };
        let listed = Command::new("git")
            .arg("-C")
            .arg(here)
            .args(["-c", "core.fsmonitor=false", "ls-files", "-z", "--full-name", tracked])
            .output();
        let hint = if folder.is_some() { "" } else { "; name a folder in one with --sources" };
        Self(match listed {
            Err(error) => Err(format!("git cannot be run ({error})")),
            Ok(listed) if !listed.status.success() => {
                Err(format!("{} is in no git checkout that can be read{hint}", here.display()))
            }
            Ok(listed) => Ok(by_name(String::from_utf8_lossy(&listed.stdout).split('\0'))),
        })
    }

    /// Nobody has looked.
    pub(crate) fn unknown() -> Self {
        Self(Err("no source files were looked for".to_owned()))
    }

    /// These files.
    #[cfg(test)]
    pub(crate) fn of(files: &[&str]) -> Self {
        Self(Ok(by_name(files.iter().copied())))
    }

    /// The line that a frame names, or why it is not known.
    pub(crate) fn line_of(&self, frame: &str) -> Result<SourceLine, String> {
        let Some(Named { package, file, line }) = named(frame) else {
            return Err("the frame names no line of a source file".to_owned());
        };
        let files = self.0.as_ref().map_err(Clone::clone)?;
        let called = files.get(file).map_or(&[][..], Vec::as_slice);
        let fits = |path: &&String| {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let above = folder.strip_suffix(package.as_str());
            above.is_some_and(|above| above.is_empty() || above.ends_with('/') || package.is_empty())
        };
        let fitting: Vec<&String> = called.iter().filter(fits).collect();
        match (&fitting[..], called.len()) {
            ([path], _) => Ok(SourceLine { path: (*path).clone(), line }),
            ([], 0) => Err(format!("git tracks no file {file}")),
            ([], _) => Err(format!("git tracks no file {file} in a folder {package}")),
            (several, _) => Err(format!("git tracks {} files {package}/{file}", several.len())),
        }
    }

    /// The line of a crash: that of the frame it is named after, else of the innermost frame with one.
    pub(crate) fn line_of_crash(&self, crash: &Crash) -> Result<SourceLine, String> {
        let Some(site) = crash.site() else { return Err("the crash has no stack".to_owned()) };
        let line = self.line_of(&site.0);
        line.or_else(|why| crash.frames.iter().find_map(|frame| self.line_of(&frame.0).ok()).ok_or(why))
    }
}

fn by_name<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeMap<String, Vec<String>> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths.filter(|path| !path.is_empty()) {
        let name = path.rsplit('/').next().unwrap_or(path);
        files.entry(name.to_owned()).or_default().push(path.to_owned());
    }
    files
}

/// What a frame names.
struct Named<'a> {
    /// The package as a folder.
    package: String,
    file: &'a str,
    line: u32,
}

/// Reads `com.example.Main.onClick(Main.java:41)`.
fn named(frame: &str) -> Option<Named<'_>> {
    let (method, source) = frame.trim().strip_suffix(')')?.rsplit_once('(')?;
    let (file, line) = source.split_once(':')?;
    let line = line.parse().ok().filter(|line| *line > 0)?;
    if file.is_empty() || file.contains(['/', '\\', ':']) {
        return None;
    }
    // Java 9 and later put the module in front: `java.base/java.lang.Thread.run`.
    let method = method.rsplit('/').next()?;
    let class = method.rsplit_once('.')?.0;
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    Some(Named { package: package.replace('.', "/"), file, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &str = "com.example.notes.EditorActivity$1.onClick(EditorActivity.java:88)";

    fn said(files: &[&str], frame: &str) -> String {
        match SourceFiles::of(files).line_of(frame) {
            Ok(SourceLine { path, line }) => format!("{path}:{line}"),
            Err(why) => why,
        }
    }

    #[test]
    fn the_one_file_that_fits_is_taken() {
        let right = "app/src/main/java/com/example/notes/EditorActivity.java";
        assert_eq!(said(&[right, "README.md"], FRAME), format!("{right}:88"));
        assert_eq!(said(&[right, "old/com/example/EditorActivity.java"], FRAME), format!("{right}:88"));
        assert_eq!(
            said(&["com/example/notes/EditorActivity.java"], FRAME),
            "com/example/notes/EditorActivity.java:88"
        );
        assert_eq!(said(&["src/Main.kt"], "MainKt.main(Main.kt:3)"), "src/Main.kt:3");
    }

    #[test]
    fn anything_else_is_left_out_with_a_reason() {
        assert_eq!(said(&["README.md"], FRAME), "git tracks no file EditorActivity.java");
        let other = ["xcom/example/notes/EditorActivity.java", "EditorActivity.java"];
        let no_folder = "git tracks no file EditorActivity.java in a folder com/example/notes";
        assert_eq!(said(&other, FRAME), no_folder);
        let twice = ["a/com/example/notes/EditorActivity.java", "b/com/example/notes/EditorActivity.java"];
        assert_eq!(said(&twice, FRAME), "git tracks 2 files com/example/notes/EditorActivity.java");
        let no_line = "the frame names no line of a source file";
        for frame in [
            "",
            ")",
            "android.os.Handler.post(Native Method)",
            "a.B.c(Unknown Source)",
            "a.B.c(B.java:0)",
            "a.B.c(B.java:99999999999)",
            "c(B.java:1)",
            "a.B.c(../../B.java:1)",
            "save (https://example.com/app.js:10:5)",
            "#00 pc 0001 /system/lib/libc.so (abort+12)",
        ] {
            assert_eq!(said(&["B.java", "app.js"], frame), no_line, "{frame}");
        }
        assert_eq!(SourceFiles::unknown().line_of(FRAME), Err("no source files were looked for".to_owned()));
    }
}

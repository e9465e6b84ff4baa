//! Frames of native code: `pc 0001a2b3  /data/app/com.example-1/lib/arm/libfoo.so (parse+12)`.

use super::java_frame::without_run;
use super::site::{Owner, Site, is_of_app, plain};

pub(super) fn site(frame: &str, package: &str) -> Site {
    let Parts { pc, mapping, symbol } = parts(frame);
    let library = library(mapping);
    let function = symbol
        .and_then(|symbol| symbol.rsplit_once('+'))
        .map_or(symbol.unwrap_or_default(), |(name, _)| name);
    let bare = function.split('(').next().unwrap_or_default();
    let (stable, name) = match symbol {
        // The same Java method runs interpreted, compiled ahead or compiled just now, as it happens.
        Some(_) if is_java(mapping) => (function.to_owned(), java_name(bare)),
        Some(symbol) => (format!("{library} ({symbol})"), plain(&format!("{library}.{bare}"))),
        // A place in a file is the same in each run; a place in memory is not.
        None if is_file(mapping) => (format!("{library}+{pc}"), plain(&library)),
        None => (library.clone(), plain(&library)),
    };
    let words = match symbol {
        Some(symbol) => format!("{bare} ({library} {symbol})"),
        None if pc.is_empty() => library,
        None => format!("{library} (pc {pc})"),
    };
    Site { stable, name, words, owner: owner(mapping, bare, package) }
}

struct Parts<'f> {
    pc: &'f str,
    mapping: &'f str,
    symbol: Option<&'f str>,
}

fn parts(frame: &str) -> Parts<'_> {
    let frame = frame.trim();
    let numbered =
        frame.strip_prefix('#').map(|rest| rest.trim_start_matches(|char: char| char.is_ascii_digit()));
    let frame = numbered.unwrap_or(frame).trim_start();
    let (pc, rest) = match frame.strip_prefix("pc ").map(str::trim_start) {
        Some(rest) => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        None => ("", frame),
    };
    let rest = rest.trim_start();
    // An app of the simulator may write `libfoo.so ns::parse+12`. Frames without `::` stay whole: traces have signatures
    // that were made so.
    if let ("", Some((mapping, symbol))) = (pc, rest.split_once(' '))
        && !symbol.trim_start().starts_with('(')
        && symbol.contains("::")
    {
        return Parts { pc, mapping, symbol: Some(symbol.trim()) };
    }
    let end = rest.find(" (").unwrap_or(rest.len());
    let (mapping, notes) = rest.split_at(end);
    Parts { pc, mapping: mapping.trim_end(), symbol: symbol(notes) }
}

/// The note in brackets that is a symbol: `(deleted)`, `(offset 0x1000)` and `(BuildId: ..)` are not.
fn symbol(mut notes: &str) -> Option<&str> {
    while let Some(start) = notes.find('(') {
        let note = &notes[start + 1..];
        let end = closing(note);
        let inside = note[..end].trim();
        let other =
            ["BuildId", "offset ", "load base", "deleted"].iter().any(|word| inside.starts_with(word));
        if !inside.is_empty() && !other {
            return Some(inside);
        }
        notes = note.get(end + 1..)?;
    }
    None
}

/// Where the bracket closes; C++ names have brackets of their own.
fn closing(note: &str) -> usize {
    let mut open = 1;
    for (at, byte) in note.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at;
        }
    }
    note.len()
}

/// The file name of a library: `libfoo.so` for `/data/app/~~x==/com.example-y==/base.apk!libfoo.so`.
fn library(mapping: &str) -> String {
    if !is_file(mapping) {
        // What stands behind the colons of a name in C++ is no address.
        if mapping.contains("::") {
            return mapping.to_owned();
        }
        return without_run(":", mapping, |char| char.is_ascii_hexdigit());
    }
    mapping.rsplit(['/', '!']).next().unwrap_or_default().to_owned()
}

fn is_file(mapping: &str) -> bool {
    mapping.starts_with('/') && !mapping.starts_with("/memfd:") && !mapping.starts_with("/dev/")
}

fn is_java(mapping: &str) -> bool {
    let compiled = [".odex", ".oat", ".vdex", ".dex", ".jar", ".apk", ".art"];
    compiled.iter().any(|end| mapping.ends_with(end))
        || mapping.contains("dalvik-")
        || mapping.contains("jit-cache")
}

fn java_name(function: &str) -> String {
    let (class, name) = function.rsplit_once('.').unwrap_or(("", function));
    plain(&format!("{}.{name}", class.rsplit('.').next().unwrap_or_default()))
}

fn owner(mapping: &str, function: &str, package: &str) -> Owner {
    const SYSTEM: [&str; 9] =
        ["/system", "/apex/", "/vendor/", "/product/", "/odm/", "/dev/", "/memfd:", "[", "<"];
    let folder = mapping
        .match_indices(package)
        .any(|(at, _)| mapping[..at].ends_with('/') && mapping[at + package.len()..].starts_with(['-', '/']));
    if (!package.is_empty() && folder) || is_of_app(function, package) {
        Owner::App
    } else if SYSTEM.iter().any(|front| mapping.starts_with(front)) {
        Owner::Framework
    } else {
        Owner::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOO: &str = "#01 pc 0001a2b3  /data/app/~~Qk==/com.example-Zz==/lib/arm64/libfoo.so (parse(char const*)+12) (BuildId: ab12)";

    #[test]
    fn a_frame_has_a_library_and_a_function() {
        let site = site(FOO, "com.example");
        assert_eq!((site.name.as_str(), site.owner), ("libfoo.so.parse", Owner::App));
        assert_eq!(site.stable, "libfoo.so (parse(char const*)+12)");
        assert_eq!(site.words, "parse (libfoo.so parse(char const*)+12)");
    }

    /// As `docs/simulator.md` has them, and as the same app's tombstone has them.
    #[test]
    fn a_frame_of_a_simulated_app_keeps_its_function() {
        let stable = |frame: &str| site(frame, "com.example").stable;
        assert_ne!(stable("libx.so ns::face+24"), stable("libx.so ns::dead+24"));
        assert_ne!(stable("ns::face"), stable("ns::dead"));
        let taught = site("libx.so ren::error::der(char const*)+24", "com.example");
        assert_eq!(taught.name, "libx.so.ren.error.der");
        assert_eq!(taught, site("pc 00000000  libx.so (ren::error::der(char const*)+24)", "com.example"));
    }

    /// Signatures that are kept in traces are made of them.
    #[test]
    fn other_frames_stay_as_they_are() {
        for (frame, stable, name) in [
            ("pc 01  <anonymous:7f8a9b00>", "<anonymous:>", "anonymous"),
            ("pc 01  [anon:dead] (a::face+2)", "[anon:] (a::face+2)", "anon.a.face"),
            ("pc 01  /memfd:cafe (deleted)", "/memfd:", "memfd"),
            ("pc 01  libx.so (???)", "libx.so (???)", "libx.so"),
            ("pc 01  anon_inode:dmabuf", "anon_inode:mabuf", "anon_inode.mabuf"),
            ("libx.so (parse+12)", "libx.so (parse+12)", "libx.so.parse"),
            ("libx.so parse+12", "libx.so parse+12", "libx.soparse12"),
        ] {
            let site = site(frame, "");
            assert_eq!((site.stable.as_str(), site.name.as_str()), (stable, name), "{frame}");
        }
    }

    #[test]
    fn folders_and_addresses_do_not_count() {
        let other = "pc 7001a2b3  /data/app/com.example-1/lib/arm64/libfoo.so (parse(char const*)+12)";
        assert_eq!(site(FOO, "com.example").stable, site(other, "com.example").stable);
        let jit = |address| site(&format!("#02 pc {address}  <anonymous:{address}>"), "").stable;
        assert_eq!(jit("00007f8a9b00"), jit("00007f8a9c00"));
    }

    #[test]
    fn a_place_in_a_library_without_symbols_counts() {
        let place =
            |pc: &str| site(&format!("pc {pc}  /data/app/com.example-1/lib/libfoo.so"), "com.example");
        assert_ne!(place("0001a2b3").stable, place("0001a2b4").stable);
        assert_eq!(place("0001a2b3").name, "libfoo.so");
    }

    #[test]
    fn java_is_java_however_it_is_run() {
        let odex = "pc 0012  /data/app/com.example-1/oat/arm64/base.odex (com.example.Main.run+100)";
        let jit = "pc 0099  /memfd:jit-cache (deleted) (com.example.Main.run+12)";
        assert_eq!(site(odex, "com.example").stable, site(jit, "com.example").stable);
        assert_eq!(site(jit, "com.example").owner, Owner::App);
        assert_eq!(site(jit, "com.example").name, "Main.run");
    }

    #[test]
    fn the_system_is_known_by_its_folders() {
        assert_eq!(
            site("pc 01  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164)", "com.example").owner,
            Owner::Framework
        );
        assert_eq!(site("pc 01  /data/local/tmp/libbar.so", "com.example").owner, Owner::Other);
    }
}

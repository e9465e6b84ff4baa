//! What a frame tells a signature: whose code it is, what of it stays the same from run to run, and its name for
//! people.

use super::{CrashKind, Frame, java_frame, javascript_frame, native_frame};

/// A frame, looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    /// The frame without what varies between two runs of one build: numbers that the machine gives to classes it
    /// makes up, addresses, hosts.
    pub(super) stable: String,
    /// The short name: `EditorActivity.addTag`. Letters, digits, `.`, `_` and `-` only.
    pub(super) name: String,
    /// The place for people: `EditorActivity.addTag (EditorActivity.java:88)`.
    pub(super) words: String,
    pub(super) owner: Owner,
}

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// The app under test.
    App,
    /// Nobody that is known: a library, perhaps.
    Other,
    /// The system, the language and what everybody builds upon.
    Framework,
}

impl Site {
    pub(super) fn of(kind: CrashKind, frame: &Frame, package: &str) -> Self {
        match kind {
            CrashKind::Java | CrashKind::Anr => java_frame::site(&frame.0, package),
            CrashKind::Native => native_frame::site(&frame.0, package),
            CrashKind::JavaScript => javascript_frame::site(&frame.0),
        }
    }
}

/// A name of letters, digits, `.`, `_` and `-`, as signatures have them: `Main$1.<init>` becomes `Main.1.init`.
pub(super) fn plain(name: &str) -> String {
    const LONGEST: usize = 120;
    let parts = name.split(['.', '$', ':', '/', '#', '@']).map(|part| {
        part.chars().filter(|char| char.is_alphanumeric() || matches!(char, '_' | '-')).collect::<String>()
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(".").chars().take(LONGEST).collect()
}

/// Whether Java code of this name is the app's. Debug builds often have another package name than their code:
/// `com.example.debug` is made of classes of `com.example`.
pub(super) fn is_of_app(name: &str, package: &str) -> bool {
    const BUILDS: [&str; 12] = [
        "debug", "dev", "beta", "alpha", "staging", "nightly", "internal", "qa", "test", "demo", "free",
        "pro",
    ];
    let mut package = package.split(':').next().unwrap_or_default();
    loop {
        if package.is_empty() {
            return false;
        }
        if name.strip_prefix(package).is_some_and(|rest| rest.starts_with('.')) {
            return true;
        }
        match package.rsplit_once('.') {
            Some((front, last)) if front.contains('.') && BUILDS.contains(&last) => package = front,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("GameActivity$3.onClick"), "GameActivity.3.onClick");
        assert_eq!(plain("Foo.<init>"), "Foo.init");
        assert_eq!(plain("-$$Lambda$Main$x y"), "-.Lambda.Main.xy");
        assert_eq!(plain("a::b::c"), "a.b.c");
        assert_eq!(plain(&"x".repeat(500)).len(), 120);
    }

    #[test]
    fn an_app_owns_the_classes_below_its_package() {
        assert!(is_of_app("com.example.ui.Main", "com.example"));
        assert!(is_of_app("com.example.Main", "com.example:remote"));
        assert!(is_of_app("com.example.Main", "com.example.debug"));
        assert!(!is_of_app("com.examples.Main", "com.example"));
        assert!(!is_of_app("com.other.Main", "com.debug"));
        assert!(!is_of_app("com.example.Main", ""));
    }
}

//! Frames of Java and Kotlin: `com.example.Main.onClick(Main.java:41)`.

use super::site::{Owner, Site, is_of_app, plain};

/// The beginnings of class names that belong to the system, to the languages, or to what everybody builds upon.
const FRAMEWORKS: [&str; 22] = [
    "android.",
    "androidx.",
    "art.",
    "com.android.",
    "com.google.android.",
    "com.sun.",
    "dalvik.",
    "j$.",
    "java.",
    "javax.",
    "jdk.",
    "kotlin.",
    "kotlinx.",
    "libcore.",
    "org.apache.harmony.",
    "org.apache.http.",
    "org.chromium.",
    "org.json.",
    "org.w3c.",
    "org.xml.",
    "org.xmlpull.",
    "sun.",
];

pub(super) fn site(frame: &str, package: &str) -> Site {
    let frame = frame.trim();
    let (method, source) = match frame.split_once('(') {
        Some((method, source)) => (method, source.split(')').next().unwrap_or_default()),
        None => (frame, ""),
    };
    let method = without_machine_numbers(method.trim());
    // Java 9 and later put the module in front: `java.base/java.lang.Thread.run`.
    let method = method.rsplit('/').next().unwrap_or_default();
    let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
    let class = class.rsplit('.').next().unwrap_or_default();
    let short = if class.is_empty() { name.to_owned() } else { format!("{class}.{name}") };
    Site {
        stable: format!("{method}({source})"),
        name: plain(&short),
        words: if source.is_empty() { short } else { format!("{short} ({source})") },
        owner: owner(method, package),
    }
}

fn owner(method: &str, package: &str) -> Owner {
    if is_of_app(method, package) {
        Owner::App
    } else if FRAMEWORKS.iter().any(|framework| method.starts_with(framework)) || method.starts_with("$Proxy")
    {
        Owner::Framework
    } else {
        Owner::Other
    }
}

/// The numbers that a virtual machine gives to the classes it makes up depend on what ran before.
fn without_machine_numbers(method: &str) -> String {
    let digit = |char: char| char.is_ascii_digit();
    let plain = without_run("/0x", method, |char| char.is_ascii_hexdigit()).replace("/0x", "");
    let plain = without_run("$$Lambda$", &plain, |char| char.is_ascii_digit() || char == '/');
    ["$Proxy", "GeneratedMethodAccessor", "ConstructorAccessor", "LambdaForm$MH", "LambdaForm$DMH"]
        .iter()
        .fold(plain, |plain, mark| without_run(mark, &plain, digit))
}

/// The text without the run of characters after each `mark`.
pub(super) fn without_run(mark: &str, text: &str, run: impl Fn(char) -> bool) -> String {
    let mut pieces = text.split(mark);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + mark + piece.trim_start_matches(&run))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stable(frame: &str) -> String {
        site(frame, "com.example").stable
    }

    #[test]
    fn a_frame_has_a_name_and_a_place() {
        let site = site("com.example.ui.EditorActivity.addTag(EditorActivity.java:88)", "com.example");
        assert_eq!(site.name, "EditorActivity.addTag");
        assert_eq!(site.words, "EditorActivity.addTag (EditorActivity.java:88)");
        assert_eq!(site.owner, Owner::App);
    }

    #[test]
    fn numbers_of_the_machine_do_not_count() {
        let same = [
            [
                "a.B$$Lambda$12/0x0000000800c03000.run(Unknown Source)",
                "a.B$$Lambda$7/0x00000008012ab000.run(Unknown Source)",
            ],
            ["a.B$$Lambda$14/1234567.run(Unknown Source)", "a.B$$Lambda$15/89.run(Unknown Source)"],
            ["a.B$$Lambda/0x0000000800c03000.run(B.java)", "a.B$$Lambda/0x00001.run(B.java)"],
            ["$Proxy7.call(Unknown Source)", "$Proxy12.call(Unknown Source)"],
            ["com.sun.proxy.$Proxy7.call(Unknown Source)", "com.sun.proxy.$Proxy8.call(Unknown Source)"],
            [
                "sun.reflect.GeneratedMethodAccessor12.invoke(Unknown Source)",
                "sun.reflect.GeneratedMethodAccessor3.invoke(Unknown Source)",
            ],
        ];
        for [one, other] in same {
            assert_eq!(stable(one), stable(other));
        }
    }

    #[test]
    fn numbers_of_the_build_do_count() {
        assert_ne!(stable("a.B.c(B.java:1)"), stable("a.B.c(B.java:2)"));
        assert_ne!(stable("a.B$1.c(B.java:1)"), stable("a.B$2.c(B.java:1)"));
        assert_ne!(stable("a.-$$Lambda$B$abc.run(B.java)"), stable("a.-$$Lambda$B$abd.run(B.java)"));
    }

    #[test]
    fn modules_are_not_part_of_the_class() {
        assert_eq!(
            stable("java.base/java.lang.Thread.run(Thread.java:829)"),
            "java.lang.Thread.run(Thread.java:829)"
        );
        assert_eq!(site("java.base/java.lang.Thread.run(Thread.java:829)", "").owner, Owner::Framework);
    }
}

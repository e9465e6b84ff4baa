//! `pm list packages`, `pm list permissions` and `dumpsys package NAME`.

use std::collections::BTreeSet;

/// What is known of an installed app.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageInfo {
    /// Its version for machines.
    pub version_code: Option<u64>,
    /// Its version for people.
    pub version_name: Option<String>,
    /// The Android version it is made for.
    pub target_sdk: Option<u32>,
    /// Whether it is a debug build: only such an app lets the shell read its files.
    pub debuggable: bool,
    /// The permissions that it asks for.
    pub requested: Vec<String>,
    /// Those of them that users are asked for, and whether they were granted.
    pub runtime: Vec<(String, bool)>,
    /// The activity that a launcher starts, with its full name.
    pub main_activity: Option<String>,
    /// What others may be able to start.
    pub components: PackageComponents,
}

/// The parts of an app that have an intent filter, as `am` takes them: `com.example/.Share`. Not all of them let
/// themselves be started by the shell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageComponents {
    /// Activities, without the one that a launcher starts.
    pub activities: Vec<String>,
    pub services: Vec<String>,
    pub receivers: Vec<String>,
}

/// No app asks for as many permissions, no phone has as many apps.
const MOST: usize = 10_000;

/// The names that `pm list packages` prints, with or without `-f` and version codes.
pub fn packages(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.trim().strip_prefix("package:")?.split_whitespace().next()?;
        // With `-f` the file stands in front; it may hold an `=` of its own.
        let name = if rest.starts_with('/') { rest.rsplit_once('=')?.1 } else { rest };
        (!name.is_empty()).then(|| name.to_owned())
    };
    text.lines().filter_map(name).take(MOST).collect()
}

/// Whether an app is among those that `pm list packages NAME` prints. The name there is only a part of names.
pub fn has_package(text: &str, package: &str) -> bool {
    packages(text).iter().any(|name| name == package)
}

/// Reads what `dumpsys package NAME` prints of this app. None when the app is not installed.
pub fn package_info(text: &str, package: &str) -> Option<PackageInfo> {
    let section = section(text, package)?;
    let word = |name: &str| section.split_whitespace().find_map(|word| word.strip_prefix(name));
    let version_name = section.lines().find_map(|line| line.trim().strip_prefix("versionName="));
    let flags = section
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("flags=[") || line.starts_with("pkgFlags=["));
    let main_activity = main_activity(text, package);
    Some(PackageInfo {
        version_code: word("versionCode=").and_then(|code| code.parse().ok()),
        version_name: version_name.filter(|name| *name != "null").map(str::to_owned),
        target_sdk: word("targetSdk=").and_then(|sdk| sdk.parse().ok()),
        debuggable: flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "DEBUGGABLE")),
        requested: requested(section),
        runtime: runtime(section),
        components: components(text, package, main_activity.as_deref()),
        main_activity,
    })
}

/// Whatever stands in the tables of filters, once, in the order of its names.
fn components(text: &str, package: &str, main: Option<&str>) -> PackageComponents {
    let of = |kind: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| *line != format!("{kind} Resolver Table:")).skip(1);
        let table = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
        let listed = table.filter_map(|line| component(line, package));
        let other = listed.filter(|component| main.is_none_or(|main| full_name(component) != main));
        let names: BTreeSet<&str> = other.take(MOST).collect();
        names.into_iter().map(str::to_owned).collect()
    };
    PackageComponents { activities: of("Activity"), services: of("Service"), receivers: of("Receiver") }
}

/// `2ed55cc com.example/.Main filter d44378d`
fn component<'t>(line: &'t str, package: &str) -> Option<&'t str> {
    let name = line.split_whitespace().nth(1)?;
    let rest = name.strip_prefix(package)?.strip_prefix('/')?;
    (!rest.is_empty()).then_some(name)
}

/// The class that a component is.
fn full_name(component: &str) -> String {
    match component.split_once('/') {
        Some((package, name)) if name.starts_with('.') => format!("{package}{name}"),
        Some((_, name)) => name.to_owned(),
        None => component.to_owned(),
    }
}

/// The part that tells of the app as it is installed: `Package [NAME] (hash):` and what is indented below. An app of
/// the system that was updated stands there a second time, as it was.
fn section<'t>(text: &'t str, package: &str) -> Option<&'t str> {
    let head = format!("Package [{package}]");
    let mut at = 0;
    let mut begun: Option<(usize, usize)> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        match begun {
            None if line.trim_start().starts_with(&head) => begun = Some((at, indent)),
            Some((start, least)) if indent <= least && !line.trim().is_empty() => {
                return Some(&text[start..at]);
            }
            _ => {}
        }
        at += line.len();
    }
    begun.map(|(start, _)| &text[start..])
}

/// The lines below `requested permissions:`.
fn requested(section: &str) -> Vec<String> {
    let below = section.lines().skip_while(|line| line.trim() != "requested permissions:").skip(1);
    let names =
        below.map(str::trim).take_while(|line| is_permission(line.split(':').next().unwrap_or_default()));
    names.map(|line| line.split(':').next().unwrap_or_default().to_owned()).take(MOST).collect()
}

/// The lines below `runtime permissions:` of the first user; in Android 5 there are none.
fn runtime(section: &str) -> Vec<(String, bool)> {
    let below = section.lines().skip_while(|line| line.trim() != "runtime permissions:").skip(1);
    let told = below.map(str::trim).map_while(|line| {
        let (name, rest) = line.split_once(": ")?;
        is_permission(name).then(|| (name.to_owned(), rest.starts_with("granted=true")))
    });
    told.take(MOST).collect()
}

fn is_permission(name: &str) -> bool {
    name.contains('.') && !name.contains(|char: char| char.is_whitespace() || "=[]{}".contains(char))
}

/// The activity whose filter has the action MAIN and the category LAUNCHER; where filters are not told in full, the
/// first with the action.
fn main_activity(text: &str, package: &str) -> Option<String> {
    let table = text.split_once("Activity Resolver Table:")?.1;
    let table = table.split("Resolver Table:").next().unwrap_or_default();
    let main = table.split_once("android.intent.action.MAIN:")?.1;
    let mut first = None;
    let mut current = None;
    for line in main.lines().skip(1) {
        let line = line.trim();
        if line.is_empty() || (line.ends_with(':') && !line.contains('"')) {
            break;
        }
        if let Some(name) = component(line, package).map(full_name) {
            first = first.or_else(|| Some(name.clone()));
            current = Some(name);
        } else if line.starts_with("Category:") && line.contains("\"android.intent.category.LAUNCHER\"") {
            return current;
        }
    }
    first
}

/// Reads the permissions that users are asked for from `pm list permissions -d -g`.
pub fn dangerous_permissions(text: &str) -> Vec<String> {
    const MOST: usize = 10_000;
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("permission:"));
    names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n        \
        1a2b com.example/.Widget filter 9c\n          Action: \"android.intent.action.MAIN\"\n        \
        2c3d com.example/.ui.Start filter 8d\n          Action: \"android.intent.action.MAIN\"\n          \
        Category: \"android.intent.category.LAUNCHER\"\n\nPackages:\n  Package [com.example] (1a):\n    userId=10101\n    \
        versionCode=42 minSdk=21 targetSdk=33\n    versionName=1.2 beta\n    flags=[ DEBUGGABLE HAS_CODE ]\n    \
        requested permissions:\n      android.permission.CAMERA\n      android.permission.INTERNET: restricted=true\n    \
        install permissions:\n      android.permission.INTERNET: granted=true\n    User 0: installed=true\n      \
        runtime permissions:\n        android.permission.CAMERA: granted=false, flags=[ USER_SENSITIVE ]\n\nHidden system \
        packages:\n  Package [com.example] (2b):\n    versionCode=7\n";

    #[test]
    fn names_stand_below_their_groups() {
        let text = "Dangerous Permissions:\n\ngroup:android.permission-group.CAMERA\n  permission:android.permission.CAMERA\n\n\
                    ungrouped:\n  permission:com.x.Y\n  permission:\n";
        assert_eq!(dangerous_permissions(text), ["android.permission.CAMERA", "com.x.Y"]);
    }

    #[test]
    fn an_app_is_read_as_it_is_installed() {
        let info = package_info(DUMP, "com.example").unwrap();
        assert_eq!((info.version_code, info.version_name.as_deref()), (Some(42), Some("1.2 beta")));
        assert_eq!((info.target_sdk, info.debuggable), (Some(33), true));
        assert_eq!(info.requested, ["android.permission.CAMERA", "android.permission.INTERNET"]);
        assert_eq!(info.runtime, [("android.permission.CAMERA".to_owned(), false)]);
        assert_eq!(info.main_activity.as_deref(), Some("com.example.ui.Start"));
        assert_eq!(info.components.activities, ["com.example/.Widget"]);
        assert_eq!(package_info(DUMP, "com.exam"), None);
        assert_eq!(package_info("Unable to find package: com.example", "com.example"), None);
    }

    #[test]
    fn a_name_must_be_the_whole_name() {
        let text = "package:com.example.debug\npackage:/data/app/~~x==/com.example-y==/base.apk=com.example\n\
                    package:com.other versionCode:3\nnoise\n";
        assert_eq!(packages(text), ["com.example.debug", "com.example", "com.other"]);
        assert!(has_package(text, "com.example"));
        assert!(!has_package("package:com.example.debug", "com.example"));
        assert!(!has_package(
            "Error: Could not access the Package Manager.  Is the system running?",
            "com.example"
        ));
    }
}

//! Which activity is in front, from `dumpsys activity activities` or `dumpsys window`.
//!
//! Every version of Android words it differently: `mFocusedActivity` (up to 7), `mResumedActivity` (5 to 12),
//! `ResumedActivity` (10 to 12), `topResumedActivity` (11 and later), and in the window manager `mFocusedApp` and
//! `mCurrentFocus` in all of them.

use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Foreground {
    /// The package of the activity.
    pub package: Arc<str>,
    /// The activity with its full name.
    pub activity: Arc<str>,
    /// The title of the window that has the focus, where it is not an activity's: a shade, a popup, a dialog.
    pub window: Option<String>,
}

/// A dialog of the system over an app that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemDialog {
    /// "isn't responding".
    NotResponding { package: String },
    /// "has stopped".
    Stopped { package: String },
}

/// The words for the activity in front, the most definite first.
const ACTIVITY_WORDS: [&str; 5] =
    ["topResumedActivity", "ResumedActivity", "mResumedActivity", "mFocusedActivity", "mFocusedApp"];

/// The windows with which the system covers all apps: the shade, the lock screen, the menu of the power key.
const COVERS: [&str; 6] =
    ["StatusBar", "NotificationShade", "Keyguard", "Bouncer", "ActionsDialog", "GlobalActions"];

/// Reads what is in front. None when the text does not tell.
pub fn foreground(text: &str) -> Option<Foreground> {
    let focus = value_of(text, "mCurrentFocus").next();
    let activity = ACTIVITY_WORDS.iter().find_map(|word| value_of(text, word).find_map(component));
    let window = focus.and_then(title);
    match activity.or_else(|| focus.and_then(component)) {
        Some((package, activity)) => {
            let window = window.filter(|title| !title.contains('/'));
            Some(Foreground { package: package.into(), activity: activity.into(), window })
        }
        // A system dialog may have the focus when no activity is resumed.
        None => window.map(|title| Foreground { window: Some(title), ..Foreground::default() }),
    }
}

impl Foreground {
    /// The system's dialog in front, if there is one.
    pub fn dialog(&self) -> Option<SystemDialog> {
        let title = self.window.as_deref()?;
        let (what, package) = title.split_once(": ")?;
        let package = package.trim().to_owned();
        match what.trim() {
            "Application Not Responding" => Some(SystemDialog::NotResponding { package }),
            "Application Error" => Some(SystemDialog::Stopped { package }),
            _ => None,
        }
    }

    /// The window with which the system covers all apps, if there is one: what is touched now is not the app.
    pub fn cover(&self) -> Option<&str> {
        self.window.as_deref().filter(|title| COVERS.contains(title))
    }
}

/// What stands behind `word=` or `word:` at the beginning of lines, if it is not `null`.
fn value_of<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| {
        let rest = line.trim_start().strip_prefix(word)?;
        let value = rest.trim_start().strip_prefix(['=', ':'])?.trim();
        (!value.is_empty() && !value.starts_with("null")).then_some(value)
    })
}

/// `ActivityRecord{1a2b u0 com.example/.Main t12}`: the package and the full name.
fn component(record: &str) -> Option<(String, String)> {
    let words = record.split(|char: char| char.is_whitespace() || "{}()".contains(char));
    words.filter_map(|word| word.split_once('/')).find_map(|(package, class)| {
        let class = class.trim_end_matches([',', ';']);
        if !is_name(package) || !is_name(class.trim_start_matches('.')) {
            return None;
        }
        let full = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
        Some((package.to_owned(), full))
    })
}

fn is_name(name: &str) -> bool {
    let letter = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '.' | '-');
    !name.is_empty()
        && name.starts_with(|char: char| char.is_alphabetic() || char == '_')
        && name.chars().all(letter)
}

/// `Window{1a2b u0 Application Not Responding: com.example}`: what stands behind the user.
fn title(window: &str) -> Option<String> {
    let inside = window.split_once("Window{")?.1;
    let inside = inside.split('}').next().unwrap_or_default();
    let mut words = inside.splitn(2, ' ');
    words.next()?;
    let mut rest = words.next()?.trim_start();
    // `u0` is the user; some vendors put the display behind it, and old versions `paused=false` at the end.
    for mark in ['u', 'd'] {
        if let Some((word, after)) = rest.split_once(' ')
            && word.strip_prefix(mark).is_some_and(|number| number.parse::<u32>().is_ok())
        {
            rest = after.trim_start();
        }
    }
    let rest = rest.split(" paused=").next().unwrap_or_default().trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, String) {
        let found = foreground(text).unwrap_or_default();
        (found.package.to_string(), found.activity.to_string())
    }

    #[test]
    fn every_version_has_its_word() {
        let wanted = ("com.example".to_owned(), "com.example.Main".to_owned());
        for text in [
            "  mFocusedActivity: ActivityRecord{a1 u0 com.example/.Main t12}",
            "    mResumedActivity: ActivityRecord{a1 u0 com.example/.Main t12}",
            "  ResumedActivity: ActivityRecord{a1 u0 com.example/.Main t12}",
            "    topResumedActivity=ActivityRecord{a1 u0 com.example/.Main t12}",
            "  topResumedActivity=ActivityRecord{a1 u0 com.example/.Main t12 d0}",
            "  mFocusedApp=AppWindowToken{b2 token=Token{c3 ActivityRecord{a1 u0 com.example/.Main t12}}}",
            "  mFocusedApp=ActivityRecord{a1 u0 com.example/.Main t12}",
            "  mCurrentFocus=Window{d4 u0 com.example/com.example.Main}",
            "  mCurrentFocus=Window{d4 u0 d0 com.example/com.example.Main}",
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_was_in_front_before_does_not_count() {
        let text = "  mLastPausedActivity: ActivityRecord{a1 u0 com.old/.Old t1}\n  mResumedActivity: null\n  \
                    mLastFocusedApp=ActivityRecord{a1 u0 com.old/.Old t1}\n  mFocusedApp=null\n";
        assert_eq!(foreground(text), None);
    }

    #[test]
    fn the_most_definite_word_wins() {
        let text = "  mResumedActivity: ActivityRecord{a1 u0 com.pip/.Pip t1}\n  topResumedActivity=ActivityRecord{a1 \
                    u0 com.top/.Top t1}\n  mCurrentFocus=Window{d4 u0 StatusBar}\n";
        assert_eq!(read(text), ("com.top".to_owned(), "com.top.Top".to_owned()));
        assert_eq!(foreground(text).unwrap().window.as_deref(), Some("StatusBar"));
    }

    #[test]
    fn the_shade_and_the_lock_cover_apps_and_popups_do_not() {
        let focus = |title: &str| {
            let text = format!(
                "mCurrentFocus=Window{{d4 u0 {title}}}\nmFocusedApp=ActivityRecord{{a1 u0 a.b/.C t1}}"
            );
            foreground(&text).unwrap().cover().map(str::to_owned)
        };
        for title in ["StatusBar", "NotificationShade", "Keyguard"] {
            assert_eq!(focus(title).as_deref(), Some(title));
        }
        for title in ["PopupWindow:1a", "a.b/a.b.C", "Toast", "Application Error: a.b"] {
            assert_eq!(focus(title), None, "{title}");
        }
    }

    #[test]
    fn dialogs_of_the_system_are_seen() {
        let anr = "mCurrentFocus=Window{d4 u0 Application Not Responding: com.example}\nmFocusedApp=ActivityRecord{a1 u0 \
                   com.example/.Main t1}";
        let found = foreground(anr).unwrap();
        assert_eq!(found.dialog(), Some(SystemDialog::NotResponding { package: "com.example".into() }));
        assert_eq!(&*found.activity, "com.example.Main");
        let stopped = foreground("mCurrentFocus=Window{d4 u0 Application Error: com.example}").unwrap();
        assert_eq!(stopped.dialog(), Some(SystemDialog::Stopped { package: "com.example".into() }));
        assert_eq!(foreground("mCurrentFocus=Window{d4 u0 PopupWindow:1a}").unwrap().dialog(), None);
    }

    #[test]
    fn noise_is_not_an_activity() {
        for text in
            ["", "mCurrentFocus=null", "mResumedActivity: ", "mFocusedApp=Window{", "mFocusedApp=/", "x y/z"]
        {
            assert_eq!(foreground(text), None, "{text}");
        }
    }
}

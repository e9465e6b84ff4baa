//! What a test says to the device besides its steps: how a command failed, and what puts back what the steps have changed.

use retap_trace::Key;

use super::super::quote::regex;
use super::StepFacts;

/// What lines of am say when it fails: the words by which retap itself judges it.
pub(super) fn am_failures() -> Vec<String> {
    let (begin, anywhere) = retap_adb::parse::am_failures();
    begin.map(|words| format!("^ *{}", regex(words))).chain(anywhere.map(regex)).collect()
}

/// Whatever a test does to the battery, the network or the screen, the next one finds the device as it was. That a step
/// turns the device is for the template to undo: tools have their own ways to do it.
pub(super) fn undo(steps: &[StepFacts]) -> Vec<&'static str> {
    const SCREEN_OFF: &str = "input keyevent 223";
    const UNDO: [(&str, &[&str]); 4] = [
        ("dumpsys battery ", &["dumpsys battery reset"]),
        ("svc ", &["svc wifi enable", "svc data enable"]),
        ("cmd connectivity airplane-mode ", &["cmd connectivity airplane-mode disable"]),
        (SCREEN_OFF, &["input keyevent 224"]),
    ];
    let mut keys = steps.iter().filter_map(|step| step.key.as_ref());
    let dark = keys.any(|key| matches!(Key(key.code), Key::POWER | Key::SLEEP));
    let done = |start: &str| {
        let mut commands = steps.iter().flat_map(|step| &step.shell);
        commands.any(|command| command.starts_with(start)) || dark && start == SCREEN_OFF
    };
    UNDO.iter().filter(|(start, _)| done(start)).flat_map(|(_, undo)| *undo).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::KeyFacts;
    use super::*;

    #[test]
    fn what_a_test_does_to_the_device_is_put_back() {
        let step = |shell: &[&str]| StepFacts {
            shell: shell.iter().map(|command| (*command).to_owned()).collect(),
            ..StepFacts::default()
        };
        assert!(undo(&[step(&["am broadcast -a x"])]).is_empty());
        let battery = step(&["dumpsys battery unplug", "dumpsys battery set level 5"]);
        assert_eq!(
            undo(&[battery, step(&["svc wifi disable", "svc data disable"])]),
            ["dumpsys battery reset", "svc wifi enable", "svc data enable"]
        );
        let airplane = step(&["cmd connectivity airplane-mode enable"]);
        assert_eq!(undo(&[airplane]), ["cmd connectivity airplane-mode disable"]);
        let key = |key| StepFacts { key: Some(KeyFacts::of(key)), ..StepFacts::default() };
        assert!(undo(&[key(Key::BACK)]).is_empty());
        for dark in [step(&["input keyevent 223"]), key(Key::POWER), key(Key::SLEEP)] {
            assert_eq!(undo(&[dark]), ["input keyevent 224"]);
        }
    }
}

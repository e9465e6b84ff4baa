//! What a process may do, and what is made of it.

use serde_json::{Map, json};

use super::*;
use crate::fake;

const SOON: Duration = Duration::from_mins(1);

fn start(script: &str) -> JvmProcess {
    JvmProcess::start(fake::command(script), Path::new(".")).unwrap()
}

fn ask(process: &mut JvmProcess, what: &'static str) -> Result<Value, CallError> {
    let fields = json!({ "seed": 1, "within": 100 });
    process.call(what, fields.as_object().cloned().unwrap_or_else(Map::new), SOON)
}

#[test]
fn forged_lines_are_no_answers() {
    let mut process = start("forge");
    assert_eq!(ask(&mut process, "open").unwrap()["package"], "a.b");
    assert_eq!(ask(&mut process, "settle").unwrap(), json!({ "idle": true }));
    assert!(process.ignored() >= 18, "{}", process.ignored());
    assert_eq!(process.passed(), 2_000);
}

#[test]
fn a_process_that_dies_says_of_what() {
    let mut process = start("die:reset");
    ask(&mut process, "open").unwrap();
    let said = ask(&mut process, "reset").unwrap_err().to_string();
    assert_eq!(said, "the JVM ended with exit code 3; the last that it said: java.lang.Error: out of cheese");
    assert!(matches!(ask(&mut process, "reset"), Err(CallError::Ended(_))), "it stays dead");
}

#[cfg(unix)]
#[test]
fn a_signal_is_told() {
    let said = ask(&mut start("abort:open"), "open").unwrap_err().to_string();
    assert!(said.starts_with("the JVM was ended by signal 6"), "{said}");
}

#[test]
fn one_that_hangs_is_killed_in_time() {
    for script in ["hang:open", "flood:open"] {
        let mut process = start(script);
        let (began, within) = (Instant::now(), Duration::from_millis(700));
        let said = process.call("open", Map::new(), within);
        assert_eq!(said, Err(CallError::Deadline { what: "open", within }), "{script}");
        assert!(began.elapsed() < Duration::from_secs(20), "{script}");
        assert!(process.child.try_wait().unwrap().is_some(), "{script}: it is gone");
    }
}

#[test]
fn a_line_without_end_is_an_error() {
    let mut process = start("huge:open");
    let said = ask(&mut process, "open").unwrap_err().to_string();
    assert_eq!(said, "the JVM answered 'open' with a line of more than 64 MB");
    assert!(process.child.try_wait().unwrap().is_some());
}

#[test]
fn refusals_are_told_apart_and_garbage_is_not_taken() {
    for (word, kind) in
        [("app", Refusal::App), ("device", Refusal::Device), ("unsupported", Refusal::Unsupported)]
    {
        let mut process = start(&format!("{word}:reset"));
        let refused = CallError::Refused { kind, text: "it cannot".to_owned() };
        assert_eq!(ask(&mut process, "reset"), Err(refused));
        assert!(ask(&mut process, "settle").is_ok(), "a refusal does no harm");
    }
    let said = ask(&mut start("empty:open"), "open").unwrap_err().to_string();
    assert_eq!(said, "the JVM answered 'open' with neither a result nor an error");
}

/// Whether a process is there, by its number.
#[cfg(target_os = "linux")]
fn is_there(id: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/stat"));
    state.is_ok_and(|state| !state.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_one_that_is_dropped() {
    let mut process = start("stays");
    ask(&mut process, "open").unwrap();
    let id = process.id();
    assert!(is_there(id));
    drop(process);
    assert!(!is_there(id));
}

/// The threads of a lab end while its devices are still in use.
#[cfg(target_os = "linux")]
#[test]
fn a_process_outlives_the_thread_that_asked_for_it() {
    let environment = crate::JvmEnvironment::read();
    let Some(setpriv) = environment.program("setpriv") else { return };
    let started = std::thread::spawn(move || {
        let usual = fake::command("good");
        let mut command = Command::new(setpriv);
        command.args(["--pdeathsig", "KILL", "--"]).arg(usual.get_program()).args(usual.get_args());
        command.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
        JvmProcess::start(command, Path::new(".")).unwrap()
    });
    let mut process = started.join().unwrap();
    assert!(ask(&mut process, "open").is_ok());
    std::thread::sleep(Duration::from_millis(50));
    assert!(ask(&mut process, "settle").is_ok());
}

//! `action.yml`: its steps are run as a runner runs them, with the environment that they get there.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::Checkout;

type Names = BTreeMap<String, String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is there")
}

/// A step of the action.
#[derive(Debug, Default)]
struct ActionStep {
    id: String,
    run: String,
    folder: Option<String>,
    /// The environment, with expressions.
    env: Names,
}

/// The action, as far as it is written in the plain YAML of our file.
struct Action {
    defaults: Names,
    steps: Vec<ActionStep>,
}

impl Action {
    fn read() -> Self {
        let text = std::fs::read_to_string(root().join("action.yml")).expect("a file");
        let (inputs, steps) = text.split_once("\nruns:\n").expect("its steps come last");
        let mut action = Self { defaults: Names::new(), steps: Vec::new() };
        let (mut name, mut in_env) = (String::new(), false);
        for line in
            inputs.lines().skip_while(|line| *line != "inputs:").take_while(|line| *line != "outputs:")
        {
            match (line.len() - line.trim_start().len(), line.trim().split_once(':')) {
                (2, Some((input, _))) => input.clone_into(&mut name),
                (4, Some(("default", value))) => {
                    action.defaults.insert(name.clone(), value.trim().trim_matches('"').to_owned());
                }
                _ => {}
            }
        }
        for line in steps.lines() {
            let plain = line.trim().trim_start_matches("- ");
            let Some((key, value)) = plain.split_once(": ").or_else(|| plain.split_once(':')) else {
                continue;
            };
            match key {
                "using" => assert_eq!(value, "composite"),
                "id" => {
                    action.steps.push(ActionStep { id: value.to_owned(), ..ActionStep::default() });
                    in_env = false;
                }
                "shell" => assert_eq!(value, "bash"),
                "env" => in_env = true,
                "run" => value.clone_into(&mut action.steps.last_mut().expect("a step").run),
                "working-directory" => {
                    action.steps.last_mut().expect("a step").folder = Some(value.to_owned());
                }
                name if in_env => {
                    let step = action.steps.last_mut().expect("a step");
                    step.env.insert(name.to_owned(), value.to_owned());
                }
                _ => {}
            }
        }
        action
    }
}

/// What a workflow gives, and what a runner knows.
struct Runner {
    checkout: Checkout,
    inputs: Names,
    github: Names,
    path: String,
}

/// How the steps went: the last one, and the outputs of all.
struct Went {
    last: Output,
    outputs: Names,
}

impl Runner {
    fn new(inputs: &[(&str, &str)]) -> Self {
        let named = |pairs: &[(&str, &str)]| -> Names {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let checkout = Checkout::new();
        std::fs::create_dir(checkout.at("temp")).expect("a folder");
        let github =
            named(&[("action_path", root().to_str().expect("a plain path")), ("action_repository", "")]);
        let path = std::env::var("PATH").expect("a path");
        let mut inputs = named(inputs);
        inputs.entry("binary".to_owned()).or_insert_with(|| env!("CARGO_BIN_EXE_retap").to_owned());
        Self { checkout, inputs, github, path }
    }

    /// The value of a text with expressions.
    fn value(&self, action: &Action, outputs: &Names, text: &str) -> String {
        let Some((before, rest)) = text.split_once("${{ ") else { return text.to_owned() };
        let (expression, after) = rest.split_once(" }}").expect("an expression ends");
        let value = match expression.split('.').collect::<Vec<_>>()[..] {
            ["inputs", name] => {
                self.inputs.get(name).or_else(|| action.defaults.get(name)).expect(name).clone()
            }
            ["github", name] => self.github[name].clone(),
            ["steps", step, "outputs", name] => {
                outputs.get(&format!("{step}.{name}")).cloned().unwrap_or_default()
            }
            _ => panic!("what is {expression}?"),
        };
        format!("{before}{value}{}", self.value(action, outputs, after))
    }

    /// Runs the steps until one fails.
    fn run(&self) -> Went {
        let action = Action::read();
        assert_eq!(action.steps.len(), 2, "the action is read");
        let (mut outputs, mut last) = (Names::new(), None);
        for step in &action.steps {
            assert!(
                !step.run.is_empty() && !step.run.contains("${{"),
                "inputs are no part of a script: {}",
                step.run
            );
            let file = self.checkout.at(&format!("temp/output-{}", step.id));
            std::fs::write(&file, "").expect("room for a file");
            let folder =
                step.folder.as_ref().map_or(".".to_owned(), |text| self.value(&action, &outputs, text));
            let mut command = Command::new("bash");
            command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step.run]);
            command.current_dir(self.checkout.at(&folder)).env_clear();
            command.env("PATH", &self.path).env("HOME", self.checkout.path()).env("GITHUB_OUTPUT", &file);
            command
                .env("RUNNER_TEMP", self.checkout.at("temp"))
                .env("GITHUB_ACTIONS", "true")
                .env("CI", "true");
            command.env("GITHUB_SERVER_URL", self.github.get("server_url").map_or("", String::as_str));
            for (name, text) in &step.env {
                command.env(name, self.value(&action, &outputs, text));
            }
            let said = command.output().expect("bash runs");
            for line in std::fs::read_to_string(&file).expect("a file").lines() {
                let (name, value) = line.split_once('=').expect("a name and a value");
                outputs.insert(format!("{}.{name}", step.id), value.to_owned());
            }
            let failed = !said.status.success();
            last = Some(said);
            if failed {
                break;
            }
        }
        Went { last: last.expect("there are steps"), outputs }
    }
}

impl Went {
    fn words(&self) -> String {
        [&self.last.stdout, &self.last.stderr].map(|said| String::from_utf8_lossy(said).into_owned()).concat()
    }

    fn output(&self, name: &str) -> &str {
        self.outputs.get(&format!("run.{name}")).map_or("", String::as_str)
    }
}

#[test]
fn outputs_tell_what_came_of_it() {
    let rare = "notes-sync-conflict.trace.jsonl\n--device\nsim:notes?flaky=0.3\n";
    let refused = format!("{rare}--min-rate\n0.75\n");
    let below = format!("{rare}--rule\n9/10\n--search\nddmin\n");
    let explore = "-d\nsim:notes\n--strategy\naware\n--events\n3000\n--seed\n7\n--out\nnight\n";
    for (command, arguments, fail, exit, code, crashes) in [
        ("reduce", "notes-unnamed-tag.trace.jsonl", "true", 0, "0", "1"),
        ("explore", explore, "true", 1, "1", "1"),
        ("explore", explore, "false", 0, "1", "1"),
        ("replay", "keys.trace.jsonl\n--expect-no-crash\n\n--times\n2\n", "true", 0, "0", "0"),
        ("replay", "missing.trace.jsonl", "false", 2, "2", ""),
        // Reached at times and refused; an answer below the rule; a target that is no crash.
        ("reduce", &*refused, "false", 0, "1", "0"),
        ("reduce", &below, "false", 0, "1", "0"),
        ("reduce", "notes-unnamed-tag.trace.jsonl\n--to\nactivity:EditorActivity", "true", 0, "0", "0"),
    ] {
        let runner = Runner::new(&[
            ("command", command),
            ("arguments", arguments),
            ("fail-on-crash", fail),
            ("sarif", "x.sarif"),
        ]);
        let went = runner.run();
        assert_eq!(went.last.status.code(), Some(exit), "{command} {arguments}: {}", went.words());
        let told = (went.output("exit-code"), went.output("crashes"));
        assert_eq!(told, (code, crashes), "{command}: {}", went.words());
        // Whole paths, which hold in the folder of every step.
        for (output, file) in [("junit", "retap-junit.xml"), ("sarif", "x.sarif")] {
            assert!(runner.checkout.at(file).is_file());
            let path = Path::new(went.output(output));
            assert!(path.is_absolute() && path.is_file() && path.ends_with(file), "{}", path.display());
        }
        assert!(Path::new(went.output("result")).is_file());
    }
}

/// What an earlier step has left is green, and says nothing of a step that was refused before it could begin a report.
#[test]
fn the_report_of_an_earlier_step_is_no_output() {
    let earlier = [("command", "replay"), ("arguments", "keys.trace.jsonl\n--times\n1\n--expect-no-crash")];
    let mut runner = Runner::new(&earlier);
    assert!(runner.run().output("junit").ends_with("/retap-junit.xml"));
    runner.inputs.insert("arguments".to_owned(), "keys.trace.jsonl\n--tims\n1".to_owned());
    let went = runner.run();
    assert_eq!((went.last.status.code(), went.output("exit-code")), (Some(2), "2"), "{}", went.words());
    assert!(runner.checkout.at("retap-junit.xml").is_file());
    assert_eq!(went.output("junit"), "", "{}", went.words());
}

/// A line of `.github/workflows/ci.yml` that begins like this, without its beginning.
fn in_workflow(beginning: &str) -> String {
    let text = std::fs::read_to_string(root().join(".github/workflows/ci.yml")).expect("a file");
    let found = text.lines().find_map(|line| line.trim().strip_prefix(beginning));
    found.unwrap_or_else(|| panic!("the workflow has no {beginning}")).to_owned()
}

/// The job `action` of our own workflow, which no test can run as a whole: the line that compares the outputs of the
/// action is run as it stands there.
#[test]
fn the_workflow_compares_the_outputs() {
    let runner = Runner::new(&[
        ("command", "reduce"),
        ("arguments", "notes-unnamed-tag.trace.jsonl"),
        ("sarif", "x.sarif"),
    ]);
    let mut went = runner.run();
    assert_eq!(went.last.status.code(), Some(0), "{}", went.words());
    let outputs = std::mem::take(&mut went.outputs).into_iter();
    // In the workflow the whole action is one step.
    let outputs: Names = outputs.map(|(name, value)| (name.replacen("run.", "retap.", 1), value)).collect();
    let line = in_workflow("run: test ");
    let holds = |outputs: &Names| {
        let said = runner.value(&Action::read(), outputs, &in_workflow("SAID: "));
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &format!("test {line}")]);
        command.current_dir(runner.checkout.path()).env("SAID", said);
        command.status().expect("bash runs").success()
    };
    assert!(holds(&outputs), "test {line}: {outputs:?}");
    let other = |name: &str| outputs.clone().into_iter().chain([(name.to_owned(), "7".to_owned())]).collect();
    for name in ["retap.exit-code", "retap.crashes", "retap.junit"] {
        assert!(!holds(&other(name)), "{name}");
    }
}

/// Whatever stands in an input, it is an argument, and no shell.
#[test]
fn inputs_are_no_shell() {
    let hostile = "$(touch made); `touch made`; \"; touch made; '; touch made #";
    let runner =
        Runner::new(&[("command", "replay"), ("arguments", hostile), ("junit", "$(touch made).xml")]);
    let went = runner.run();
    assert_eq!(went.last.status.code(), Some(2), "{}", went.words());
    assert!(went.output("junit").ends_with("/$(touch made).xml"), "{}", went.words());
    for (input, value) in [
        ("command", "reduce; touch made"),
        ("command", "device\nlist"),
        ("junit", "x\nexit-code=0"),
        ("sarif", "x\nexit-code=0"),
        ("fail-on-crash", "$(touch made)"),
    ] {
        let runner = Runner::new(&[("command", "replay"), ("arguments", "keys.trace.jsonl"), (input, value)]);
        let went = runner.run();
        assert_eq!(went.last.status.code(), Some(2), "{input}: {}", went.words());
        assert!(went.words().contains("::error title=retap::the input"), "{input}: {}", went.words());
        assert_eq!(went.output("exit-code"), "", "{input}");
        assert!(!runner.checkout.at("made").exists());
    }
    assert!(!runner.checkout.at("made").exists());
}

#[test]
fn a_command_runs_in_its_folder() {
    let runner = Runner::new(&[
        ("command", "replay"),
        ("arguments", "../keys.trace.jsonl\n--times\n1\n--expect-no-crash"),
        ("working-directory", "app"),
    ]);
    let went = runner.run();
    assert_eq!(went.last.status.code(), Some(0), "{}", went.words());
    assert!(runner.checkout.at("app/retap-junit.xml").is_file());
}

/// Serves the files of a folder to everybody who asks, until the test ends.
fn serve(folder: PathBuf) -> String {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", server.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in server.incoming().flatten() {
            let mut stream = stream;
            let mut asked = [0; 4096];
            let read = stream.read(&mut asked).unwrap_or(0);
            let asked = String::from_utf8_lossy(&asked[..read]).into_owned();
            let name = asked
                .split_whitespace()
                .nth(1)
                .unwrap_or("/")
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_owned();
            let (status, body) = match std::fs::read(folder.join(&name)) {
                Ok(body) if asked.contains("/owner/retap/releases/download/v0.2.0/") => ("200 OK", body),
                _ => ("404 Not Found", Vec::new()),
            };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

/// A release as `scripts/release` packs it, and its checksums.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn release(folder: &Path) {
    let name = "retap-v0.2.0-x86_64-unknown-linux-musl";
    let script = format!(
        "mkdir {name} && cp \"$RETAP\" {name}/retap && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >SHA256SUMS"
    );
    let mut command = Command::new("bash");
    command.args(["-ec", &script]).current_dir(folder).env("RETAP", env!("CARGO_BIN_EXE_retap"));
    assert!(command.status().expect("bash runs").success());
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_release_is_downloaded_and_its_checksum_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    release(folder.path());
    let mut runner = Runner::new(&[
        ("command", "replay"),
        ("arguments", "keys.trace.jsonl\n--times\n1\n--expect-no-crash"),
        ("version", "v0.2.0"),
        ("binary", ""),
    ]);
    let without = runner.run();
    assert!(without.words().contains("has no releases to download"), "{}", without.words());
    runner.github.insert("action_repository".to_owned(), "owner/retap".to_owned());
    runner.github.insert("server_url".to_owned(), serve(folder.path().to_owned()));
    let went = runner.run();
    assert_eq!(went.last.status.code(), Some(0), "{}", went.words());
    assert_eq!(went.output("exit-code"), "0");

    let sums = folder.path().join("SHA256SUMS");
    let good = std::fs::read_to_string(&sums).expect("a file");
    for (bad, said) in [
        (
            good.replace(&good[..4], if good.starts_with("0000") { "1111" } else { "0000" }),
            "is not what SHA256SUMS says",
        ),
        (String::new(), "does not name"),
    ] {
        std::fs::write(&sums, bad).expect("a file");
        let went = runner.run();
        assert!(!went.last.status.success() && went.words().contains(said), "{}", went.words());
    }
    for version in ["v0.1.0", "0.2.0", "v0.2.0/../x", "$(id)"] {
        runner.inputs.insert("version".to_owned(), version.to_owned());
        let went = runner.run();
        assert_eq!(went.last.status.code(), Some(2), "{version}: {}", went.words());
    }
}

/// Building is left to cargo: what it is asked for is seen by a program in its place.
#[cfg(unix)]
#[test]
fn its_own_source_is_built_by_cargo() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut runner = Runner::new(&[
        ("command", "replay"),
        ("arguments", "keys.trace.jsonl\n--times\n1\n--expect-no-crash"),
        ("binary", ""),
    ]);
    let script = format!(
        "#!/bin/sh\necho \"$PWD $*\" >\"$HOME/asked\"\nmkdir -p \"$CARGO_TARGET_DIR/release\"\ncp '{}' \"$CARGO_TARGET_DIR/release/retap\"\n",
        env!("CARGO_BIN_EXE_retap")
    );
    runner.checkout.write("bin/cargo", &script);
    std::fs::set_permissions(runner.checkout.at("bin/cargo"), std::fs::Permissions::from_mode(0o755))
        .expect("mine");
    runner.path = format!("{}:{}", runner.checkout.at("bin").display(), runner.path);
    let went = runner.run();
    assert_eq!(went.last.status.code(), Some(0), "{}", went.words());
    let asked = format!("{} build --locked --release -p retap\n", root().display());
    assert_eq!(runner.checkout.read("asked"), asked);
}

//! The control socket of a QEMU that the phone runs in. What its monitor is told goes to the phone's console.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use serde_json::{Value, json};

use super::TOKEN;

/// Answers on the socket for as long as the test runs.
pub(crate) fn serve(path: &Path, console: u16) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let _ = obey(&socket, console);
        }
    });
}

fn obey(socket: &UnixStream, console: u16) -> io::Result<()> {
    let send = |value: &Value| (&mut &*socket).write_all(format!("{value}\r\n").as_bytes());
    send(&json!({ "QMP": { "version": {}, "capabilities": [] } }))?;
    let mut ready = false;
    for line in BufReader::new(socket).lines() {
        let command: Value = serde_json::from_str(&line?)?;
        send(&json!({ "event": "RESUME", "timestamp": {} }))?;
        send(&match command["execute"].as_str().unwrap() {
            "qmp_capabilities" => {
                ready = true;
                json!({ "return": {} })
            }
            "human-monitor-command" if ready => {
                json!({ "return": monitor(command["arguments"]["command-line"].as_str().unwrap(), console)? })
            }
            _ => {
                json!({ "error": { "class": "CommandNotFound", "desc": "Expecting capabilities negotiation" } })
            }
        })?;
    }
    Ok(())
}

/// What the monitor prints: nothing where all is well.
fn monitor(line: &str, console: u16) -> io::Result<String> {
    let line = line.replace("info snapshots", "list").replace("vm ", " ").replacen("del ", "delete ", 1);
    let mut talk = TcpStream::connect(("127.0.0.1", console))?;
    talk.write_all(format!("auth {TOKEN}\navd snapshot {line}\nquit\n").as_bytes())?;
    let said = io::read_to_string(talk)?;
    // The greeting and the token were answered with OK as well.
    let said = said.splitn(3, "OK\r\n").last().unwrap_or_default();
    Ok(said.trim_end_matches("OK\r\n").replace("KO: ", "Error: "))
}

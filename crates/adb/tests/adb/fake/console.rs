//! An emulator's console, and the control socket of a QEMU; both keep snapshots of the fake phone.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{FakeServer, Phone};

/// Snapshots by name, and how many of the next loads say OK without doing anything.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    saved: BTreeMap<String, Phone>,
    pub(crate) lies: usize,
}

impl Shelf {
    fn command(&mut self, verb: &str, name: &str, server: &FakeServer) -> Result<(), String> {
        match verb {
            "save" => drop(self.saved.insert(name.to_owned(), server.phone().clone())),
            "load" => {
                let saved = self
                    .saved
                    .get(name)
                    .cloned()
                    .ok_or_else(|| format!("snapshot '{name}' does not exist"))?;
                if self.lies > 0 {
                    self.lies -= 1;
                } else {
                    *server.phone() = saved;
                }
            }
            _ => drop(self.saved.remove(name).ok_or_else(|| format!("snapshot '{name}' does not exist"))?),
        }
        Ok(())
    }

    fn table(&self) -> String {
        if self.saved.is_empty() {
            return "There is no snapshot available.\r\n".to_owned();
        }
        let rows = self
            .saved
            .keys()
            .map(|name| format!("--        {name}   53M 2020-09-01 10:11:12   00:01:02.345\r\n"));
        format!(
            "List of snapshots present on all disks:\r\nID        TAG      VM SIZE   DATE   VM CLOCK\r\n{}",
            rows.collect::<String>()
        )
    }
}

/// A console. Its port gives the emulator its serial number.
#[derive(Debug)]
pub(crate) struct FakeConsole {
    pub(crate) port: u16,
    pub(crate) shelf: Arc<Mutex<Shelf>>,
    listener: TcpListener,
}

pub(crate) const TOKEN: &str = "s3cret";

impl FakeConsole {
    pub(crate) fn bind() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { port: listener.local_addr().unwrap().port(), shelf: Arc::default(), listener }
    }

    pub(crate) fn serial(&self) -> String {
        format!("emulator-{}", self.port)
    }

    /// Answers for as long as the test runs.
    pub(crate) fn serve(&self, server: Arc<FakeServer>) {
        let (listener, shelf) = (self.listener.try_clone().unwrap(), self.shelf.clone());
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let _ = talk(&socket, &shelf, &server);
            }
        });
    }
}

fn talk(mut socket: &TcpStream, shelf: &Mutex<Shelf>, server: &FakeServer) -> io::Result<()> {
    socket.write_all(b"Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\nOK\r\n")?;
    let mut trusted = false;
    for line in BufReader::new(socket).lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut shelf = shelf.lock().unwrap();
        let answer = match words.as_slice() {
            ["quit"] => return Ok(()),
            ["auth", TOKEN] => {
                trusted = true;
                "Android Console: type 'help' for a list of commands\r\nOK\r\n".to_owned()
            }
            ["auth", _] => {
                "KO: authentication token does not match ~/.emulator_console_auth_token\r\n".to_owned()
            }
            _ if !trusted => "KO: unknown command, try 'help'\r\n".to_owned(),
            ["avd", "snapshot", "list"] => format!("{}OK\r\n", shelf.table()),
            ["avd", "snapshot", verb, name] => match shelf.command(verb, name, server) {
                Ok(()) => "OK\r\n".to_owned(),
                Err(why) => format!("KO: {why}\r\n"),
            },
            ["sms", "send", from, ..] => {
                server.phone().history.push(format!("sms from {from}"));
                "OK\r\n".to_owned()
            }
            _ => "KO: unknown command, try 'help'\r\n".to_owned(),
        };
        socket.write_all(answer.as_bytes())?;
    }
    Ok(())
}

/// A QEMU's control socket.
#[derive(Debug)]
pub(crate) struct FakeQemu;

impl FakeQemu {
    pub(crate) fn serve(path: &Path, server: Arc<FakeServer>) {
        let listener = UnixListener::bind(path).unwrap();
        let shelf = Mutex::new(Shelf::default());
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let _ = obey(&socket, &shelf, &server);
            }
        });
    }
}

fn obey(socket: &UnixStream, shelf: &Mutex<Shelf>, server: &FakeServer) -> io::Result<()> {
    let send = |value: &Value| (&mut &*socket).write_all(format!("{value}\r\n").as_bytes());
    send(&json!({ "QMP": { "version": {}, "capabilities": [] } }))?;
    let mut ready = false;
    for line in BufReader::new(socket).lines() {
        let command: Value = serde_json::from_str(&line?)?;
        send(&json!({ "event": "RESUME", "timestamp": {} }))?;
        let answer = match command["execute"].as_str().unwrap() {
            "qmp_capabilities" => {
                ready = true;
                json!({ "return": {} })
            }
            "human-monitor-command" if ready => {
                let line = command["arguments"]["command-line"].as_str().unwrap().to_owned();
                let mut shelf = shelf.lock().unwrap();
                let said = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                    ["info", "snapshots"] => shelf.table(),
                    [verb, name] => {
                        let verb = match *verb {
                            "savevm" => "save",
                            "loadvm" => "load",
                            _ => "delete",
                        };
                        shelf
                            .command(verb, name, server)
                            .err()
                            .map(|why| format!("Error: {why}\r\n"))
                            .unwrap_or_default()
                    }
                    _ => "unknown command\r\n".to_owned(),
                };
                json!({ "return": said })
            }
            _ => {
                json!({ "error": { "class": "CommandNotFound", "desc": "Expecting capabilities negotiation" } })
            }
        };
        send(&answer)?;
    }
    Ok(())
}

//! The real adb server, as far as it goes without a device. Skipped where adb is not installed.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use retap_adb::client::{AdbError, Client, Deadline, Environment};
use retap_testing::{Requirement, skipped};

pub(crate) struct RealServer {
    pub(crate) child: Child,
    environment: Environment,
    _home: tempfile::TempDir,
}

impl RealServer {
    pub(crate) fn start() -> Option<Self> {
        let adb = find_adb()?;
        let home = tempfile::tempdir().unwrap();
        let port = free_port().to_string();
        let child = Command::new(&adb)
            .args(["-P", &port, "server", "nodaemon"])
            .env("HOME", home.path())
            .env("ANDROID_ADB_SERVER_PORT", &port)
            .env("ADB_MDNS", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let environment = Environment { server_port: Some(port), adb: Some(adb), ..Environment::default() };
        Some(Self { child, environment, _home: home })
    }

    pub(crate) fn client(&self) -> Client {
        let client = Client::from_environment(&self.environment, false).unwrap();
        for _ in 0..200 {
            if client.version(&soon()).is_ok() {
                return client;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the real adb server does not answer");
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn find_adb() -> Option<PathBuf> {
    let found = Environment::read().find_adb();
    if found.is_none() {
        skipped(Requirement::Adb, "adb not found");
    }
    found
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn soon() -> Deadline {
    Deadline::within("a test", Duration::from_secs(20))
}

#[test]
fn the_real_server_answers_as_we_expect() {
    let Some(server) = RealServer::start() else { return };
    let client = server.client();
    assert!(client.version(&soon()).unwrap() >= 39);
    assert_eq!(client.devices(&soon()).unwrap(), []);
    assert!(matches!(client.choose(None, &soon()), Err(AdbError::NoDevice)));
    let nowhere = client.transport("nowhere");
    assert!(matches!(nowhere.shell("echo", &soon()), Err(AdbError::NoSuchDevice { .. })));
    assert!(matches!(nowhere.state(&soon()), Err(AdbError::NoSuchDevice { .. })));
    let mut tracker = client.track(&soon()).unwrap();
    assert_eq!(tracker.next(&soon()).unwrap(), []);
    let said = client.connect_device(&format!("127.0.0.1:{}", free_port()), &soon()).unwrap();
    assert!(said.contains("failed") || said.contains("unable"), "{said}");
}

#[test]
fn a_server_is_started_when_that_is_allowed() {
    let Some(adb) = find_adb() else { return };
    let environment = Environment {
        server_port: Some(free_port().to_string()),
        adb: Some(adb.clone()),
        ..Environment::default()
    };
    let _ended = Ended { adb, port: environment.server_port.clone().unwrap() };
    let forbidden = Client::from_environment(&environment, false).unwrap();
    assert!(matches!(forbidden.version(&soon()), Err(AdbError::NoServer { .. })));
    let allowed = Client::from_environment(&environment, true).unwrap();
    assert!(allowed.version(&soon()).unwrap() >= 39);
    assert!(forbidden.version(&soon()).is_ok(), "it runs now");
}

/// Ends the server on this port, if one runs there, whatever becomes of the test.
struct Ended {
    adb: PathBuf,
    port: String,
}

impl Drop for Ended {
    fn drop(&mut self) {
        let stop =
            Command::new(&self.adb).args(["-P", &self.port, "kill-server"]).stderr(Stdio::null()).status();
        assert!(stop.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}

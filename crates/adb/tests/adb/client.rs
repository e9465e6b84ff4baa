//! Every call of the client, and how each can fail.

use std::time::Duration;

use retap_adb::client::{AdbError, Cancel, Deadline, ProcessOutput, quote};
use retap_adb::parse::DeviceState;
use retap_testing::until;

use crate::fake::{APP, FakeServer, Fault, apk};

fn soon() -> Deadline {
    Deadline::within("a test", Duration::from_secs(20))
}

#[test]
fn the_server_is_asked() {
    let server = FakeServer::start("S1");
    let client = server.client();
    assert_eq!(client.version(&soon()).unwrap(), 41);
    let devices = client.devices(&soon()).unwrap();
    assert_eq!((devices[0].serial.as_str(), &devices[0].state), ("S1", &DeviceState::Device));
    assert_eq!(client.choose(None, &soon()).unwrap().serial(), "S1");
    assert!(matches!(client.choose(Some("S2"), &soon()), Err(AdbError::NoSuchDevice { .. })));
    assert!(matches!(client.connect_device("h:1", &soon()), Err(AdbError::NoSuchDevice { .. })));
}

#[test]
fn devices_come_and_go() {
    let server = FakeServer::start("S1");
    let mut tracker = server.client().track(&soon()).unwrap();
    assert!(tracker.next(&soon()).unwrap()[0].state.is_ready());
    server.set(Fault::Offline);
    assert_eq!(tracker.next(&soon()).unwrap()[0].state, DeviceState::Offline);
    server.set(Fault::Absent);
    assert_eq!(tracker.next(&soon()).unwrap(), []);
    let short = Deadline::within("waiting", Duration::from_millis(60));
    assert!(matches!(tracker.next(&short), Err(AdbError::Timeout { what: "waiting", .. })));
}

#[test]
fn commands_tell_output_errors_and_status_apart() {
    let server = FakeServer::start("S1");
    let transport = server.client().transport("S1");
    let output = transport.shell("echo out; echo err >&2; nonsense", &soon()).unwrap();
    assert_eq!((output.text().as_str(), output.status), ("out\n", 127));
    assert!(output.said().contains("err") && output.said().contains("nonsense: inaccessible or not found"));
    let failed = output.success("x").unwrap_err().to_string();
    assert!(failed.starts_with("'x' failed on the device with status 127: out"), "{failed}");
    assert_eq!(transport.shell_with("cat", &vec![7; 100_000], &soon()).unwrap().stdout.len(), 100_000);
    assert_eq!(transport.exec("echo raw", &soon()).unwrap(), b"raw\n");
    assert_eq!(transport.state(&soon()).unwrap(), "device");
    let word = "it's $HOME; \"x\"";
    assert_eq!(
        transport.shell(&format!("echo {}", quote(word)), &soon()).unwrap().text(),
        format!("{word}\n")
    );
}

#[test]
fn without_shell_protocol_2_the_status_is_found_too() {
    let server = FakeServer::start("S1");
    server.set_features("cmd");
    let transport = server.client().transport("S1");
    let output = transport.shell("echo out; nonsense", &soon()).unwrap();
    assert_eq!(output.status, 127);
    assert!(output.text().starts_with("out\n"));
    assert_eq!(transport.shell("echo fine", &soon()).unwrap().status, 0);
}

#[test]
fn a_process_stays_open() {
    let server = FakeServer::start("S1");
    let mut process = server.client().transport("S1").spawn("sh", &soon()).unwrap();
    for word in ["one", "two"] {
        process.write(format!("echo {word}\n").as_bytes(), &soon()).unwrap();
        assert_eq!(process.read(&soon()).unwrap(), ProcessOutput::Stdout(format!("{word}\n").into_bytes()));
    }
    assert!(process.tells_apart() && !process.is_gone());
}

#[test]
fn files_go_both_ways() {
    let server = FakeServer::start("S1");
    let transport = server.client().transport("S1");
    let big: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    transport.push(&mut big.as_slice(), "/sdcard/a/big", 0o600, &soon()).unwrap();
    let mut back = Vec::new();
    assert_eq!(transport.pull("/sdcard/a/big", &mut back, &soon()).unwrap(), 800_000);
    assert_eq!(back, big);
    for features in ["shell_v2,stat_v2,ls_v2", "shell_v2"] {
        server.set_features(features);
        let transport = server.client().transport("S1");
        assert_eq!(transport.stat("/sdcard/a/big", &soon()).unwrap().unwrap().size, 800_000, "{features}");
        assert_eq!(transport.stat("/sdcard/none", &soon()).unwrap(), None, "{features}");
    }
    server.set_features("shell_v2,stat_v2,ls_v2");
    let names: Vec<String> =
        transport.list("/sdcard/a", &soon()).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["big"]);
    let missing = transport.pull("/sdcard/none", &mut Vec::new(), &soon()).unwrap_err().to_string();
    assert_eq!(missing, "/sdcard/none on the device: open failed: No such file or directory");
    let refused = transport.push(&mut &b"x"[..], "/system/x", 0o644, &soon()).unwrap_err().to_string();
    assert!(refused.contains("Read-only"), "{refused}");
}

#[test]
fn apps_are_installed_by_stream_or_by_copy() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good.apk"), folder.path().join("bad.apk"));
    std::fs::write(&good, apk(APP, 300_000)).unwrap();
    std::fs::write(&bad, b"no").unwrap();
    let server = FakeServer::start("S1");
    uninstall(&server);
    server.client().transport("S1").install(&good, true, &soon()).unwrap();
    uninstall(&server);
    let refused = server.client().transport("S1").install(&bad, true, &soon()).unwrap_err().to_string();
    assert!(refused.contains("INSTALL_PARSE_FAILED_NOT_APK"), "{refused}");
    let missing = server.client().transport("S1").install(&folder.path().join("none"), true, &soon());
    assert!(matches!(missing, Err(AdbError::File { .. })));

    server.set_features("shell_v2");
    server.client().transport("S1").install(&good, false, &soon()).unwrap();
    uninstall(&server);
    assert_eq!(server.says("ls /data/local/tmp"), "", "the copy is removed");
    assert!(server.heard("pm install -r -t /data/local/tmp/retap-good.apk"));
}

/// Takes the app off the phone, where it must be.
fn uninstall(server: &FakeServer) {
    assert_eq!(server.says(&format!("pm uninstall {APP}")), "Success\n");
}

#[test]
fn old_devices_and_old_apps_are_installed_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("any.apk");
    std::fs::write(&file, apk(APP, 0)).unwrap();
    let server = FakeServer::start("S1");
    uninstall(&server);
    let too_old = "Failure [INSTALL_FAILED_DEPRECATED_SDK_VERSION: must target at least 23]\n";
    server.phone().fault(9, "cmd package install -r -t -g -S", too_old);
    server
        .client()
        .transport("S1")
        .install(&file, true, &soon())
        .expect("Android 14 takes it when it is told to");
    uninstall(&server);
    server.set_features("");
    server.phone().fault(9, "pm install -r -t -g", "Error: Unknown option: -g\n");
    server.client().transport("S1").install(&file, true, &soon()).expect("Android 5 does not know -g");
    uninstall(&server);
}

#[test]
fn a_device_that_is_there_is_not_cut_off_from_others() {
    let server = FakeServer::start("S1");
    let transport = server.client().transport("S1");
    transport.revive(&soon()).unwrap();
    assert_eq!(server.history(), Vec::<String>::new());
    transport.reconnect(&soon()).unwrap();
    assert_eq!(server.history(), ["reconnect"], "only when it must be");
}

#[test]
fn ports_are_forwarded() {
    let server = FakeServer::start("S1");
    let transport = server.client().transport("S1");
    assert_eq!(transport.forward("tcp:1", &soon()).unwrap(), 6100);
    assert_eq!(transport.forwards(&soon()).unwrap().len(), 1);
    transport.kill_forward(6100, &soon()).unwrap();
    assert!(matches!(transport.kill_forward(6101, &soon()), Err(AdbError::Refused { .. })));
}

#[test]
fn failures_are_told_apart() {
    let server = FakeServer::start("S1");
    let try_it = |fault| {
        server.set(fault);
        server.client().transport("S1").shell("echo", &soon()).unwrap_err()
    };
    assert!(matches!(try_it(Fault::Offline), AdbError::Offline { .. }));
    assert!(matches!(try_it(Fault::Unauthorized), AdbError::Unauthorized { .. }));
    assert!(matches!(try_it(Fault::Absent), AdbError::NoSuchDevice { .. }));
    assert!(matches!(try_it(Fault::Dropping), AdbError::Dropped { .. }));
    assert!(server.client().choose(None, &soon()).is_ok());
    server.set(Fault::Unauthorized);
    assert!(matches!(server.client().choose(None, &soon()), Err(AdbError::Unauthorized { .. })));
    server.set(Fault::Absent);
    assert!(matches!(server.client().choose(None, &soon()), Err(AdbError::NoDevice)));
    server.set(Fault::None);
    assert!(server.client().transport("S1").shell("echo", &soon()).is_ok(), "a call after a drop works");
}

#[test]
fn nobody_there_is_said_so() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = retap_adb::client::Client::new(retap_adb::client::Address::local_port(port));
    let error = client.version(&soon()).unwrap_err();
    assert!(
        matches!(error, AdbError::NoServer { .. }) && error.to_string().contains("adb start-server"),
        "{error}"
    );
}

#[test]
fn without_adb_no_server_is_started_and_it_is_said_what_to_install() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let environment =
        retap_adb::client::Environment { server_port: Some(port.to_string()), ..Default::default() };
    let client = retap_adb::client::Client::from_environment(&environment, true).unwrap();
    let error = client.version(&soon()).unwrap_err();
    assert!(error.to_string().contains("there is no adb to start one with; install"), "{error}");
    assert!(error.is_drop(), "it may be back");
}

#[test]
fn what_is_no_adb_server_is_said_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for mut socket in listener.incoming().flatten() {
            let _ = socket.read(&mut [0; 64]);
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let client = retap_adb::client::Client::new(retap_adb::client::Address::local_port(port));
    let error = client.version(&soon()).unwrap_err();
    assert!(error.to_string().contains("is this an adb server?"), "{error}");
}

#[test]
fn a_hanging_phone_does_not_hang_us() {
    let server = FakeServer::start("S1");
    server.set(Fault::Hanging);
    let transport = server.client().transport("S1");
    let short = Deadline::within("a hang", Duration::from_millis(80));
    assert!(matches!(transport.shell("echo", &short), Err(AdbError::Timeout { what: "a hang", .. })));
    let cancel = Cancel::default();
    let long = Deadline::within("a hang", Duration::from_mins(10)).or(&cancel);
    let waiting = std::thread::spawn(move || transport.exec("echo again", &long));
    until("the service hangs", || server.heard("echo again"));
    cancel.cancel();
    assert_eq!(waiting.join().unwrap(), Err(AdbError::Cancelled { what: "a hang" }));
}

#[test]
fn several_devices_are_used_at_once() {
    let servers: Vec<FakeServer> = (0..4).map(|nth| FakeServer::start(&format!("S{nth}"))).collect();
    std::thread::scope(|scope| {
        for (nth, server) in servers.iter().enumerate() {
            scope.spawn(move || {
                let transport = server.client().transport(format!("S{nth}"));
                for round in 0..20 {
                    assert_eq!(
                        transport.shell(&format!("echo {round}"), &soon()).unwrap().text(),
                        format!("{round}\n")
                    );
                }
            });
        }
    });
}

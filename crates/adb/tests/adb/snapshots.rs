//! Snapshots through the emulator's console and through QEMU, and loads that lie.

use std::time::Duration;

use retap_adb::{AdbDevice, AdbOptions};
use retap_device::{Device, DeviceError, Look};
use retap_trace::{Event, Micros, Seed, SystemEvent};

use crate::fake::{APP, FakeServer, TOKEN, qemu};

const LONG: Micros = Micros::from_secs(60);

fn open(server: &FakeServer, query: &str, token: &str) -> AdbDevice {
    let options = AdbOptions { console_token: Some(token.to_owned()), ..AdbOptions::default() };
    let spec = format!("adb?app={APP}{query}").parse().unwrap();
    let mut device = AdbDevice::open(&server.client(), &spec, &options, Duration::from_mins(1)).unwrap();
    device.reset(Seed(1), LONG).unwrap();
    device.perform(&Event::Launch, LONG).unwrap();
    device
}

fn goes_back(mut device: AdbDevice, server: &FakeServer) {
    let id = device.snapshots().expect("it has snapshots").save(LONG).unwrap();
    device.perform(&Event::tap(5, 350), LONG).unwrap();
    assert!(server.shows("Count: 1"));
    device.snapshots().unwrap().load(id, LONG).unwrap();
    assert!(server.shows("Count: 0"));
    device.perform(&Event::tap(5, 550), LONG).unwrap();
    assert_eq!(
        device.observe(Look::Activity, LONG).unwrap().crashes.len(),
        1,
        "the log is heard after a load"
    );
    device.snapshots().unwrap().forget(id, LONG).unwrap();
    assert!(matches!(device.snapshots().unwrap().load(id, LONG), Err(DeviceError::Failed { .. })));
}

#[test]
fn an_emulator_goes_back_through_its_console() {
    let server = FakeServer::emulator();
    goes_back(open(&server, "", TOKEN), &server);
}

#[test]
fn a_virtual_machine_goes_back_through_qemu() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("qmp");
    let server = FakeServer::start("192.168.1.7:5555");
    qemu::serve(&socket, server.console);
    goes_back(open(&server, &format!("&qmp={}", socket.display()), ""), &server);
}

#[test]
fn a_load_that_did_nothing_is_tried_again() {
    let server = FakeServer::emulator();
    let mut device = open(&server, "", TOKEN);
    let first = device.snapshots().unwrap().save(LONG).unwrap();
    device.perform(&Event::tap(5, 350), LONG).unwrap();
    let lie = |times: u32| server.phone().fault(times, "avd snapshot load", "");
    lie(1);
    device.snapshots().unwrap().load(first, LONG).unwrap();
    assert!(server.shows("Count: 0"), "even of the snapshot that was saved last");
    device.perform(&Event::tap(5, 350), LONG).unwrap();
    let _second = device.snapshots().unwrap().save(LONG).unwrap();
    lie(2);
    device.snapshots().unwrap().load(first, LONG).unwrap();
    assert!(server.shows("Count: 0"));
    let _third = device.snapshots().unwrap().save(LONG).unwrap();
    lie(100);
    let refused = device.snapshots().unwrap().load(first, LONG).unwrap_err().to_string();
    assert!(refused.contains("not as it was saved"), "{refused}");
}

#[test]
fn what_was_cut_off_when_it_was_saved_is_undone_after_a_load_too() {
    let server = FakeServer::emulator();
    let mut device = open(&server, "", TOKEN);
    let extras = [("connected".to_owned(), "false".to_owned())].into();
    let cut = SystemEvent { action: "android.net.conn.CONNECTIVITY_CHANGE".to_owned(), extras };
    device.perform(&Event::System(cut), LONG).unwrap();
    let id = device.snapshots().unwrap().save(LONG).unwrap();
    device.reset(Seed(2), LONG).unwrap();
    device.snapshots().unwrap().load(id, LONG).unwrap();
    server.forget();
    device.reset(Seed(3), LONG).unwrap();
    assert!(server.heard("svc wifi enable"));
}

#[test]
fn without_the_token_there_are_no_snapshots() {
    let server = FakeServer::emulator();
    assert!(open(&server, "", "wrong").snapshots().is_none());
}

#[test]
fn the_console_brings_system_events() {
    let server = FakeServer::emulator();
    let mut device = open(&server, "", TOKEN);
    let extras = [("text".to_owned(), "hello".to_owned())].into();
    let sms = Event::System(SystemEvent { action: "sms:send".to_owned(), extras });
    server.phone().fault(1, "sms send 5550100 hello", "");
    device.perform(&sms, LONG).unwrap();
    assert!(server.shows("Messages: 0"), "the console is told so");
    device.perform(&sms, LONG).unwrap();
    assert!(server.shows("Messages: 1"));
    let unknown = device.perform(&Event::system("emulator:dance"), LONG).unwrap_err().to_string();
    assert!(unknown.contains("unknown command"), "{unknown}");
}

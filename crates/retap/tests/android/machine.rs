//! Time travel with a whole virtual machine: kernel, network and device go back together.

use std::time::Duration;

use retap_adb::client::{Address, Client};
use retap_adb::{AdbDevice, AdbOptions};
use retap_device::{Device, Look};
use retap_trace::{Event, GuiTree, Micros, Seed};

use crate::bench::{Bench, result};

const WITHIN: Micros = Micros::from_secs(120);

/// What the machine shows, and what it counts.
#[derive(Debug, PartialEq)]
struct Moment {
    activity: String,
    tree: Option<GuiTree>,
    counter: String,
    notes: String,
}

fn look(device: &mut AdbDevice, bench: &Bench) -> Moment {
    let seen = device.observe(Look::Tree, WITHIN).expect("it can be looked at");
    Moment {
        activity: seen.activity.to_string(),
        tree: seen.tree,
        counter: bench.shell("cat /data/local/tmp/counter"),
        notes: bench.shell("getprop debug.counter"),
    }
}

fn count_to(bench: &Bench, number: u32) {
    bench.shell(&format!("echo {number} > /data/local/tmp/counter; setprop debug.counter {number}"));
}

fn act(device: &mut AdbDevice, events: &[Event]) {
    for event in events {
        device.perform(event, WITHIN).expect("it is done");
        device.settle(WITHIN).expect("it comes to rest");
    }
}

fn open(bench: &Bench) -> AdbDevice {
    let client = Client::new(Address::Tcp { host: "127.0.0.1".to_owned(), port: bench.server_port });
    let spec = format!("{}&qmp={}", bench.spec(), bench.qmp().display()).parse().expect("a device");
    AdbDevice::open(&client, &spec, &AdbOptions::default(), Duration::from_mins(1)).expect("it is ready")
}

#[test]
fn a_virtual_machine_goes_back_in_time() {
    let Some(bench) = Bench::machine() else { return };
    let mut device = open(&bench);
    device.reset(Seed(1), WITHIN).expect("a fresh start");
    act(&mut device, &[Event::Launch]);
    count_to(&bench, 1);
    let first = look(&mut device, &bench);
    let one = device.snapshots().expect("QEMU saves it").save(WITHIN).expect("saved");
    act(&mut device, &[Event::tap(900, 136), Event::tap(500, 280), Event::text("Milk")]);
    count_to(&bench, 2);
    let second = look(&mut device, &bench);
    assert_ne!(first, second);
    let two = device.snapshots().expect("it has them").save(WITHIN).expect("saved");
    act(&mut device, &[Event::key(retap_trace::Key(3))]);
    count_to(&bench, 3);
    for _ in 0..2 {
        for (snapshot, moment) in [(one, &first), (two, &second)] {
            device.snapshots().expect("it has them").load(snapshot, WITHIN).expect("loaded");
            assert_eq!(&look(&mut device, &bench), moment, "everything is as it was saved");
            act(&mut device, &[Event::key(retap_trace::Key(3))]);
            count_to(&bench, 4);
        }
    }
    drop(device);

    let device = format!("{}&qmp={}", bench.spec(), bench.qmp().display());
    let (found, _, words) = result(
        bench
            .retap(&["explore", "--strategy", "timetravel", "--events", "300", "--seed", "4", "--json"])
            .args(["--device", &device, "--out", "night"]),
    );
    assert_eq!(found["status"], "done", "{words}");
    let travels = &found["time_travel"];
    assert!(travels["saves"].as_u64() > Some(0) && travels["restores"].as_u64() > Some(0), "{found}");
    assert_eq!((&travels["replayed_events"], &travels["failed"]), (&0.into(), &0.into()), "{found}");
}

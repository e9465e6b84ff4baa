//! The conformance suite on the virtual phone.

use std::time::Duration;

use retap_adb::{AdbDevice, AdbOptions};
use retap_device::Device;
use retap_device::conformance::{Breakage, ConformanceSubject, check};
use retap_trace::Event;

use crate::fake::{APP, FakeServer, Fault, TOKEN};

struct Fake {
    server: FakeServer,
    /// A server for each device that was broken: it must outlive it.
    broken: Vec<FakeServer>,
}

fn open(server: &FakeServer) -> AdbDevice {
    let options = AdbOptions {
        console_token: Some(TOKEN.to_owned()),
        quiet: Duration::from_millis(20),
        ..AdbOptions::default()
    };
    let spec = format!("adb?app={APP}").parse().unwrap();
    AdbDevice::open(&server.client(), &spec, &options, Duration::from_mins(1)).unwrap()
}

impl ConformanceSubject for Fake {
    fn device(&mut self) -> Box<dyn Device> {
        Box::new(open(&self.server))
    }

    fn first_activity(&self) -> &'static str {
        "com.example.counter.Main"
    }

    fn step(&self) -> (Event, &'static str) {
        (Event::tap(500, 150), "com.example.counter.Second")
    }

    fn mark(&self) -> Vec<Event> {
        vec![Event::tap(500, 350)]
    }

    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>> {
        let server = FakeServer::start("S9");
        let device = open(&server);
        match how {
            Breakage::Offline => server.set(Fault::Offline),
            Breakage::Hanging => server.set(Fault::Hanging),
            Breakage::NoApp => assert_eq!(server.says(&format!("pm uninstall {APP}")), "Success\n"),
            Breakage::NoSnapshots => {}
        }
        self.broken.push(server);
        Some(Box::new(device))
    }
}

#[test]
fn the_backend_does_all_that_a_device_must() {
    let mut fake = Fake { server: FakeServer::emulator(), broken: Vec::new() };
    assert_eq!(check(&mut fake), Vec::<String>::new());
}

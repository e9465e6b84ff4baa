//! The virtual device behind the real adb server: the conformance suite, and what a made-up server cannot show.
//! Skipped where adb is not installed.

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::time::Duration;

use retap_adb::client::{Address, Deadline};
use retap_adb::{AdbDevice, AdbOptions};
use retap_device::conformance::{Breakage, ConformanceSubject, check};
use retap_device::{Device, Look};
use retap_phone::{Android, Phone, PhoneSettings, Server, Speed, announce};
use retap_sim::SimDevice;
use retap_trace::{Aim, Event, Micros, Orientation, Point, Seed};

use crate::fake::apk;
use crate::real_server::RealServer;

const APP: &str = "org.retap.notes";

/// A phone, and a real server that knows it twice: as an emulator, and as a device in the network.
struct Real {
    adb: RealServer,
    phone: Option<Server>,
    console: u16,
    android: Android,
    /// Whatever was broken must outlive its device.
    broken: Vec<Self>,
}

impl Real {
    fn start(android: Android) -> Option<Self> {
        let adb = RealServer::start()?;
        let client = adb.client();
        let (console, daemon) = port_pair();
        let (console_port, port) =
            (console.local_addr().unwrap().port(), daemon.local_addr().unwrap().port());
        let settings = PhoneSettings { android, speed: Speed::Fast, ..PhoneSettings::default() };
        let device = SimDevice::open("sim:notes", &|_| Err(String::new())).unwrap();
        let phone = Server::start(&Phone::new(settings, device), daemon, Some(console)).unwrap();
        let Address::Tcp { port: server, .. } = client.address() else { panic!("it listens on a port") };
        let server = (Ipv4Addr::LOCALHOST, *server).into();
        let real = Self { adb, phone: Some(phone), console: console_port, android, broken: Vec::new() };
        let ready =
            |serial: &str| client.transport(serial).state(&soon()).is_ok_and(|state| state == "device");
        for attempt in 0..400 {
            // One after the other: a server that is just connecting to a port does not take it twice.
            let (emulator, in_network) = (ready(&real.emulator()), ready(&real.in_network()));
            match (emulator, in_network) {
                (true, true) => return Some(real),
                (false, _) if attempt % 20 == 0 => announce(server, port).unwrap(),
                (true, false) if attempt % 4 == 0 => {
                    client.connect_device(&real.in_network(), &soon()).unwrap();
                }
                _ => {}
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the server does not find the phone: {:?}", client.devices(&soon()));
    }

    fn emulator(&self) -> String {
        format!("emulator-{}", self.console)
    }

    fn in_network(&self) -> String {
        format!("127.0.0.1:{}", self.console + 1)
    }

    fn open(&self, serial: &str) -> AdbDevice {
        let spec = format!("adb:{serial}?app={APP}&quiet=0").parse().unwrap();
        AdbDevice::open(&self.adb.client(), &spec, &AdbOptions::default(), Duration::from_mins(1)).unwrap()
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        if let Some(phone) = self.phone.take() {
            phone.stop();
        }
    }
}

impl ConformanceSubject for Real {
    fn device(&mut self) -> Box<dyn Device> {
        Box::new(self.open(&self.emulator()))
    }

    fn first_activity(&self) -> &'static str {
        "org.retap.notes.MainActivity"
    }

    fn step(&self) -> (Event, &'static str) {
        (Event::tap(900, 136), "org.retap.notes.EditorActivity")
    }

    /// A new note with a title, saved.
    fn mark(&self) -> Vec<Event> {
        vec![
            Event::tap(900, 136),
            Event::tap(500, 280),
            Event::text("Milk"),
            Event::key(retap_trace::Key(4)),
            Event::tap(280, 1150),
        ]
    }

    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>> {
        let mut real = Self::start(self.android)?;
        let device = match how {
            Breakage::NoSnapshots => real.open(&real.in_network()),
            _ => real.open(&real.emulator()),
        };
        match how {
            Breakage::Offline => real.phone.take().unwrap().stop(),
            Breakage::Hanging => {
                let pid = real.adb.child.id().to_string();
                assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
            }
            Breakage::NoApp => {
                let phone = real.adb.client().transport(real.emulator());
                let said = phone.shell(&format!("pm uninstall {APP}"), &soon()).unwrap();
                assert_eq!(said.text().trim(), "Success");
            }
            Breakage::NoSnapshots => {}
        }
        self.broken.push(real);
        Some(Box::new(device))
    }
}

fn soon() -> Deadline {
    Deadline::within("a test", Duration::from_secs(20))
}

/// Two free ports, one above the other: the console's and the daemon's.
fn port_pair() -> (TcpListener, TcpListener) {
    let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
    let pair = || {
        let free = bind(0)?.local_addr().ok()?.port() & !1;
        Some((bind(free)?, bind(free.checked_add(1)?)?))
    };
    (0..1000).find_map(|_| pair()).unwrap()
}

#[test]
fn the_backend_does_all_that_a_device_must_through_real_adb() {
    for android in [Android::NINE, Android::ELEVEN, Android::FOURTEEN] {
        let Some(mut real) = Real::start(android) else { return };
        assert_eq!(check(&mut real), Vec::<String>::new(), "Android {}", android.release());
    }
}

/// Two fingers, through raw events of the touch screen: what is touched is what is meant, however it is held.
#[test]
fn raw_fingers_arrive_through_real_adb() {
    let Some(real) = Real::start(Android::NINE) else { return };
    let mut device = real.open(&real.emulator());
    let long = Micros::from_secs(60);
    device.reset(Seed(1), long).unwrap();
    device.perform(&Event::Launch, long).unwrap();
    for to in [Orientation::Portrait, Orientation::Landscape] {
        device.perform(&Event::Rotate { to }, long).unwrap();
        device.settle(long).unwrap();
        let pinch = Event::Pinch { aim: Aim::place(Point::new(500, 500)), percent: 200, over: long };
        device.perform(&pinch, long).unwrap();
        let seen = device.observe(Look::Tree, long).unwrap();
        let tree = seen.tree.unwrap();
        let button = tree.nodes().iter().find(|node| &*node.text == "New note").unwrap();
        // The first of two taps opens the editor; the second one comes within its time and finds nothing.
        device.perform(&Event::DoubleTap(Aim::place(button.bounds.center())), long).unwrap();
        device.settle(long).unwrap();
        assert_eq!(
            &*device.observe(Look::Activity, long).unwrap().activity,
            "org.retap.notes.EditorActivity",
            "{to}"
        );
        device.perform(&Event::key(retap_trace::Key(4)), long).unwrap();
        device.settle(long).unwrap();
    }
}

/// Every letter there is, through a real server: by the keyboard app, which is asked for and put back.
#[test]
fn any_letter_is_typed_through_real_adb() {
    const TEXT: &str = "Grüße, 日本語, مرحبا 👩‍👧 it's 100%sure";
    let Some(real) = Real::start(Android::FOURTEEN) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keyboard.apk");
    std::fs::write(&file, apk("com.android.adbkeyboard", 0)).unwrap();
    let phone = real.adb.client().transport(real.emulator());
    phone.install(&file, true, &soon()).unwrap();
    let keyboard = || phone.shell("settings get secure default_input_method", &soon()).unwrap().text();
    let before = keyboard();
    let mut device = real.open(&real.emulator());
    let long = Micros::from_secs(60);
    device.reset(Seed(1), long).unwrap();
    for event in [Event::Launch, Event::tap(900, 136), Event::tap(500, 280), Event::text(TEXT)] {
        device.perform(&event, long).unwrap();
        device.settle(long).unwrap();
    }
    let seen = device.observe(Look::Tree, long).unwrap();
    let texts: Vec<String> = seen.tree.unwrap().nodes().iter().map(|node| node.text.to_string()).collect();
    assert!(texts.iter().any(|text| text == TEXT), "{texts:?}");
    assert_ne!(keyboard(), before);
    device.close().unwrap();
    assert_eq!(keyboard(), before);
}

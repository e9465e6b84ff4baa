//! A real app in a real JVM passes what every backend must pass.
//!
//! What the Java side needs is built once, in the folder of the build.

use std::path::PathBuf;
use std::process::Command;

use retap_device::Device;
use retap_device::conformance::{Breakage, ConformanceSubject, check};
use retap_jvm::{JvmEnvironment, JvmError, JvmHost, JvmNotices, SetupError};
use retap_testing::{Requirement, recordings, skipped};
use retap_trace::{Aim, Event, Point, Selector};

struct Subject(JvmHost);

const PACKAGE: &str = "de.freewarepoint.whohasmystuff";

fn named(id: &str) -> Selector {
    Selector { id: Some(format!("{PACKAGE}:id/{id}").into()), ..Selector::default() }
}

fn tap(id: &str) -> Event {
    Event::Tap(Aim::widget(Point::new(0, 0), named(id)))
}

impl ConformanceSubject for Subject {
    fn device(&mut self) -> Box<dyn Device> {
        Box::new(self.0.device(JvmNotices::new(|_| ())).expect("the app opens"))
    }

    fn first_activity(&self) -> &'static str {
        "de.freewarepoint.whohasmystuff.ListLentObjects"
    }

    fn step(&self) -> (Event, &str) {
        (tap("toptext"), "de.freewarepoint.whohasmystuff.AddObject")
    }

    fn mark(&self) -> Vec<Event> {
        let words = Event::Text { text: "a ladder".to_owned(), widget: Some(named("add_description")) };
        vec![tap("toptext"), words, tap("add_button")]
    }

    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>> {
        // The others take a JVM that does not do as it should: the tests of the device have one.
        (how == Breakage::NoSnapshots).then(|| self.device())
    }
}

#[test]
fn an_app_in_a_jvm_is_a_device() {
    let Some(apps) = recordings("apks/simplydroid") else { return };
    for program in ["java", "javac", "mvn"] {
        if Command::new(program).arg("-version").output().is_err() {
            return skipped(Requirement::Java, format_args!("there is no {program}"));
        }
    }
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jvm-cache"));
    let environment = JvmEnvironment { cache, ..JvmEnvironment::read() };
    let spec = format!("jvm:{}", apps.join("whohasmystuff.apk").display()).parse().unwrap();
    match JvmHost::prepare(&spec, &environment, &mut |progress| println!("{progress:?}")) {
        Ok(host) => assert_eq!(check(&mut Subject(host)), Vec::<String>::new()),
        Err(JvmError::Setup(SetupError::Maven { why, .. })) => skipped(Requirement::Java, why),
        Err(error) => panic!("{error}"),
    }
}

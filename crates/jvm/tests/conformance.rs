//! Real apps in a real JVM pass what every backend must pass: the sample, and one of other people's.
//!
//! What the Java side needs is built once, in the folder of the build.

use std::path::PathBuf;
use std::process::Command;

use retap_device::Device;
use retap_device::conformance::{Breakage, ConformanceSubject, check};
use retap_jvm::{JvmEnvironment, JvmError, JvmHost, JvmNotices, SetupError};
use retap_testing::{Requirement, recordings, skipped};
use retap_trace::{Aim, Event, Point, Selector};

/// What is known of an app.
struct Facts {
    package: &'static str,
    first: &'static str,
    /// The button that leads from the first screen to another one, and that one.
    opens: (&'static str, &'static str),
    /// There: a field, words for it, and the button that keeps them.
    keeps: (&'static str, &'static str, &'static str),
}

const SAMPLE: Facts = Facts {
    package: "org.retap.pantry",
    first: "org.retap.pantry.PantryActivity",
    opens: ("add", "org.retap.pantry.ItemActivity"),
    keeps: ("name", "Barley", "save"),
};
const WHO_HAS_MY_STUFF: Facts = Facts {
    package: "de.freewarepoint.whohasmystuff",
    first: "de.freewarepoint.whohasmystuff.ListLentObjects",
    opens: ("toptext", "de.freewarepoint.whohasmystuff.AddObject"),
    keeps: ("add_description", "a ladder", "add_button"),
};

struct Subject {
    host: JvmHost,
    facts: Facts,
}

impl Subject {
    fn named(&self, id: &str) -> Selector {
        Selector { id: Some(format!("{}:id/{id}", self.facts.package).into()), ..Selector::default() }
    }

    fn tap(&self, id: &str) -> Event {
        Event::Tap(Aim::widget(Point::new(0, 0), self.named(id)))
    }
}

impl ConformanceSubject for Subject {
    fn device(&mut self) -> Box<dyn Device> {
        Box::new(self.host.device(JvmNotices::new(|_| ())).expect("the app opens"))
    }

    fn first_activity(&self) -> &'static str {
        self.facts.first
    }

    fn step(&self) -> (Event, &str) {
        (self.tap(self.facts.opens.0), self.facts.opens.1)
    }

    fn mark(&self) -> Vec<Event> {
        let (field, words, button) = self.facts.keeps;
        let words = Event::Text { text: words.to_owned(), widget: Some(self.named(field)) };
        vec![self.tap(self.facts.opens.0), words, self.tap(button)]
    }

    fn broken(&mut self, how: Breakage) -> Option<Box<dyn Device>> {
        // The others take a JVM that does not do as it should: the tests of the device have one.
        (how == Breakage::NoSnapshots).then(|| self.device())
    }
}

fn conforms(app: &str, facts: Facts) {
    for program in ["java", "javac", "mvn"] {
        if Command::new(program).arg("-version").output().is_err() {
            return skipped(Requirement::Java, format_args!("there is no {program}"));
        }
    }
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("jvm-cache"));
    let environment = JvmEnvironment { cache, ..JvmEnvironment::read() };
    let spec = format!("jvm:{app}").parse().expect("a device");
    match JvmHost::prepare(&spec, &environment, &mut |_| ()) {
        Ok(host) => assert_eq!(check(&mut Subject { host, facts }), Vec::<String>::new()),
        Err(JvmError::Setup(SetupError::Maven { why, .. })) => skipped(Requirement::Java, why),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_sample_in_a_jvm_is_a_device() {
    conforms("sample", SAMPLE);
}

#[test]
fn an_app_of_other_people_in_a_jvm_is_a_device() {
    let Some(apps) = recordings("apks/simplydroid") else { return };
    conforms(&apps.join("whohasmystuff.apk").display().to_string(), WHO_HAS_MY_STUFF);
}

use retap_trace::Micros;

use super::*;

fn refused(text: &str) -> String {
    match text.parse::<SimSpec>() {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{text} should be refused"),
    }
}

fn app() -> Arc<App> {
    let text = "app tiny\nknob dialog = 0.5 probability\nknob pages = 3\nactivity Main\n  screen list\n";
    Arc::new(language::parse("tiny.app", text, &|_| Err(String::new())).unwrap())
}

#[test]
fn every_knob_of_the_device_is_understood() {
    let spec: SimSpec = "sim:./a.app?profile=phone&drop=0.02&latency=lognormal:400,0.5&order=1&variants=1\
                         &offline=0.01:12&blind=0.1&stale=0.2&badload=0.3&garbage=0.4&hang=0.5&slow=1&dialog=0.25"
        .parse()
        .unwrap();
    assert_eq!(spec.app, AppSource::File("./a.app".into()));
    assert_eq!(spec.profile, Profile::PHONE);
    assert_eq!(spec.latency, Latency::Lognormal(Micros::from_millis(400), 0.5));
    assert!(spec.order && spec.variants);
    let expected = Faults {
        offline: 0.01,
        offline_for: Micros::from_secs(12),
        blind: 0.1,
        stale: 0.2,
        bad_load: 0.3,
        garbage: 0.4,
        hang: 0.5,
        slow: 1.0,
        gone: 0.0,
    };
    assert_eq!(spec.faults, expected);
    assert!((spec.drop - 0.02).abs() < 1e-12);
    assert_eq!(spec.knobs, [("dialog".to_owned(), "0.25".to_owned())]);
}

#[test]
fn latencies_have_four_forms() {
    let latency = |text: &str| format!("sim:a.app?latency={text}").parse::<SimSpec>().unwrap().latency;
    let ms = Micros::from_millis;
    assert_eq!(latency("300"), Latency::Fixed(ms(300)));
    assert_eq!(latency("fixed:0.5"), Latency::Fixed(Micros(500)));
    assert_eq!(latency("uniform:100,900"), Latency::Uniform(ms(100), ms(900)));
    assert_eq!(latency("lognormal:400,0"), Latency::Lognormal(ms(400), 0.0));
}

#[test]
fn mistakes_get_one_sentence() {
    let told: Vec<String> = [
        "adb:1234",
        "sim:",
        "sim:a.app?drop=1.5",
        "sim:a.app?drop=-0.1",
        "sim:a.app?drop=NaN",
        "sim:a.app?drop",
        "sim:a.app?drop=",
        "sim:a.app?drop=0.1&drop=0.2",
        "sim:a.app?profile=fax",
        "sim:a.app?order=yes",
        "sim:a.app?latency=soon",
        "sim:a.app?latency=uniform:900,100",
        "sim:a.app?offline=0.1:always",
    ]
    .map(refused)
    .to_vec();
    insta::assert_snapshot!(told.join("\n"), @r"
    'adb:1234' is not a simulated device; write sim:NAME or sim:FILE.app, with knobs as in sim:notes?drop=0.1
    'sim:' is not a simulated device; write sim:NAME or sim:FILE.app, with knobs as in sim:notes?drop=0.1
    the knob 'drop' takes a probability from 0 to 1, not '1.5'
    the knob 'drop' takes a probability from 0 to 1, not '-0.1'
    the knob 'drop' takes a probability from 0 to 1, not 'NaN'
    the knob 'drop' has no value; write drop=VALUE
    the knob 'drop' has no value; write drop=VALUE
    the knob 'drop' is given twice; leave one of them out
    the knob 'profile' takes one of emulator, emulator2020, phone and browser, not 'fax'
    the knob 'order' takes 0 or 1, not 'yes'
    the knob 'latency' takes a time in ms (300), uniform:100,900 or lognormal:400,0.5, not 'soon'
    the knob 'latency' takes a time in ms (300), uniform:100,900 or lognormal:400,0.5, not 'uniform:900,100'
    the knob 'offline' takes a probability and how many seconds, as in 0.01:30, not '0.1:always'
    ");
}

#[test]
fn unknown_apps_are_refused_with_the_known_ones() {
    let told = refused("sim:nosuchapp");
    assert!(told.starts_with("there is no app 'nosuchapp'; the apps are "), "{told}");
    assert!(library::names().all(|name| told.contains(name)), "{told}");
}

#[test]
fn knobs_of_the_app_are_checked_against_it() {
    let program = |query: &str| {
        let spec: SimSpec = format!("sim:tiny.app?{query}").parse().unwrap();
        spec.program(app()).map_err(|error| error.to_string())
    };
    assert!(program("dialog=0.9&pages=12").is_ok());
    let told = ["dialgo=0.9", "drp=0.1", "dialog=2", "pages=many", "zzzzzz=1"]
        .map(|query| program(query).unwrap_err())
        .join("\n");
    insta::assert_snapshot!(told, @r"
    there is no knob 'dialgo'; the knobs are dialog, pages, profile, drop, latency, order, variants, offline, blind, stale, badload, garbage, hang, slow, gone; did you mean `dialog`?
    there is no knob 'drp'; the knobs are dialog, pages, profile, drop, latency, order, variants, offline, blind, stale, badload, garbage, hang, slow, gone; did you mean `drop`?
    the knob 'dialog' takes a probability from 0 to 1, not '2'
    the knob 'pages' takes a number, not 'many'
    there is no knob 'zzzzzz'; the knobs are dialog, pages, profile, drop, latency, order, variants, offline, blind, stale, badload, garbage, hang, slow, gone
    ");
}

#[test]
fn files_are_read_by_the_caller() {
    let spec: SimSpec = "sim:dir/tiny.app".parse().unwrap();
    let read = |path: &str| match path {
        "dir/tiny.app" => Ok("app tiny\nactivity Main\n  screen list\n".to_owned()),
        _ => Err("no such file".to_owned()),
    };
    assert_eq!(&*spec.load(&read).unwrap().name, "tiny");
    let missing: SimSpec = "sim:dir/other.app".parse().unwrap();
    assert_eq!(missing.load(&read).unwrap_err().to_string(), "cannot read dir/other.app: no such file");
    let broken = spec.load(&|_| Ok("app tiny\nactivty Main\n".to_owned())).unwrap_err().to_string();
    assert!(broken.starts_with("dir/tiny.app:2:1: "), "{broken}");
}

#[test]
fn the_generator_gets_its_parameters() {
    let spec: SimSpec = "sim:gen?seed=7&screens=80&drop=0.1".parse().unwrap();
    let parameters =
        [("seed", "7"), ("screens", "80")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(spec.app, AppSource::Generated(parameters.to_vec()));
    assert!((spec.drop - 0.1).abs() < 1e-12 && spec.knobs.is_empty());
}

#[test]
fn no_app_can_hide_a_knob_of_the_device() {
    for name in knob::NAMES {
        let text = format!("app tiny\nknob {name} = 1\nactivity Main\n  screen list\n");
        let error = language::parse("tiny.app", &text, &|_| Err(String::new())).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
}

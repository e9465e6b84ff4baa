//! The phone in the hands of other people's clients, from `PyPI`.

use std::path::Path;
use std::process::Command;

use crate::bench::Bench;
use retap_phone::PhoneSettings;
use retap_testing::python_with;

const PACKAGES: [&str; 3] = ["adbutils==2.12.0", "pure-python-adb==0.3.0.dev0", "uiautomator2==3.7.1"];

#[test]
fn clients_from_pypi_take_it_for_a_phone() {
    let Some(bench) = Bench::new(PhoneSettings::default()) else { return };
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("phone-venv");
    let Some(python) = python_with(&venv, &PACKAGES) else { return };
    bench.connect();
    let manifest = "<manifest package=\"com.example.small\" versionCode=\"3\" versionName=\"1.2\"/>";
    let zip = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:\n    \
               archive.writestr('AndroidManifest.xml', sys.argv[2])\n    archive.writestr('classes.dex', 'x' * 5000)\n";
    let made = bench.run(Command::new(&python).args(["-c", zip, "any.apk", manifest]));
    assert_eq!(made.status, 0, "{made:?}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools.py");
    let folder = bench.folder.to_str().expect("a plain path").to_owned();
    let port = bench.server_port.to_string();
    let said = bench.run(Command::new(&python).args([script, &port, &bench.serial(), &folder]));
    assert_eq!(said.status, 0, "{}\n{}", said.text(), said.err);
    for name in ["adbutils 2.12.0\n", "pure-python-adb\n", "uiautomator2\n"] {
        assert!(said.text().contains(name), "{said:?}");
    }
}

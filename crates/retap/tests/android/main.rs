//! The whole way through real adb: retap's virtual device, Debian's adb server, retap.
//! Where adb is absent, the tests say so and pass.

#![cfg(unix)]

mod bench; // device, server, retap
mod broken; // devices that break, and devices that are gone
mod commands; // list, doctor, screenshot, errors
mod export; // crashes as scripts for adb
mod kills; // an exploration that is killed again and again
mod machine; // a whole virtual machine, saved and put back
mod story; // explore, find, reduce, confirm; in peace and in trouble
mod webdriver; // crashes as tests for Appium and WebdriverIO

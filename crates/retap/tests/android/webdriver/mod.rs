//! Crashes as tests for Appium's Python client and for `WebdriverIO`: the real clients run them, through a WebDriver server
//! that acts on virtual devices (`bridge.py`). Where a client cannot be had, its test says so and passes.

mod bridge; // the WebDriver server, and devices with crashes and without
mod crashes; // those of the samples, and generated ones
mod python; // pytest with Appium-Python-Client
mod trial; // a test on a device, and how it must end
mod typescript; // WebdriverIO, and the compiler of TypeScript

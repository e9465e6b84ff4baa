//! `retap device`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const SERVE_HELP: &str = "\
Examples:
  retap device serve --app notes                          then: adb connect 127.0.0.1:5555
  retap device serve --app notes --console 5554           then: adb -s emulator-5554 shell
  retap device serve --app 'notes?blind=0.2&badload=0.2' --console 5554 --fast";

#[derive(Debug, Subcommand)]
pub(crate) enum DeviceCommand {
    /// List the devices and built-in apps
    List,
    /// Look whether devices are fit for use, and say what to do where they are not
    ///
    /// Ends with 0 when everything works, with 1 when something does not.
    Doctor {
        /// The device, such as adb:emulator-5554?app=com.example or jvm:APP.apk [default: all that adb knows]
        #[arg(value_name = "DEVICE")]
        device: Option<String>,
    },
    /// Be an Android device that exists only in memory; real adb connects to it
    Serve(ServeArgs),
    /// Launch the app on a fresh device and save what its screen shows
    Screenshot {
        /// The device, such as sim:notes
        #[arg(value_name = "DEVICE")]
        device: String,
        /// The PNG file to write
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A trace to perform first
        #[arg(long, value_name = "TRACE")]
        after: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub(crate) struct ServeArgs {
    /// The app on it: a built-in one, a file, or either with settings, such as notes?drop=0.02
    #[arg(long, value_name = "APP", default_value = "notes")]
    pub(crate) app: String,
    /// The port for adb
    #[arg(long, value_name = "PORT", default_value_t = 5555)]
    pub(crate) port: u16,
    /// Who may connect: only this computer, unless another of its addresses is given
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: std::net::IpAddr,
    /// Be an emulator, with a console and snapshots: the port below the one for adb
    #[arg(long, value_name = "PORT")]
    pub(crate) console: Option<u16>,
    /// The version of Android that it claims to run: 9 to 15, or an API level from 28 to 35
    #[arg(long, value_name = "VERSION", default_value = "14")]
    pub(crate) android: String,
    /// Nobody waits: time passes only by what is done
    #[arg(long)]
    pub(crate) fast: bool,
    /// Ask every computer for a key, as phones do; any key is welcome
    #[arg(long)]
    pub(crate) auth: bool,
}

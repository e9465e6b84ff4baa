//! How the threads of an app in a JVM take turns: part of every command that takes `--device`.

use clap::Args;
use retap_jvm::JvmMode;

#[derive(Debug, Default, Args)]
pub(crate) struct ModeArgs {
    /// With jvm:APP.apk: the app's threads take turns in an order that the seed decides, as with ?mode=calm. Without
    /// either, the mode of the trace or of retap.toml holds, else this one
    #[arg(long, conflicts_with = "wild")]
    calm: bool,
    /// With jvm:APP.apk: the app's threads run as they come, as with ?mode=wild, so that races show
    #[arg(long)]
    wild: bool,
}

impl ModeArgs {
    /// The mode that was typed.
    pub(crate) const fn typed(&self) -> Option<JvmMode> {
        match (self.calm, self.wild) {
            (true, _) => Some(JvmMode::Calm),
            (_, true) => Some(JvmMode::Wild),
            _ => None,
        }
    }
}

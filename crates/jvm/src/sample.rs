//! The app that is part of retap: its sources are embedded beside the Java side, which builds it once.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::JvmError;
use crate::made::{NotMade, is_whole, make};
use crate::sandbox::Sandbox;
use crate::setup::JavaSide;
use crate::sidecar;
use crate::toolchain::Jdk;

/// Its package.
pub const PACKAGE: &str = "org.retap.pantry";

/// It takes three seconds where nothing else goes on.
const LONGEST: Duration = Duration::from_mins(3);

/// The file of the app, built if need be.
pub(crate) fn apk(
    jdk: &Jdk,
    side: &JavaSide,
    sandbox: &Sandbox,
    begins: &mut dyn FnMut(),
) -> Result<PathBuf, JvmError> {
    let kept = side.root.join("apps").join("sample.apk");
    if is_whole(&kept) {
        return Ok(kept);
    }
    jdk.compiles()?;
    begins();
    let sources = side.root.join("sample");
    let made = make(&kept, LONGEST, |out, making| sidecar::sample(jdk, side, sandbox, &sources, out, making));
    made.map(|()| kept).map_err(|error| match error {
        NotMade::Folder(error) => error,
        NotMade::Refused(why) => JvmError::Sample { why },
        NotMade::Failed(why) => JvmError::Sample { why: format!("the process {why}") },
    })
}

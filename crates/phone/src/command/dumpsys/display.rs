//! `dumpsys display`, `power` and `SurfaceFlinger`: the screen, from all sides.

use crate::command::options::Options;
use crate::shell::{CommandOutcome, Process};

const DISPLAY_ID: &str = "4619827259835644672";

/// Width and height as the phone is held, and how far it was turned.
fn screen(process: &Process<'_>) -> (u32, u32, u32) {
    process.phone().with(|state| {
        let size = state.screen();
        (size.width, size.height, u32::from(size.width > size.height))
    })
}

pub(super) fn display(process: &Process<'_>) -> CommandOutcome {
    let (width, height, turned) = screen(process);
    process.done(format!(
        "DISPLAY MANAGER (dumpsys display)\n  mSafeMode=false\n  mPendingTraversal=false\n  \
         mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, \
         uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={turned}, logicalFrame=Rect(0, 0 - {width}, \
         {height}), physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, deviceHeight={height}}}]\n\n\
         Logical Displays: size=1\n  Display 0:\n    mDisplayId=0\n    mCurrentOrientation={turned}\n    \
         mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, FLAG_SECURE, real {width} x {height}, largest \
         app {height} x {height}, density 420 (420.0 x 420.0) dpi, rotation {turned}, state ON}}\n  mScreenState=ON\n"
    ))
}

pub(super) fn power(process: &Process<'_>) -> CommandOutcome {
    let level = process.phone().with(|state| (state.world.battery.plugged(), state.world.battery.level));
    process.done(format!(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=Awake\n  mWakefulnessChanging=false\n  \
         mIsPowered={}\n  mBatteryLevel={}\n  mStayOn=true\n  mHalInteractiveModeEnabled=true\n  \
         mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker=true\n\nDisplay Power: state=ON\n",
        level.0, level.1
    ))
}

pub(super) fn surfaces(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let (width, height, _) = screen(process);
    let line =
        format!("Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=GGL displayName=\"EMU_display_0\"\n");
    if args.next().as_deref() == Some("--display-id") {
        return process.done(line);
    }
    process.done(format!("{line}  resolution={width}x{height}\n"))
}

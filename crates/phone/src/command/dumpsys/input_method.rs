//! `dumpsys input_method`: whether the keyboard is up.

use super::mark;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>) -> CommandOutcome {
    let text = process.phone().with(|state| {
        let shown = state.machine().keyboard();
        let method = state.world.tables.get("secure", "default_input_method").unwrap_or_default().to_owned();
        let window = format!("Window{{{} u0 {}/{}}}", mark("w"), state.machine().package(), state.machine().activity());
        format!(
            "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n  InputMethod #0:\n    \
             mId={method} mSettingsActivityName=null mIsVrOnly=false\n  mCurMethodId={method}\n  mCurId={method} \
             mHaveConnection=true mBoundToMethod=true\n  mShowRequested={shown} mShowExplicitlyRequested=false \
             mShowForced=false mInputShown={shown}\n  mInFullscreenMode=false\n  mCurFocusedWindow={window}\n  \
             mSystemReady=true mInteractive=true\n  mIsInputViewShown={shown}\n"
        )
    });
    process.done(text)
}

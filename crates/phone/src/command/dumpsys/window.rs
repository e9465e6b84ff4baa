//! `dumpsys window`: windows, displays, and what has the focus.

use super::{Front, mark, shown};
use retap_trace::Size;

use crate::command::options::Options;
use crate::phone::State;
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let what = args.word();
    // Since Android 10 the focus is the display's, not the window list's.
    let old = process.phone().settings().android.api() < 29;
    let text = process.device(|state| {
        let front = Front::see(state)?;
        Ok(match &*what {
            "windows" => windows(state, &front, old),
            "displays" => displays(state, &front),
            _ => [policy(state), displays(state, &front), windows(state, &front, old)].concat(),
        })
    })?;
    shown(process, "window", text)
}

fn focus(front: &Front) -> String {
    let Front { package, activity, short, task, .. } = front;
    format!(
        "  mCurrentFocus=Window{{{} u0 {package}/{activity}}}\n  mFocusedApp=ActivityRecord{{{} u0 {short} t{task}}}\n",
        mark(activity),
        mark(short)
    )
}

fn windows(state: &State, front: &Front, with_focus: bool) -> String {
    let Size { width, height } = state.screen();
    let Front { package, activity, task, .. } = front;
    let keyboard = state.machine().keyboard();
    let mut text = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n".to_owned();
    let mut window = |number: u32, name: &str, owner: &str, shown: bool, top: u32| {
        text.push_str(&format!(
            "  Window #{number} Window{{{} u0 {name}}}:\n    mDisplayId=0 rootTaskId={task} mSession=Session{{{} \
             497:u0a10101}}\n    mOwnerUid=10101 showForAllUsers=false package={owner} appop=NONE\n    \
             Requested w={width} h={height} mLayoutSeq=1\n    mHasSurface={shown} isReadyForDisplay()={shown} \
             mWindowRemovalAllowed=false\n    Frames: parent=[0,{top}][{width},{height}] display=[0,{top}][{width},{height}] \
             frame=[0,{top}][{width},{height}]\n    isOnScreen={shown}\n    isVisible={shown}\n",
            mark(name),
            mark("session"),
        ));
    };
    window(0, "InputMethod", "com.android.inputmethod.latin", keyboard, height * 60 / 100);
    window(1, &format!("{package}/{activity}"), package, true, 0);
    if with_focus {
        text.push('\n');
        text.push_str(&focus(front));
    }
    text
}

fn displays(state: &State, front: &Front) -> String {
    let Size { width, height } = state.screen();
    let rotation = u32::from(width > height);
    format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n    \
         init=1080x1920 420dpi mMinSizeOfResizeableTaskDp=220 cur={width}x{height} app={width}x{height} \
         rng=1080x1017-1857x1794\n    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion()\n\n{}  \
         mDisplayRotation={rotation}\n  mCurrentRotation=ROTATION_{}\n",
        focus(front),
        rotation * 90
    )
}

fn policy(state: &State) -> String {
    let size = state.screen();
    let rotation = if size.width > size.height { "ROTATION_90" } else { "ROTATION_0" };
    format!(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSystemReady=true mSystemBooted=true\n    \
         mAwake=true\n    mScreenOnFully=true\n    mKeyguardDrawComplete=true\n    mDreamingLockscreen=false\n    \
         mShowingLockscreen=false mShowingDream=false\n    KeyguardServiceDelegate\n      showing=false\n      \
         mIsShowing=false\n    mUserRotation={rotation}\n"
    )
}

//! `id`, `whoami` and `uname`: who and what this is.

use crate::shell::{Outcome, Process};

pub(super) fn id(process: &mut Process<'_>) -> Outcome {
    match process.args().first().map(String::as_str) {
        Some("-u") => process.say("2000")?,
        Some("-un") => process.say("shell")?,
        _ => process.say(
            "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),\
             1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),\
             3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs) context=u:r:shell:s0",
        )?,
    }
    Ok(0)
}

pub(super) fn whoami(process: &mut Process<'_>) -> Outcome {
    process.say("shell")?;
    Ok(0)
}

pub(super) fn uname(process: &mut Process<'_>) -> Outcome {
    match process.args().first().map(String::as_str) {
        Some("-a") => process.say("Linux localhost 5.15.41-android13-8 #1 SMP PREEMPT x86_64 Toybox")?,
        Some("-m") => process.say("x86_64")?,
        Some("-r") => process.say("5.15.41-android13-8")?,
        Some("-n") => process.say("localhost")?,
        _ => process.say("Linux")?,
    }
    Ok(0)
}

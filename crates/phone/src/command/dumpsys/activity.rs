//! `dumpsys activity`: tasks, activities and processes.

use super::{Front, mark, shown};
use crate::command::options::Options;
use crate::phone::{State, short_component};
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let what = args.word();
    let api = process.phone().settings().android.api();
    let text = process.device(|state| {
        let front = Front::see(state)?;
        Ok(match &*what {
            "activities" | "" => activities(state, &front, api),
            "top" => top(&front),
            _ => String::new(),
        })
    })?;
    shown(process, "activity", text)
}

fn record(front_short: &str, task: u32) -> String {
    format!("ActivityRecord{{{} u0 {front_short} t{task}}}", mark(front_short))
}

/// The components in the task in front, the topmost first.
fn history(state: &State, front: &Front) -> Vec<String> {
    let app = state.package();
    let mut history = Vec::new();
    if front.task == 12 || state.machine().running() {
        history.extend(state.machine().stack().map(|activity| short_component(&app, activity)));
    }
    history.reverse();
    if history.first() != Some(&front.short) {
        history.insert(0, front.short.clone());
    }
    history
}

fn activities(state: &State, front: &Front, api: u32) -> String {
    let record = record(&front.short, front.task);
    let history = if front.task == 12 { history(state, front) } else { vec![front.short.clone()] };
    let title = "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n";
    match api {
        ..=28 => format!("{title}{}", activities_9(front, &record, &history)),
        29..=30 => format!("{title}{}", activities_11(front, &record, &history)),
        _ => format!("{title}{}", activities_14(front, &record, &history)),
    }
}

fn entries(front: &Front, history: &[String], indent: &str, word: &str) -> String {
    let mut text = String::new();
    for (number, short) in history.iter().enumerate() {
        let place = history.len() - 1 - number;
        let record = record(short, front.task);
        text.push_str(&format!("{indent}* {word} #{place}: {record}\n"));
        text.push_str(&format!("{indent}    packageName={} processName={}\n", front.package, front.package));
        let state = if number == 0 { "RESUMED" } else { "STOPPED" };
        text.push_str(&format!("{indent}    state={state} delayedResume=false finishing=false\n"));
    }
    text
}

fn activities_9(front: &Front, record: &str, history: &[String]) -> String {
    let Front { package, task, .. } = front;
    let size = history.len();
    let task_record = format!("TaskRecord{{{} #{task} A={package} U=0 StackId=1 sz={size}}}", mark(package));
    let entries = entries(front, history, "      ", "Hist");
    format!(
        "Display #0 (activities from top to bottom):\n\n  Stack #1: type=standard mode=fullscreen\n  isSleeping=false\n  \
         mBounds=Rect(0, 0 - 0, 0)\n    Task id #{task}\n    mBounds=Rect(0, 0 - 0, 0)\n    mMinWidth=-1\n    \
         mMinHeight=-1\n    mLastNonFullscreenBounds=null\n    * {task_record}\n{entries}\n    Running activities (most \
         recent first):\n      {task_record}\n        Run #0: {record}\n\n    mResumedActivity: {record}\n\n  \
         mResumedActivity: {record}\n  mFocusedStack=ActivityStack{{{} stackId=1 type=standard mode=fullscreen \
         visible=true translucent=false, 1 tasks}} mLastFocusedStack=null\n  mCurTaskIdForUser={{0={task}}}\n  \
         mUserStackInFront={{}}\n  KeyguardController:\n    mKeyguardShowing=false\n    mAodShowing=false\n",
        mark("stack")
    )
}

fn activities_11(front: &Front, record: &str, history: &[String]) -> String {
    let Front { package, task, .. } = front;
    let size = history.len();
    let entries = entries(front, history, "      ", "Hist");
    let task_record = format!(
        "Task{{{} #{task} visible=true type=standard mode=fullscreen translucent=false A=10101:{package} U=0 \
         StackId={task} sz={size}}}",
        mark(package)
    );
    format!(
        "Display #0 (activities from top to bottom):\n  Stack #{task}: type=standard mode=fullscreen\n    \
         isSleeping=false\n    mBounds=Rect(0, 0 - 0, 0)\n    mResumedActivity: {record}\n    * {task_record}\n\
         {entries}\n  ResumedActivity:{record}\n\n  ResumedActivity: {record}\n  mFocusedStack={task_record}\n  \
         mCurTaskIdForUser={{0={task}}}\n  KeyguardController:\n    mKeyguardShowing=false\n    mAodShowing=false\n"
    )
}

fn activities_14(front: &Front, record: &str, history: &[String]) -> String {
    let Front { package, task, .. } = front;
    let size = history.len();
    let entries = entries(front, history, "    ", "Hist ");
    let task_record = format!(
        "Task{{{} #{task} type=standard A=10101:{package} U=0 visible=true visibleRequested=true mode=fullscreen \
         translucent=false sz={size}}}",
        mark(package)
    );
    format!(
        "Display #0 (activities from top to bottom):\n  * {task_record}\n    mBounds=Rect(0, 0 - 0, 0)\n    \
         mMinWidth=-1 mMinHeight=-1\n    isSleeping=false\n    topResumedActivity={record}\n{entries}\n  Resumed \
         activities in task display areas (from top to bottom):\n   Resumed: {record}\n\n  ResumedActivity: \
         {record}\n\nActivityTaskSupervisor state:\n  topDisplayFocusedRootTask={task_record}\n  \
         mLastOrientationSource={record}\n  mCurTaskIdForUser={{0={task}}}\n  KeyguardController:\n    \
         mKeyguardShowing=false\n    mAodShowing=false\n    mKeyguardGoingAway=false\n"
    )
}

fn top(front: &Front) -> String {
    let Front { package, short, process, task, .. } = front;
    let mark = mark(short);
    format!(
        "TASK {package} id={task} userId=0\n  ACTIVITY {short} {mark} pid={process}\n    Local Activity {mark} State:\n      \
         mResumed=true mStopped=false mFinished=false\n"
    )
}

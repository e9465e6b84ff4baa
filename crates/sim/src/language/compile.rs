//! The second pass: windows first, then handlers, into the tables of an app.

use crate::app::{
    Activity, ActivityId, App, BlockId, Effect, Gesture, Timer, WidgetId, WindowId, WindowKind,
};

use super::code::{Code, Handler};
use super::declare::{ActivityPlan, Outline};
use super::error::Checked;
use super::trigger::Trigger;
use super::widgets::{self, WidgetHandler};

/// Turns an outline into an app.
pub(super) fn compile(outline: &Outline<'_>, build: String) -> Checked<App> {
    let names = &outline.names;
    let mut windows = Vec::new();
    let mut handlers = Vec::new();
    for (plan, kind) in outline.windows.iter().zip(&names.window_kinds) {
        let (window, own) = widgets::window(names, plan, *kind)?;
        windows.push(window);
        handlers.push(own);
    }

    let mut code = Code::new(names, &windows);
    let on_start = match outline.start {
        None => None,
        Some(line) => Some(code.handler(line, Handler::new(None, "start".to_owned()), None)?),
    };
    let mut receivers = Vec::new();
    for (action, line) in &outline.receivers {
        let short = action.rsplit('.').next().unwrap_or(action);
        let handler = Handler::new(None, format!("system.{short}"));
        receivers.push((action.clone(), code.handler(line, handler, None)?));
    }
    let mut timers = Vec::new();
    for (name, every, line) in &outline.timers {
        let tick = code.handler(line, Handler::new(None, format!("timer.{name}")), None)?;
        timers.push(Timer { name: name.clone(), every: *every, tick });
    }
    let mut activities = Vec::new();
    for (number, plan) in outline.activities.iter().enumerate() {
        activities.push(activity(&mut code, number, plan)?);
    }
    let mut attached = Vec::new();
    for (number, own) in handlers.iter().enumerate() {
        for handler in own {
            let block = widget_handler(&mut code, outline, number, handler)?;
            attached.push((number, handler.widget, handler.gesture, block));
        }
    }

    let Code { blocks, sites, coverage, .. } = code;
    for (window, WidgetId(widget), gesture, block) in attached {
        windows[window].widgets[usize::from(widget)].handlers.push((gesture, block));
    }
    Ok(App {
        name: outline.name.clone(),
        package: names.package.clone(),
        label: outline.label.clone(),
        build: build.into(),
        vars: names.vars.clone(),
        knobs: names.knobs.clone(),
        permissions: names.permissions.in_order(),
        activities,
        windows,
        timers,
        receivers,
        on_start,
        blocks,
        sites,
        coverage: coverage.names,
    })
}

fn activity(code: &mut Code<'_>, number: usize, plan: &ActivityPlan<'_>) -> Checked<Activity> {
    let id = ActivityId(u16::try_from(number).unwrap_or(u16::MAX));
    let name = if plan.name.contains('.') {
        plan.name.clone()
    } else {
        format!("{}.{}", code.names.package, plan.name).into()
    };
    let mut activity = Activity {
        name,
        exported: plan.exported || number == 0,
        first: plan.first,
        on_create: None,
        on_resume: None,
        on_pause: None,
        on_back: None,
        on_menu: None,
        on_key: Vec::new(),
    };
    for (trigger, line) in &plan.handlers {
        let mut handler = Handler::new(Some(id), format!("{}.{trigger}", simple(&plan.name)));
        if *trigger == Trigger::Create {
            handler.front = Some(plan.first);
        }
        let block = code.handler(line, handler, None)?;
        match trigger {
            Trigger::Create => activity.on_create = Some(block),
            Trigger::Resume => activity.on_resume = Some(block),
            Trigger::Pause => activity.on_pause = Some(block),
            Trigger::Back => activity.on_back = Some(block),
            Trigger::Menu => activity.on_menu = Some(block),
            Trigger::Key(key) => activity.on_key.push((*key, block)),
        }
    }
    Ok(activity)
}

fn widget_handler(
    code: &mut Code<'_>,
    outline: &Outline<'_>,
    window: usize,
    handler: &WidgetHandler<'_>,
) -> Checked<BlockId> {
    let plan = &outline.windows[window];
    // Choosing an item takes its menu away, as on a phone.
    let closes = code.windows[window].kind == WindowKind::Menu && handler.gesture == Gesture::Tap;
    let first = closes.then_some(Effect::Close);
    let Some(line) = handler.line else { return Ok(code.add(first.into_iter().collect())) };
    let activity = simple(&outline.activities[plan.activity.index()].name);
    let name = format!("{activity}.{}.{}", plan.name, handler.name);
    let mut context = Handler::new(Some(plan.activity), name);
    context.row = handler.row;
    context.front = (!closes).then(|| WindowId(u16::try_from(window).unwrap_or(u16::MAX)));
    code.handler(line, context, first)
}

/// The last part of an activity's name.
fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

//! What the machine relies on: every number in the tables refers to something, every expression has its kind.

use crate::app::{
    App, BlockId, Effect, Expr, Operator, Probability, Template, ValueKind, VarId, Widget, WidgetKind,
};

/// Checks a whole app.
///
/// # Panics
/// When the machine could trip over it.
pub(super) fn assert_sound(app: &App) {
    assert!(!app.activities.is_empty());
    for activity in &app.activities {
        assert!(activity.first.index() < app.windows.len());
        let keys = activity.on_key.iter().map(|(_, block)| *block);
        let others =
            [activity.on_create, activity.on_resume, activity.on_pause, activity.on_back, activity.on_menu];
        keys.chain(others.into_iter().flatten()).for_each(|block| assert_block(app, block));
    }
    let receivers = app.receivers.iter().map(|(_, block)| *block);
    let ticks = app.timers.iter().map(|timer| timer.tick);
    receivers.chain(ticks).chain(app.on_start).for_each(|block| assert_block(app, block));
    for window in &app.windows {
        assert!(window.activity.index() < app.activities.len());
        if let Some(focus) = window.focus {
            assert!(matches!(window.widgets[focus.index()].kind, WidgetKind::Field { .. }));
        }
        window.title.iter().for_each(|title| assert_template(app, title));
        let mut deepest = 0;
        for widget in &window.widgets {
            assert!(widget.depth <= deepest, "{} is too deep", widget.class);
            deepest = widget.depth + 1;
            assert_widget(app, widget);
        }
    }
    app.blocks.iter().flatten().for_each(|effect| assert_effect(app, effect));
    app.sites.iter().for_each(|site| assert_template(app, &site.message));
}

fn assert_widget(app: &App, widget: &Widget) {
    match &widget.kind {
        WidgetKind::Field { var, .. } => assert_eq!(var_kind(app, *var), ValueKind::Text),
        WidgetKind::Check(var) | WidgetKind::Switch(var) => assert_eq!(var_kind(app, *var), ValueKind::Bool),
        WidgetKind::Radio(var, value) => assert_eq!(var_kind(app, *var), value.kind()),
        WidgetKind::List(var) => assert_eq!(var_kind(app, *var), ValueKind::List),
        WidgetKind::Label | WidgetKind::Button | WidgetKind::Image | WidgetKind::Row | WidgetKind::Column => {
        }
    }
    let guards = widget.visible.iter().chain(&widget.enabled);
    guards.for_each(|guard| assert_eq!(kind(app, guard), ValueKind::Bool));
    assert_template(app, &widget.text);
    assert_template(app, &widget.desc);
    widget.handlers.iter().for_each(|(_, block)| assert_block(app, *block));
}

fn assert_effect(app: &App, effect: &Effect) {
    match effect {
        Effect::Cover(from, to) => assert!(from < to && *to as usize <= app.coverage.len()),
        Effect::Set(var, value) => assert_eq!(var_kind(app, *var), kind(app, value)),
        Effect::Push(list, item) => {
            assert_eq!((var_kind(app, *list), kind(app, item)), (ValueKind::List, ValueKind::Text));
        }
        Effect::Remove(list, index) => {
            assert_eq!((var_kind(app, *list), kind(app, index)), (ValueKind::List, ValueKind::Int));
        }
        Effect::Open(activity) => assert!(activity.index() < app.activities.len()),
        Effect::Show(window) | Effect::Overlay(window) => assert!(window.index() < app.windows.len()),
        Effect::If(guard, then, other) => {
            assert_eq!(kind(app, guard), ValueKind::Bool);
            assert_blocks(app, [Some(*then), *other]);
        }
        Effect::Chance(probability, then, other) => {
            assert_probability(app, *probability);
            assert_blocks(app, [Some(*then), *other]);
        }
        Effect::Fetch { fail, reply, error, .. } => {
            assert_probability(app, *fail);
            assert_blocks(app, [Some(*reply), *error]);
        }
        Effect::Ask(permission, granted, denied) => {
            assert!(permission.index() < app.permissions.len());
            assert_blocks(app, [*granted, *denied]);
        }
        Effect::After(_, block) => assert_block(app, *block),
        Effect::StartTimer(timer) | Effect::StopTimer(timer) => assert!(timer.index() < app.timers.len()),
        Effect::Log(_, _, text) => assert_template(app, text),
        Effect::Crash(site) | Effect::Hang(site) => assert!(site.index() < app.sites.len()),
        Effect::Close
        | Effect::Finish
        | Effect::Exit
        | Effect::Leave(_)
        | Effect::Busy(_)
        | Effect::Focus(_) => {}
    }
}

fn assert_blocks(app: &App, blocks: [Option<BlockId>; 2]) {
    blocks.into_iter().flatten().for_each(|block| assert_block(app, block));
}

fn assert_block(app: &App, block: BlockId) {
    assert!(block.index() < app.blocks.len());
}

fn assert_probability(app: &App, probability: Probability) {
    match probability {
        Probability::Fixed(number) => assert!((0.0..=1.0).contains(&number)),
        Probability::Knob(knob) => assert!(app.knobs[knob.index()].probability),
    }
}

fn assert_template(app: &App, template: &Template) {
    if let Template::Parts(parts) = template {
        for expr in parts.iter().filter_map(|(_, expr)| expr.as_ref()) {
            kind(app, expr);
        }
    }
}

fn var_kind(app: &App, var: VarId) -> ValueKind {
    app.vars[var.index()].initial.kind()
}

/// The kind of an expression, worked out apart from the parser.
fn kind(app: &App, expr: &Expr) -> ValueKind {
    match expr {
        Expr::Value(value) => value.kind(),
        Expr::Var(var) => var_kind(app, *var),
        Expr::Knob(knob) => {
            assert!(!app.knobs[knob.index()].probability);
            ValueKind::Int
        }
        Expr::Item => ValueKind::Text,
        Expr::Index => ValueKind::Int,
        Expr::Landscape | Expr::Online => ValueKind::Bool,
        Expr::Granted(permission) => {
            assert!(permission.index() < app.permissions.len());
            ValueKind::Bool
        }
        Expr::Len(of) => {
            assert!(matches!(kind(app, of), ValueKind::Text | ValueKind::List));
            ValueKind::Int
        }
        Expr::At(list, index) => {
            assert_eq!((kind(app, list), kind(app, index)), (ValueKind::List, ValueKind::Int));
            ValueKind::Text
        }
        Expr::Not(of) => {
            assert_eq!(kind(app, of), ValueKind::Bool);
            ValueKind::Bool
        }
        Expr::Binary(operator, left, right) => joined(*operator, kind(app, left), kind(app, right)),
    }
}

fn joined(operator: Operator, left: ValueKind, right: ValueKind) -> ValueKind {
    match operator {
        // A text takes anything behind it: that is how texts with expressions are put together.
        Operator::Add if left == ValueKind::Text => ValueKind::Text,
        Operator::Or | Operator::And => {
            assert_eq!((left, right), (ValueKind::Bool, ValueKind::Bool));
            ValueKind::Bool
        }
        Operator::Has => {
            assert!(matches!((left, right), (ValueKind::Text | ValueKind::List, ValueKind::Text)));
            ValueKind::Bool
        }
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual => {
            assert_eq!(left, right);
            ValueKind::Bool
        }
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
            assert_eq!((left, right), (ValueKind::Int, ValueKind::Int));
            ValueKind::Int
        }
    }
}

//! Rehearses the known reproductions on a simulated phone, to learn where on the display their widgets stand.

use std::sync::Arc;

use retap_trace::{Event, Micros, Point, Seed};

use super::moves::Move;
use retap_sim::app::App;
use retap_sim::machine::{Machine, Program, Settings};

/// The app is idle long before.
const PATIENCE: Micros = Micros::from_secs(10);

/// The events of a reproduction, with the places of their widgets.
pub(super) fn rehearse(program: &Arc<Program>, moves: &[Move]) -> Vec<Event> {
    // No known reproduction passes through anything that is left to chance before its end.
    let mut dice = Seed(0).dice();
    let mut machine = Machine::new(program.clone(), &mut dice);
    let package = program.app().package.clone();
    let mut events = Vec::new();
    machine.perform(&Event::Launch, &mut dice);
    machine.settle(PATIENCE, &mut dice);
    for act in moves {
        let at = act.selector(&package).map_or(Point::new(0, 0), |selector| {
            let tree = machine.tree();
            let node =
                selector.find(&tree).expect("each widget of a reproduction is in sight when its turn comes");
            tree.node(node).bounds.center()
        });
        let event = act.event(&package, at);
        machine.perform(&event, &mut dice);
        machine.settle(PATIENCE, &mut dice);
        events.push(event);
    }
    events
}

/// An app made ready to rehearse.
pub(super) fn program(app: App) -> Arc<Program> {
    Arc::new(Program::new(Arc::new(app), &Settings::default()))
}

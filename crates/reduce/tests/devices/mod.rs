//! Devices that exist only as numbers: they drive a reduction to its end.

use std::collections::BTreeMap;

use retap_reduce::{Ended, Order, Reducing, Ticket};
use retap_trace::Seed;

/// Drives a reduction with so many devices, by what `run` says of each run; runs end in an order drawn from the seed.
/// Returns all that it was told.
pub(crate) fn drive(
    reduction: &mut dyn Reducing,
    devices: usize,
    seed: u64,
    run: impl Fn(&Order) -> Ended,
) -> Vec<(Order, Ended)> {
    let mut dice = Seed(seed).branch("order", 0).dice();
    let mut flying: BTreeMap<Ticket, Order> = BTreeMap::new();
    let mut told = Vec::new();
    while !reduction.over() {
        while flying.len() < devices {
            let Some(order) = reduction.order() else { break };
            flying.insert(order.ticket, order);
        }
        let lands =
            *flying.keys().nth(dice.index(flying.len())).expect("an open reduction has runs under way");
        let order = flying.remove(&lands).expect("it flies");
        let ended = run(&order);
        reduction.settle(order.ticket, &ended);
        told.push((order, ended));
        for ticket in reduction.withdraw() {
            assert!(flying.remove(&ticket).is_some(), "only what flies is withdrawn");
        }
        assert!(told.len() < 10_000, "a reduction ends");
    }
    told
}

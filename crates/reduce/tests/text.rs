//! Texts whose lines depend on each other: what is left cannot be reduced further by reducing it again.

use std::collections::BTreeSet;

use retap_reduce::auto::{Auto, AutoSettings};
use retap_reduce::search::Material;
use retap_reduce::{ReductionEnding, Subset};
use retap_trace::{Dice, Seed};

/// A program with functions, blocks, names that must exist before they are used, and two lines that crash the compiler
/// together.
fn program(seed: u64) -> Vec<String> {
    let mut dice = Seed(seed).branch("program", 0).dice();
    let mut lines = Vec::new();
    let functions = 4 + dice.below(12);
    let crashes = [dice.below(functions), dice.below(functions)];
    for function in 0..functions {
        lines.push(format!("fn f{function} {{"));
        if function > 0 {
            lines.push(format!("call f{};", dice.below(function)));
        }
        body(&mut lines, &mut dice, &format!("f{function}"), 0);
        for _ in crashes.iter().filter(|crash| **crash == function) {
            if dice.chance(0.5) {
                lines.extend(["if {", "boom;", "}"].map(str::to_owned));
            } else {
                lines.push("boom;".to_owned());
            }
        }
        lines.push("}".to_owned());
    }
    lines
}

fn body(lines: &mut Vec<String>, dice: &mut Dice, name: &str, depth: u32) {
    for number in 0..=dice.below(5) {
        match dice.below(3) {
            0 if depth < 3 => {
                lines.push("if {".to_owned());
                body(lines, dice, name, depth + 1);
                if dice.chance(0.3) {
                    lines.push("} else {".to_owned());
                    body(lines, dice, name, depth + 1);
                }
                lines.push("}".to_owned());
            }
            1 => {
                lines.push(format!("let {name}v{depth}n{number};"));
                lines.push(format!("use {name}v{depth}n{number};"));
            }
            _ => lines.push("work;".to_owned()),
        }
    }
}

/// Whether the compiler takes it, and crashes: brackets match, no block is empty, names exist, both lines are there and
/// in a function.
fn crashes(lines: &[&str]) -> bool {
    let (mut known, mut depth, mut booms) = (BTreeSet::new(), 0_i32, 0);
    let mut before = "";
    for line in lines {
        let empty = before.ends_with('{') && line.starts_with('}');
        depth -= i32::from(line.starts_with('}'));
        if empty || depth < 0 {
            return false;
        }
        depth += i32::from(line.ends_with('{'));
        let mut words = line.trim_end_matches([';', '{', ' ']).split(' ');
        match (words.next(), words.next()) {
            (Some("fn" | "let"), Some(name)) => drop(known.insert(name)),
            (Some("use" | "call"), Some(name)) if !known.contains(name) => return false,
            (Some("boom"), _) if depth > 0 => booms += 1,
            (Some("boom"), _) => return false,
            _ => {}
        }
        before = line;
    }
    depth == 0 && booms == 2
}

/// What is left, and the runs that it took.
fn reduce(lines: &[&str]) -> (Vec<u32>, u32) {
    let material = Material::text(lines.iter().map(|line| line.as_bytes()));
    let settings = AutoSettings { confirm_runs: 20, min_rate: None, claim_later: false };
    let mut auto = Auto::new(&material, settings);
    let mut runs = 0;
    while let Some(wanted) = auto.wanted() {
        auto.settle(crashes(&kept(lines, &wanted.list)).then(|| wanted.list.len()));
        runs += 1;
        assert!(runs < 20_000, "a reduction ends");
    }
    match auto.ending() {
        Some(ReductionEnding::Reduced(answer)) => (answer.subset.positions().collect(), runs),
        other => panic!("it crashes always: {other:?}"),
    }
}

fn kept<'a>(lines: &[&'a str], list: &Subset) -> Vec<&'a str> {
    list.positions().map(|position| lines[position as usize]).collect()
}

#[test]
fn reducing_again_finds_nothing_more() {
    let (mut before, mut after, mut runs) = (0, 0, 0);
    for seed in 0..200 {
        let text = program(seed);
        let lines: Vec<&str> = text.iter().map(String::as_str).collect();
        assert!(crashes(&lines), "{lines:?}");
        let (left, needed) = reduce(&lines);
        let left = kept(&lines, &Subset::from_positions(left));
        let (again, _) = reduce(&left);
        assert_eq!(
            again.len(),
            left.len(),
            "seed {seed}: {left:?} to {:?}",
            kept(&left, &Subset::from_positions(again))
        );
        before += lines.len();
        after += left.len();
        runs += needed;
    }
    println!("200 programs: {before} lines to {after}, {runs} runs");
}

//! The shape of the project, as rules over its tree: which room may use which, what may not appear where.
//!
//! A rule is a function from a tree to complaints, one file each. It holds for the project, and it is shown to fail:
//! each of its plants is put into a sound scratch tree, and the rule must complain of it.

mod arrows; // which room may use which
mod headers; // files begin by saying what they are about
mod length; // files are short
mod libraries; // libraries that belong to one room
mod lints; // every crate obeys the common lints
mod purity; // rooms without clock, thread, file, device, hash order
mod room_names; // no room is called after nothing
mod source; // Rust source as tokens, tests apart
mod tree; // the project, or a scratch copy of its shape
mod type_names; // one meaning per type name
mod words; // words that nobody needs

use tree::Tree;

/// A rule, and what must break it.
struct Rule {
    name: &'static str,
    /// What is wrong with a tree, one sentence each.
    check: fn(&Tree) -> Vec<String>,
    plants: &'static [Plant],
}

/// Something that a rule forbids.
struct Plant {
    what: &'static str,
    put: fn(&mut Tree),
    /// What the rule must say of it.
    says: &'static str,
}

const RULES: &[&Rule] = &[
    &arrows::RULE,
    &headers::RULE,
    &length::RULE,
    &length::MEDIAN,
    &libraries::RULE,
    &lints::RULE,
    &purity::RULE,
    &room_names::RULE,
    &type_names::RULE,
    &words::RULE,
];

impl Rule {
    /// The rule holds for the project.
    fn holds(&self) {
        self.accepts(&Tree::project());
    }

    fn accepts(&self, tree: &Tree) {
        let complaints = (self.check)(tree);
        assert!(complaints.is_empty(), "the rule {:?} is broken:\n  {}", self.name, complaints.join("\n  "));
    }

    /// Every plant is found, and named.
    fn finds_its_plants(&self) {
        assert!(!self.plants.is_empty(), "nothing shows that the rule {:?} can fail", self.name);
        for plant in self.plants {
            let mut tree = Tree::scratch();
            (plant.put)(&mut tree);
            let complaints = (self.check)(&tree);
            assert!(
                complaints.iter().any(|complaint| complaint.contains(plant.says)),
                "the rule {:?} does not find {}: it says {complaints:?}, not {:?}",
                self.name,
                plant.what,
                plant.says
            );
        }
    }
}

#[test]
fn every_rule_accepts_a_sound_tree() {
    let tree = Tree::scratch();
    for rule in RULES {
        rule.accepts(&tree);
    }
}

#[test]
fn every_rule_finds_its_plants() {
    for rule in RULES {
        rule.finds_its_plants();
    }
}

//! Writes an app: what stands outside its activities, and the activities.

use std::collections::{BTreeMap, BTreeSet};

use retap_trace::Dice;

use super::bug::{Bug, Step, Turn};
use super::code::{Activity, Code, Handler, Source};
use super::map::Map;
use super::recipe::Recipe;
use super::sketch::{Extra, ROOT, Role, ScreenId, Sketch};
use super::steps::add_step;
use super::words::{ITEMS, KINDS, NOUNS, snake};

/// Writes an app from its parts. Chance adds code that runs only under conditions that come and go.
pub(super) struct Writer<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) bugs: &'a [Bug],
    pub(super) package: String,
    /// The widgets whose ways vary from run to run.
    pub(super) varying: BTreeSet<String>,
    /// Screens that known reproductions leave: no keyboard comes up there by itself and hides the way.
    pub(super) calm: BTreeSet<ScreenId>,
    pub(super) dice: Dice,
    /// For each screen, the steps on it: numbers of bug and step.
    steps: Vec<Vec<(usize, usize)>>,
    /// Conditions that code may depend on.
    conditions: Vec<String>,
}

/// The package of an app of this seed.
pub(super) fn package(recipe: &Recipe) -> String {
    format!("org.example.gen{}", recipe.seed)
}

/// Writes the app.
pub(super) fn write(recipe: &Recipe, sketch: &Sketch, map: &Map, bugs: &[Bug], mut dice: Dice) -> Source {
    let mut steps = vec![Vec::new(); sketch.screens.len()];
    for (number, bug) in bugs.iter().enumerate() {
        for (step, place) in bug.steps.iter().enumerate() {
            if let Step::Act(screen, _) = place {
                steps[screen.0].push((number, step));
            }
        }
    }
    let left = bugs.iter().flat_map(|bug| &bug.edges).map(|edge| map.spots[map.edges[edge.0].from.0].screen);
    let mut writer = Writer {
        sketch,
        bugs,
        package: package(recipe),
        varying: varying(recipe, map, bugs, &mut dice),
        calm: left.collect(),
        dice,
        steps,
        conditions: conditions(sketch),
    };
    let head = writer.head(recipe);
    let receivers = writer.receivers();
    let heads: Vec<ScreenId> = sketch.ids().filter(|&id| sketch.is_head(id)).collect();
    let activities = heads.into_iter().map(|id| writer.activity(id)).collect();
    Source { head, receivers, activities }
}

/// The widgets whose ways vary: their share of all ways, and none that a known reproduction takes.
fn varying(recipe: &Recipe, map: &Map, bugs: &[Bug], dice: &mut Dice) -> BTreeSet<String> {
    let taken: BTreeSet<_> = bugs.iter().flat_map(|bug| &bug.edges).map(|edge| edge.0).collect();
    let ways = || map.edges.iter().enumerate().filter(|(_, edge)| edge.rest.is_some());
    let wanted = recipe.nondet.of(ways().count());
    let free = ways().filter(|(number, _)| !taken.contains(number)).filter_map(|(_, edge)| edge.act.widget());
    let mut free: Vec<&str> = free.collect();
    dice.shuffle(&mut free);
    free.into_iter().take(wanted).map(str::to_owned).collect()
}

/// What code may depend on: how the phone is held, the network, switches, and how much a list holds.
fn conditions(sketch: &Sketch) -> Vec<String> {
    let mut conditions = vec!["landscape".to_owned(), "not online".to_owned()];
    conditions
        .extend((0..sketch.toggles.len()).map(|number| sketch.toggle_var(super::sketch::ToggleId(number))));
    for id in sketch.ids().filter(|&id| sketch.screen(id).role == Role::List) {
        conditions.push(format!("len({}) > 8", sketch.id(id, "items")));
    }
    for id in sketch.ids().filter(|&id| counts(sketch, id)) {
        conditions.push(format!("{} > 3", counter(sketch, id)));
    }
    conditions
}

/// Whether an activity counts how often it is opened.
fn counts(sketch: &Sketch, id: ScreenId) -> bool {
    sketch.is_head(id) && id.0.is_multiple_of(4)
}

fn counter(sketch: &Sketch, id: ScreenId) -> String {
    format!("{}_opened", snake(&sketch.screen(id).name))
}

impl Writer<'_> {
    /// The steps of bugs on a screen: numbers of bug and step.
    pub(super) fn steps_on(&self, id: ScreenId) -> Vec<(usize, usize)> {
        self.steps[id.0].clone()
    }

    /// Adds code that runs only sometimes, to some code.
    pub(super) fn enrich(&mut self, code: Code) -> Code {
        if self.dice.below(3) > 0 {
            return code;
        }
        let condition = self.dice.pick(&self.conditions).expect("there are conditions").clone();
        let other = (self.dice.below(2) == 0).then(Code::default);
        code.then_if(format!("if {condition}"), Code::default(), other)
    }

    fn head(&mut self, recipe: &Recipe) -> Vec<String> {
        let noun = self.dice.pick(&NOUNS).expect("there are nouns");
        let kind = self.dice.pick(&KINDS).expect("there are kinds");
        let mut head =
            vec!["# Made by the generator of plausible apps.".to_owned(), format!("# Recipe: {recipe}")];
        for bug in self.bugs {
            let moves: Vec<String> = bug.moves.iter().map(ToString::to_string).collect();
            let rate = bug.rate.map_or(String::new(), |rate| format!(", crashes at a rate of {rate}"));
            let (number, events) = (bug.number, moves.len());
            let noun = if events == 1 { "event" } else { "events" };
            head.push(format!("# Bug {number}, {events} {noun}{rate}: {}.", moves.join(", ")));
        }
        head.push(format!("app gen{} \"{noun} {kind}\"", recipe.seed));
        head.push(format!("package {}", self.package));
        if self.sketch.screens.iter().any(|screen| screen.extras.contains(&Extra::Camera)) {
            head.push("permission android.permission.CAMERA".to_owned());
        }
        head.push(String::new());
        head.extend(self.vars());
        head
    }

    /// Variables of the whole app.
    fn vars(&mut self) -> Vec<String> {
        let sketch = self.sketch;
        let mut vars = Vec::new();
        for number in 0..sketch.toggles.len() {
            vars.push(format!("kept {} bool", sketch.toggle_var(super::sketch::ToggleId(number))));
        }
        for id in sketch.ids().filter(|&id| sketch.screen(id).role == Role::List) {
            let (first, count) = (self.dice.index(ITEMS.len()), 3 + self.dice.index(5));
            let items: Vec<String> =
                (first..first + count).map(|number| format!("{:?}", ITEMS[number % ITEMS.len()])).collect();
            vars.push(format!("kept {} list = [{}]", sketch.id(id, "items"), items.join(", ")));
        }
        for id in sketch.ids().filter(|&id| counts(sketch, id)) {
            vars.push(format!("var {} int", counter(sketch, id)));
        }
        for bug in self.bugs.iter().filter(|bug| bug.steps.len() > 1) {
            vars.push(format!("{} {} int", if bug.kept { "kept" } else { "var" }, bug.var()));
        }
        vars
    }

    /// What the app does when it is told of something outside: steps of bugs.
    fn receivers(&self) -> Vec<Handler> {
        let mut told: BTreeMap<&str, Code> = BTreeMap::new();
        for bug in self.bugs {
            for (number, step) in bug.steps.iter().enumerate() {
                if let Step::System(action) = step {
                    let code = told.remove(action).unwrap_or_default();
                    told.insert(action, add_step(code, self.sketch, &self.package, bug, number, None));
                }
            }
        }
        let handler = |(action, code): (&str, Code)| {
            let short = action.rsplit('.').next().unwrap_or(action);
            Handler::new(format!("system \"{action}\""), format!("SystemReceiver.{short}"), code)
        };
        told.into_iter().map(handler).collect()
    }

    fn activity(&mut self, head: ScreenId) -> Activity {
        let name = format!("{}Activity", self.sketch.screen(head).name);
        let create = Handler::new("create", format!("{name}.create"), self.create(head));
        let mut activity = Activity { name, vars: Vec::new(), create, windows: Vec::new() };
        for id in self.sketch.tabs(head) {
            self.screen(id, &mut activity);
        }
        let forgets = |bug: &&Bug| bug.steps.contains(&Step::Rotate(head, Turn::Forget));
        let forgotten = self.bugs.iter().filter(forgets).map(|bug| format!("var {} bool", bug.forgotten()));
        activity.vars.extend(forgotten);
        activity
    }

    fn create(&mut self, head: ScreenId) -> Code {
        let mut code = Code::default();
        if counts(self.sketch, head) {
            let counter = counter(self.sketch, head);
            code = code.then(format!("set {counter} = {counter} + 1"));
        }
        // Two pieces of code at least, so that there is room for any number of branches.
        if head == ROOT {
            code = code.then_if("if landscape".to_owned(), Code::default(), Some(Code::default()));
        }
        code = self.enrich(code);
        for bug in self.bugs {
            for (number, step) in bug.steps.iter().enumerate() {
                if *step == Step::Rotate(head, Turn::Crash) {
                    let also = Some("landscape".to_owned());
                    code = add_step(code, self.sketch, &self.package, bug, number, also);
                }
            }
        }
        code
    }
}

//! The schedules as the driver of a reduction sees them: pick by pick.

mod cost;
mod examples;
mod laws;
mod published;
mod stage;

use super::*;

fn no_policy() -> Result<Arc<Policy>, String> {
    Err("nobody needs it".into())
}

#[test]
fn names_are_read_as_they_are_written() {
    for name in names() {
        match parse(name, no_policy) {
            Ok(schedule) => assert_eq!(schedule.to_string(), name),
            Err(said) => assert_eq!((name, &*said), ("optimal", "nobody needs it")),
        }
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_choices() {
    for name in ["", "mdp", "whatever"] {
        assert_eq!(
            parse(name, no_policy).err().unwrap(),
            format!(
                "there is no schedule '{name}'; there are sequential, round-robin, heuristic, optimal and async"
            )
        );
    }
}

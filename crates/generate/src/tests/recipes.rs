//! Recipes: what is understood and what is refused.

use super::*;

#[test]
fn a_recipe_reads_what_it_writes() {
    assert_eq!(read(""), Ok(Recipe::default()));
    for text in RECIPES {
        let recipe = recipe(text);
        assert_eq!(read(&recipe.to_string()), Ok(recipe));
    }
    assert_eq!(recipe("seed=18446744073709551615").seed, u64::MAX);
}

#[test]
fn mistakes_get_one_sentence() {
    let told: Vec<String> = [
        "sceens=5",
        "colour=red",
        "screens",
        "screens=",
        "screens=5&screens=6",
        "screens=0",
        "screens=2001",
        "branches=-1",
        "seed=x",
        "depth=10",
        "nondet=1.5",
        "rate=0",
        "lists=0.6&deadends=0.5",
        "system=0.6&rotation=0.5",
        "depth=1&rotation=0.5",
        "screens=3&bugs=20&depth=5",
    ]
    .iter()
    .map(|text| match read(text) {
        Ok(_) => panic!("{text} should be refused"),
        Err(error) => error.to_string(),
    })
    .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_recipe_made_by_hand_is_checked_too() {
    let wrong = Recipe { screens: 0, ..Recipe::default() };
    let told = generate(&wrong).unwrap_err().to_string();
    assert_eq!(told, "the knob 'screens' takes a whole number from 1 to 2000, not '0'");
}

#[test]
fn the_screens_that_are_asked_for_are_enough() {
    for (bugs, depth) in [(20, 5), (500, 1), (3, 9), (100, 9)] {
        let wish = Recipe { screens: 1, bugs, depth, ..Recipe::default() };
        match wish.check() {
            Err(RecipeError::TooManyBugs { screens, .. }) => {
                assert_eq!(Recipe { screens, ..wish }.check(), Ok(()), "{bugs} bugs of depth {depth}");
            }
            other => panic!("{bugs} bugs of depth {depth}: {other:?}"),
        }
    }
}

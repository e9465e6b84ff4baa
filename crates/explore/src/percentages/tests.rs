use retap_trace::Seed;

use super::*;

fn sentence(text: &str) -> String {
    text.parse::<Percentages>().unwrap_err().to_string()
}

/// The whole mix, for comparison; percentages are exact in halves and quarters.
fn mix(percentages: &Percentages) -> Vec<String> {
    let said = |category: Category| format!("{category} {}", percentages.percent(category));
    Category::ALL.into_iter().map(said).collect()
}

#[test]
fn monkeys_own_mix_sums_to_100() {
    assert_eq!(Category::ALL.map(Category::usual).iter().sum::<u32>(), 100);
    assert_eq!(mix(&"".parse().unwrap()), mix(&Percentages::default()));
    assert_eq!(Percentages::default().percent(Category::Nav).to_string(), "25");
}

#[test]
fn the_categories_are_numbered_in_order() {
    for (nth, category) in Category::ALL.into_iter().enumerate() {
        assert_eq!(category as usize, nth);
        assert_eq!(category.name().parse(), Ok(category));
    }
}

#[test]
fn given_ones_hold_and_the_rest_fill_up() {
    // 50 given to rotation, so the usual 100 of the others shrink to 50.
    let halved: Percentages = "--pct-rotation 50".parse().unwrap();
    let expected = [
        "touch 7.5",
        "motion 5",
        "pinchzoom 1",
        "trackball 7.5",
        "rotation 50",
        "permission 0",
        "nav 12.5",
        "majornav 7.5",
        "syskeys 1",
        "appswitch 1",
        "flip 0.5",
        "anyevent 6.5",
    ];
    assert_eq!(mix(&halved), expected);
    // 40 given to touch and nav, whose usual share is 40: the others keep theirs.
    let moved: Percentages = "touch=30,nav=10".parse().unwrap();
    assert_eq!(moved.percent(Category::Touch).to_string(), "30");
    assert_eq!(moved.percent(Category::Trackball).to_string(), "15");
    // Zero is a given value too.
    let none: Percentages = "--pct-touch 0".parse().unwrap();
    assert_eq!(none.percent(Category::Touch).to_string(), "0");
}

#[test]
fn both_ways_of_writing_mean_the_same() {
    let long: Percentages = "--pct-touch 40 --pct-motion 10".parse().unwrap();
    assert_eq!("touch=40, motion=10".parse(), Ok(long.clone()));
    assert_eq!("--pct-touch=40 --pct-motion=10".parse(), Ok(long.clone()));
    assert_eq!("touch=1,touch=40,motion=10".parse(), Ok(long), "the later value holds");
}

#[test]
fn all_of_100_leaves_nothing_to_the_rest() {
    let only: Percentages = "touch=60,motion=40".parse().unwrap();
    let rest: f64 = Category::ALL[2..].iter().map(|&category| only.percent(category)).sum();
    assert!(rest.abs() < 1e-9);
    let every =
        "touch=50,motion=50,pinchzoom=0,trackball=0,nav=0,majornav=0,syskeys=0,appswitch=0,flip=0,anyevent=0";
    assert_eq!(every.parse::<Percentages>().unwrap().percent(Category::Motion).to_string(), "50");
}

#[test]
fn wrong_percentages_get_one_sentence() {
    assert_eq!(
        sentence("touch=60,nav=41"),
        "the given percentages add up to 101, more than 100; lower some of them"
    );
    assert_eq!(sentence("--pct-touch many"), "--pct-touch takes a whole number from 0 to 100, not 'many'");
    assert_eq!(sentence("touch=-1"), "--pct-touch takes a whole number from 0 to 100, not '-1'");
    assert_eq!(
        sentence("touch=4294967295"),
        "--pct-touch takes a whole number from 0 to 100, not '4294967295'"
    );
    assert_eq!(sentence("--pct-flip"), "--pct-flip takes a whole number from 0 to 100, not ''");
    assert!(
        sentence("tuch=5")
            .starts_with("there is no event category 'tuch'; the categories are touch, motion,")
    );
    assert!(sentence("permission=5").starts_with("--pct-permission must be 0"));
    let short =
        "touch=50,motion=9,pinchzoom=0,trackball=0,nav=0,majornav=0,syskeys=0,appswitch=0,flip=0,anyevent=0";
    assert!(sentence(short).starts_with("every category is given but they add up to 59, not 100"));
    let over = Percentages::given(&[(Category::Nav, 101)]);
    assert_eq!(over, Err(PercentagesError::Value { category: Category::Nav, value: "101".into() }));
}

#[test]
fn draws_keep_to_the_percentages() {
    const DRAWS: u32 = 100_000;
    for seed in [1, 7, 42, 2_026] {
        for text in ["", "touch=40,rotation=7", "syskeys=0,anyevent=33"] {
            let percentages: Percentages = text.parse().unwrap();
            let mut dice = Seed(seed).dice();
            let mut counts = [0_u32; Category::ALL.len()];
            for _ in 0..DRAWS {
                counts[percentages.draw(&mut dice) as usize] += 1;
            }
            for category in Category::ALL {
                let drawn = f64::from(counts[category as usize]) * 100.0 / f64::from(DRAWS);
                let wanted = percentages.percent(category);
                // Five standard deviations of a share of 100 000 draws.
                let tolerance = 5.0 * (wanted * (100.0 - wanted) / f64::from(DRAWS)).sqrt() + 1e-9;
                assert!(
                    (drawn - wanted).abs() <= tolerance,
                    "seed {seed}, '{text}': {category} {drawn} % of {wanted} %"
                );
            }
        }
    }
}

#[test]
fn both_mixes_are_whole() {
    for mix in [Category::usual, Category::aware] {
        assert_eq!(Category::ALL.into_iter().map(mix).sum::<u32>(), 100);
    }
    let aware = Percentages::aware(&[(Category::Touch, 10)]).unwrap();
    assert!((aware.percent(Category::Motion) - 90.0 * 15.0 / 45.0).abs() < 1e-9);
}

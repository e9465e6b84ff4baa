use proptest::prelude::*;

use super::*;

/// The formula of the paper, normalised, with powers and factorials: independent of the code above.
fn by_the_book(prior: &Prior, (s, f): (u32, u32), (s2, f2): (u32, u32)) -> f64 {
    let power = |base: f64, exponent: u32| (0..exponent).fold(1.0, |product, _| product * base);
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    let choose = factorial(s2 + f2) / factorial(s2) / factorial(f2);
    let weigh = |s: u32, f: u32| -> f64 {
        let points = prior.points.iter().zip(&prior.weights);
        points.map(|(&point, weight)| weight * power(point, s) * power(1.0 - point, f)).sum()
    };
    choose * weigh(s + s2, f + f2) / weigh(s, f)
}

fn any_prior() -> impl Strategy<Value = Prior> {
    prop::collection::vec((0.01..0.99_f64, 0.01..1.0_f64), 1..6).prop_map(|pairs| {
        let sum: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        let (points, weights) = pairs.iter().map(|(point, weight)| (*point, weight / sum)).unzip();
        Prior::new(points, weights).unwrap()
    })
}

proptest! {
    #[test]
    fn outcomes_are_a_distribution(prior in any_prior(), s in 0..20_u32, f in 0..20_u32, runs in 0..20_u32) {
        let chances: Vec<f64> = (0..=runs).map(|f2| prior.predictive((s, f), (runs - f2, f2))).collect();
        prop_assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{:?}", chances);
        for (f2, chance) in (0..).zip(&chances) {
            let book = by_the_book(&prior, (s, f), (runs - f2, f2));
            prop_assert!((chance - book).abs() < 1e-12, "{} {}", chance, book);
        }
    }

    #[test]
    fn the_order_of_evidence_does_not_matter(prior in any_prior(), s in 0..9_u32, f in 0..9_u32) {
        // Two steps of runs are as likely as all their runs at once, summed over the ways to get there.
        let direct = prior.predictive((0, 0), (s, f + 1));
        let via: f64 = [(1, 0), (0, 1)]
            .into_iter()
            .filter(|(s1, _)| *s1 <= s)
            .map(|(s1, f1)| prior.predictive((0, 0), (s1, f1)) * prior.predictive((s1, f1), (s - s1, f + 1 - f1)))
            .sum();
        prop_assert!((direct - via).abs() < 1e-12, "{} {}", direct, via);
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,60}") {
        let _ = Prior::from_json(&text);
        let _ = Prior::from_json(&format!("{{\"p\":[{text}],\"w\":[1]}}"));
    }
}

#[test]
fn the_recovered_prior_is_valid() {
    let prior = Prior::recovered();
    assert_eq!(Prior::new(prior.points().to_vec(), prior.weights().to_vec()), Ok(prior.clone()));
    let json =
        format!("{{\"prior\": {{\"p\": {:?}, \"w\": {:?}}}, \"n\": 5}}", prior.points(), prior.weights());
    assert_eq!(Prior::from_json(&json), Ok(prior.clone()));
    let plain = format!("{{\"p\": {:?}, \"weight\": {:?}}}", prior.points(), prior.weights());
    assert_eq!(Prior::from_json(&plain), Ok(prior));
}

#[test]
fn nonsense_is_refused_in_words() {
    for (json, said) in [
        ("", "the prior is not JSON: EOF while parsing a value at line 1 column 0"),
        ("[1]", "the prior is not of the form {\"p\": [...], \"weight\": [...]}: it is not an object"),
        (
            "{\"p\": [1]}",
            "the prior is not of the form {\"p\": [...], \"weight\": [...]}: 'weight' is missing",
        ),
        ("{\"w\": [1]}", "the prior is not of the form {\"p\": [...], \"weight\": [...]}: 'p' is missing"),
        (
            "{\"p\": [\"x\"], \"w\": [1]}",
            "the prior is not of the form {\"p\": [...], \"weight\": [...]}: item 1 of 'p' is not a number",
        ),
        ("{\"p\": [], \"w\": []}", "the prior has no points"),
        ("{\"p\": [0.5], \"w\": [0.5, 0.5]}", "the prior has 1 points but 2 weights"),
        (
            "{\"p\": [0.5, 1.5], \"w\": [0.5, 0.5]}",
            "point 2 of the prior is 1.5, but a success rate lies between 0 and 1",
        ),
        (
            "{\"p\": [0.5, 1], \"w\": [-0.5, 1.5]}",
            "weight 1 of the prior is -0.5, but a probability lies between 0 and 1",
        ),
        ("{\"p\": [0.5, 1], \"w\": [0.5, 0.25]}", "the weights of the prior sum to 0.75, but must sum to 1"),
    ] {
        assert_eq!(Prior::from_json(json).unwrap_err().to_string(), said, "{json}");
    }
    assert!(matches!(Prior::new(vec![f64::NAN], vec![1.0]), Err(PriorError::Point { place: 1, .. })));
    assert!(matches!(Prior::new(vec![0.5], vec![f64::NAN]), Err(PriorError::Weight { place: 1, .. })));
    assert!(matches!(Prior::new(vec![0.5; 20_000], vec![0.0; 20_000]), Err(PriorError::TooMany(20_000))));
}

#[test]
fn an_impossible_tally_teaches_nothing() {
    let prior = Prior::new(vec![0.0, 1.0], vec![0.25, 0.75]).unwrap();
    assert_eq!(prior.posterior((3, 0)), [0.0, 1.0]);
    assert_eq!(prior.posterior((1, 1)), prior.weights());
}

#[test]
fn thousands_of_runs_do_not_underflow() {
    let prior = Prior::recovered();
    assert!(prior.at_least(0.9, (9_900, 100)) > 0.999);
    assert!((prior.predictive((5_000, 5_000), (1, 0)) - 0.5).abs() < 1e-9);
}

#[test]
fn a_prior_is_learnt_from_candidates_with_enough_runs() {
    // Thirty that never pass, nine that always do, one of each in between, and many that say too little.
    let mut tallies = vec![(0, 3); 30];
    tallies.extend([(20, 0); 9]);
    tallies.extend([(10, 10), (17, 3), (1, 19)]);
    tallies.extend([(1, 0); 500]);
    let prior = Prior::learnt(&tallies).unwrap();
    assert_eq!(prior.points(), Prior::recovered().points());
    // Half a candidate is added at each of the eleven rates; 0.85 and 0.05 are rounded up.
    let counts = [30.5, 1.5, 0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 1.5, 9.5];
    for (weight, count) in prior.weights().iter().zip(counts) {
        assert!((weight - count / 47.5).abs() < 1e-12, "{:?}", prior.weights());
    }
    assert_eq!(Prior::new(prior.points().to_vec(), prior.weights().to_vec()).as_ref(), Ok(&prior));
    assert_eq!(Prior::from_json(&prior.to_json()), Ok(prior));
    let few = Prior::learnt(&tallies[11..30]).unwrap_err();
    assert_eq!(
        few.to_string(),
        "a prior is learnt from at least 20 candidates with 3 runs or more, and there are 19"
    );
    assert_eq!(Prior::learnt(&[]), Err(PriorError::TooFew(0)));
}

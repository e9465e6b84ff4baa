//! The rules against exact dynamic programs: what they cost and how often they are wrong.

use proptest::prelude::*;
use retap_mdp::Prior;

use super::*;

/// What becomes of a candidate of one rate.
#[derive(Debug, Clone, Copy, Default)]
struct Fate {
    /// Expected runs.
    runs: f64,
    /// Chance to pass.
    passes: f64,
}

/// Follows every tally that can occur, with its chance.
fn fate(rule: &dyn Rule, rate: f64) -> Fate {
    let mut fate = Fate::default();
    // By failures.
    let mut chances = vec![1.0];
    for runs in 0.. {
        let mut next = vec![0.0; chances.len() + 1];
        for (missed, chance) in (0_u32..).zip(&chances).filter(|(_, chance)| **chance > 0.0) {
            match rule.judge(Tally::new(runs - missed, missed)) {
                Verdict::Pass => fate.passes += chance,
                Verdict::Fail => {}
                Verdict::Open => {
                    fate.runs += chance;
                    next[missed as usize] += chance * rate;
                    next[missed as usize + 1] += chance * (1.0 - rate);
                }
            }
        }
        if next.iter().sum::<f64>() <= 0.0 {
            break;
        }
        chances = next;
    }
    fate
}

/// Expected runs of a candidate, how likely one that passed has a rate below 0.9, and how likely one of 0.9 or more
/// fails; for candidates as the recovered prior has them.
fn cost(rule: &dyn Rule) -> (f64, f64, f64) {
    let prior = Prior::recovered();
    let (mut runs, mut passed, mut wrongly, mut good, mut lost) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (&rate, weight) in prior.points().iter().zip(prior.weights()) {
        let fate = fate(rule, rate);
        runs += weight * fate.runs;
        passed += weight * fate.passes;
        if rate >= 0.9 {
            good += weight;
            lost += weight * (1.0 - fate.passes);
        } else {
            wrongly += weight * fate.passes;
        }
    }
    (runs, wrongly / passed, lost / good)
}

fn assert_close(ours: f64, known: f64, within: f64) {
    assert!((ours - known).abs() <= within, "{ours} is not {known}");
}

#[test]
fn fixed_costs_what_is_known() {
    let (runs, accepts, rejects) = cost(&Fixed::new(18, 20).unwrap());
    assert_close(runs, 7.8966, 5e-5);
    assert_close(accepts, 0.034_53, 5e-6);
    assert_close(rejects, 0.044_53, 5e-6);
}

#[test]
fn sprt_costs_what_is_known() {
    let (runs, accepts, rejects) = cost(&*parse("sprt:0.8,0.95,0.2,0.1").unwrap());
    // 5.0515 without stopping early when the cap leaves no doubt.
    assert!(runs < 5.0515 && runs > 5.0, "{runs}");
    assert_close(accepts, 0.034_06, 5e-6);
    assert_close(rejects, 0.044_95, 5e-6);
}

#[test]
fn bayes_costs_what_is_known() {
    let (runs, accepts, rejects) = cost(&*parse("bayes:0.9@0.97").unwrap());
    // 5.1786 without stopping early when the cap leaves no doubt.
    assert!(runs < 5.1786 && runs > 5.0, "{runs}");
    assert_close(accepts, 0.033_91, 5e-6);
    assert_close(rejects, 0.041_82, 5e-6);
}

#[test]
fn clear_candidates_are_settled_by_few_runs() {
    let sprt = parse("sprt:0.8,0.95,0.2,0.1").unwrap();
    assert_eq!(sprt.judge(Tally::new(0, 1)), Verdict::Open);
    assert_eq!(sprt.judge(Tally::new(0, 2)), Verdict::Fail);
    assert_eq!(sprt.judge(Tally::new(8, 0)), Verdict::Open);
    assert_eq!(sprt.judge(Tally::new(9, 0)), Verdict::Pass);
    let bayes = parse("bayes:0.9@0.97").unwrap();
    assert_eq!(bayes.judge(Tally::new(0, 1)), Verdict::Fail);
    assert_eq!(bayes.judge(Tally::new(8, 0)), Verdict::Open);
    assert_eq!((bayes.to_pass(Tally::default()), bayes.to_fail(Tally::default())), (9, 1));
    assert_eq!(bayes.judge(Tally::new(9, 0)), Verdict::Pass);
}

#[test]
fn beyond_the_cap_the_nearer_side_decides() {
    for rule in ["sprt:0.8,0.95,0.2,0.1", "bayes:0.9@0.97"] {
        let rule = parse(rule).unwrap();
        assert_eq!(rule.judge(Tally::new(100, 3)), Verdict::Pass, "{rule}");
        assert_eq!(rule.judge(Tally::new(80, 20)), Verdict::Fail, "{rule}");
        assert_eq!(rule.wanted(Tally::new(80, 20)), 0, "{rule}");
    }
}

#[test]
fn confirmations_ask_what_the_rule_of_the_paper_asks() {
    for rule in ["18/20", "sprt:0.8,0.95,0.2,0.1", "bayes:0.9@0.97"] {
        let rule = parse(rule).unwrap();
        assert_eq!(rule.least_confirmed(20), 18, "{rule}");
    }
}

#[test]
fn a_confirmation_always_asks_for_a_success() {
    for rule in ["1/5", "sprt:0.01,0.02,0.2,0.45,200", "bayes:0.05@0.9"] {
        let rule = parse(rule).unwrap();
        for runs in [1, 2, 20, 100_000] {
            let least = rule.least_confirmed(runs);
            assert!((1..=runs).contains(&least), "{rule}: {least} of {runs}");
        }
        assert_eq!(rule.least_confirmed(0), 0, "{rule}");
    }
}

/// A trace of 17 of 20 was asked for 0.63 where one of 18 of 20 was asked for 0.9.
#[test]
fn one_hit_more_or_less_moves_what_is_asked_by_little() {
    for runs in [20, 25, 40] {
        let asked: Vec<f64> = (0..=runs).map(|reached| asked(Tally::new(reached, runs - reached))).collect();
        for pair in asked.windows(2) {
            assert!(pair[1] > pair[0] && pair[1] - pair[0] <= 0.06, "{pair:?} of {runs}");
        }
        assert!((asked[runs as usize] - 0.9).abs() < 1e-9, "a trace that always holds is asked for 0.9");
    }
}

#[test]
fn fresh_runs_that_disagree_change_the_verdict_of_a_fixed_rule() {
    let rule = parse("18/20").unwrap();
    assert_eq!(rule.judge(Tally::new(18, 1)), Verdict::Pass);
    assert_eq!(rule.judge(Tally::new(18 + 15, 1 + 5)), Verdict::Fail, "33 of 39 are less than 18 of 20");
    assert_eq!(rule.judge(Tally::new(18 + 18, 1 + 2)), Verdict::Pass);
}

#[test]
fn a_good_answer_is_rarely_taken_back() {
    let rule = Sprt::new(0.8, 0.95, 0.2, 0.1, 60).unwrap();
    let short = |least: u32, runs: u32| -> f64 {
        // A rule that stops at nothing but the number of runs.
        let all = Fixed::new(least, runs).unwrap();
        1.0 - fate(&all, 0.95).passes
    };
    for runs in 2..100 {
        let least = rule.least_confirmed(runs);
        assert!(short(least, runs) <= 0.1 + 1e-9, "{least} of {runs}");
        assert!(least == runs || short(least + 1, runs) > 0.1, "{least} of {runs} could be more");
    }
}

#[test]
fn rules_are_written_as_they_are_read() {
    for text in [
        "18/20",
        "1/1",
        "sprt:0.8,0.95,0.2,0.1",
        "sprt:0.3,0.6,0.05,0.05,100",
        "bayes:0.9@0.97",
        "bayes:0.5@0.9,20",
    ] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    assert_eq!(parse(" sprt: .8, .95, .2, .1, 60 ").unwrap().to_string(), "sprt:0.8,0.95,0.2,0.1");
    assert_eq!(parse("bayes: .9 @ .97 , 60").unwrap().to_string(), "bayes:0.9@0.97");
}

#[test]
fn nonsense_is_refused_in_words() {
    const SPRT: &str = "is not a rule; write sprt:P0,P1,ALPHA,BETA, such as sprt:0.8,0.95,0.2,0.1, and a comma and \
                        the most runs of a candidate if it is not 60";
    const BAYES: &str = "is not a rule; write bayes:RATE@CONFIDENCE, such as bayes:0.9@0.97, and a comma and the \
                         most runs of a candidate if it is not 60";
    const CHOICES: &str = "is not a rule; write K/N (18/20: at least 18 of 20 runs), sprt:P0,P1,ALPHA,BETA \
                           (sprt:0.8,0.95,0.2,0.1) or bayes:RATE@CONFIDENCE (bayes:0.9@0.97)";
    for (text, said) in [
        ("", CHOICES),
        ("often", CHOICES),
        ("sprt", CHOICES),
        ("wald:0.8", CHOICES),
        ("sprt:", SPRT),
        ("sprt:0.8,0.95,0.2", SPRT),
        ("sprt:0.8,0.95,0.2,x", SPRT),
        ("sprt:0.8,0.95,0.2,0.1,-3", SPRT),
        ("sprt:0.8,0.95,0.2,0.1,60,1", SPRT),
        ("bayes:0.9", BAYES),
        ("bayes:0.9@x", BAYES),
        ("bayes:0.9@0.97,many", BAYES),
    ] {
        assert_eq!(said_of(text), format!("'{text}' {said}"));
    }
    for (text, said) in [
        ("sprt:0.95,0.8,0.2,0.1", "needs a P0 below its P1, so that it can tell them apart"),
        ("sprt:0.8,0.8,0.2,0.1", "needs a P0 below its P1, so that it can tell them apart"),
        ("sprt:0,0.95,0.2,0.1", "has P0 0, which must lie between 0 and 1"),
        ("sprt:0.8,1,0.2,0.1", "has P1 1, which must lie between 0 and 1"),
        ("sprt:0.8,0.95,NaN,0.1", "has ALPHA NaN, which must lie between 0 and 1"),
        ("sprt:0.8,0.95,0.2,-0.1", "has BETA -0.1, which must lie between 0 and 1"),
        ("sprt:0.8,0.95,0.5,0.5", "is no better than a coin; ALPHA + BETA must be below 1"),
        ("sprt:0.8,0.95,0.2,0.1,0", "has a cap of 0 runs, which must be 1 to 200"),
        ("sprt:0.8,0.95,0.2,0.1,201", "has a cap of 201 runs, which must be 1 to 200"),
        ("sprt:0.8,0.8001,0.2,0.1", "cannot tell 0.8 from 0.8001 by 60 runs"),
        ("bayes:1.5@0.97", "has RATE 1.5, which must lie between 0 and 1"),
        ("bayes:0.9@1", "has CONFIDENCE 1, which must lie between 0.5 and 1"),
        ("bayes:0.9@0.4", "has CONFIDENCE 0.4, which must lie between 0.5 and 1"),
        ("bayes:0.995@0.97", "asks for more than it can tell; RATE is at most 0.99"),
        ("bayes:0.9@0.97,500", "has a cap of 500 runs, which must be 1 to 200"),
    ] {
        assert_eq!(said_of(text), format!("the rule {text} {said}"));
    }
}

fn said_of(text: &str) -> String {
    parse(text).err().unwrap_or_else(|| panic!("'{text}' is taken for a rule"))
}

fn hundredths() -> impl Strategy<Value = f64> {
    (1_u32..100).prop_map(|hundredths| f64::from(hundredths) / 100.0)
}

/// P0, P1, ALPHA, BETA and the cap of a rule that makes sense.
fn any_sprt() -> impl Strategy<Value = (f64, f64, f64, f64, u32)> {
    (hundredths(), hundredths(), hundredths(), hundredths(), 1_u32..=200)
        .prop_filter("makes a rule", |&(p0, p1, a, b, cap)| Sprt::new(p0, p1, a, b, cap).is_ok())
}

fn any_rule() -> impl Strategy<Value = String> {
    let fixed = (1_u32..40).prop_flat_map(|runs| (1..=runs).prop_map(move |least| format!("{least}/{runs}")));
    let bayes = (hundredths(), hundredths(), 1_u32..=80)
        .prop_filter("makes a rule", |&(rate, confidence, cap)| Bayes::new(rate, confidence, cap).is_ok())
        .prop_map(|(rate, confidence, cap)| format!("bayes:{rate}@{confidence},{cap}"));
    let sprt = any_sprt().prop_map(|(p0, p1, a, b, cap)| format!("sprt:{p0},{p1},{a},{b},{cap}"));
    prop_oneof![fixed, bayes, sprt]
}

/// The chance that Wald's test without a cap is still open after so many runs.
fn open_after(runs: u32, rate: f64, (p0, p1, alpha, beta): (f64, f64, f64, f64)) -> f64 {
    let mut chances = vec![1.0];
    for done in 0..=runs {
        let mut next = vec![0.0; chances.len() + 1];
        for (missed, chance) in (0_u32..).zip(&mut chances) {
            let ratio = f64::from(done - missed) * (p1 / p0).ln()
                + f64::from(missed) * ((1.0 - p1) / (1.0 - p0)).ln();
            if ratio >= ((1.0 - beta) / alpha).ln() || ratio <= (beta / (1.0 - alpha)).ln() {
                *chance = 0.0;
            }
            next[missed as usize] += *chance * rate;
            next[missed as usize + 1] += *chance * (1.0 - rate);
        }
        if done < runs {
            chances = next;
        }
    }
    chances.iter().sum()
}

proptest! {
    /// A wrong pass has a chance of at most alpha / (1 - beta), a wrong fail one of at most beta / (1 - alpha). The
    /// cap adds at most the chance to get there.
    #[test]
    fn wrong_verdicts_of_sprt_stay_within_walds_bounds((p0, p1, alpha, beta, cap) in any_sprt()) {
        let rule = Sprt::new(p0, p1, alpha, beta, cap).unwrap();
        let capped = |rate: f64| open_after(cap, rate, (p0, p1, alpha, beta));
        let (bad, good) = (fate(&rule, p0), fate(&rule, p1));
        prop_assert!(bad.passes <= alpha / (1.0 - beta) + capped(p0) + 1e-9, "{rule}: {bad:?}");
        prop_assert!(1.0 - good.passes <= beta / (1.0 - alpha) + capped(p1) + 1e-9, "{rule}: {good:?}");
    }

    #[test]
    fn better_candidates_pass_more_often(text in any_rule()) {
        let rule = parse(&text).unwrap();
        let passes: Vec<f64> = (0_u32..=10).map(|tenths| fate(&*rule, f64::from(tenths) / 10.0).passes).collect();
        prop_assert!(passes.is_sorted_by(|worse, better| *worse <= better + 1e-9), "{passes:?}");
        prop_assert!(passes[0] < 1e-9 && passes[10] > 1.0 - 1e-9, "{passes:?}");
    }

    #[test]
    fn no_candidate_gets_more_runs_than_wanted(text in any_rule(), reached in 0_u32..90, missed in 0_u32..90) {
        let rule = parse(&text).unwrap();
        let tally = Tally::new(reached, missed);
        let wanted = rule.wanted(tally);
        if rule.judge(tally) == Verdict::Open {
            let after = [Tally::new(reached + 1, missed), Tally::new(reached, missed + 1)];
            let left = |after: &Tally| if rule.judge(*after) == Verdict::Open { rule.wanted(*after) } else { 0 };
            prop_assert!(after.iter().map(left).max() <= Some(wanted - 1), "{wanted}");
            prop_assert!((1..=wanted).contains(&rule.to_pass(tally)));
            prop_assert!((1..=wanted).contains(&rule.to_fail(tally)));
            let (passed, failed) = (rule.to_pass(tally), rule.to_fail(tally));
            prop_assert_eq!(rule.judge(Tally::new(reached + passed, missed)), Verdict::Pass);
            prop_assert_eq!(rule.judge(Tally::new(reached, missed + failed)), Verdict::Fail);
        }
    }

    #[test]
    fn every_rule_is_read_as_it_is_written(text in any_rule()) {
        let written = parse(&text).unwrap().to_string();
        prop_assert_eq!(parse(&written).unwrap().to_string(), written);
    }
}

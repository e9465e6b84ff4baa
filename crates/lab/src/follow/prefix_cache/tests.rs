use retap_model::TraceNumber;
use retap_suite::StepRef;
use retap_trace::StateKey;

use super::*;

/// A path, a letter for each step.
fn path(text: &str) -> Vec<Leg> {
    let leg = |letter: u8| Leg {
        step: StepRef { trace: TraceNumber(0), position: u32::from(letter) },
        expect: StateKey(u64::from(letter)),
    };
    text.bytes().map(leg).collect()
}

/// The times of a run: 50 for the launch, and 10 for each step.
fn times(steps: usize) -> Vec<Micros> {
    (0..=steps as u64).map(|step| Micros(50 + 10 * step)).collect()
}

fn prices(save: u64, load: u64) -> Prices {
    let mut prices = Prices::default();
    prices.save.paid(Micros(save), true);
    prices.load.paid(Micros(load), true);
    prices
}

/// A cache after runs of these paths.
fn after(most: usize, paths: &[&str]) -> PrefixCache<&'static str> {
    let mut cache = PrefixCache::new(most);
    for text in paths {
        cache.ran(&path(text), &times(text.len()));
    }
    cache
}

fn worth(cache: &PrefixCache<&'static str>, text: &str, prices: &Prices) -> Option<usize> {
    cache.worth(&path(text), None, prices)
}

#[test]
fn what_was_never_asked_for_is_not_worth_keeping() {
    let cache = after(4, &[]);
    assert_eq!(worth(&cache, "abc", &prices(1, 1)), None);
    let cache = after(4, &["xyz"]);
    assert_eq!(worth(&cache, "abc", &prices(1, 1)), Some(0), "only the launch is shared");
    assert!(cache.knows(&path("xy")) && !cache.knows(&path("xz")));
}

#[test]
fn the_prefix_that_saves_most_is_kept() {
    // Gone back to for 5: behind the launch that saves 45 each time, behind "ab" 65, behind "abc" 75.
    let cheap = prices(20, 5);
    assert_eq!(worth(&after(4, &["abc"]), "abd", &cheap), Some(2));
    assert_eq!(worth(&after(4, &["abc"]), "abcd", &cheap), Some(3), "a whole path may be a prefix");
    assert_eq!(worth(&after(4, &["abc", "axy"]), "abd", &cheap), Some(1), "twice 55 is more than once 65");
    assert_eq!(worth(&after(4, &["abc"]), "abd", &prices(33, 5)), None, "it would hardly pay");
    assert_eq!(worth(&after(4, &["abc"]), "abd", &prices(32, 5)), Some(2));
    assert_eq!(worth(&after(4, &["abc", "abc", "abc"]), "abd", &prices(1, 80)), None, "the way is shorter");
    // As long as nothing is known, both are thought to cost half a launch, 25.
    assert_eq!(worth(&after(4, &["abc", "def"]), "xyz", &Prices::default()), None, "twice 25");
    assert_eq!(
        worth(&after(4, &["abc", "def", "ghi"]), "xyz", &Prices::default()),
        Some(0),
        "three times 25"
    );
    assert_eq!(worth(&after(4, &["abc", "abe"]), "abd", &Prices::default()), Some(2));
}

#[test]
fn beside_what_is_kept_only_the_rest_of_the_way_counts() {
    let mut cache = after(4, &["abcdef", "abcdef", "abcdef"]);
    assert_eq!(cache.keep(&path("abc"), "abc"), None);
    let path = path("abcdex");
    assert_eq!(cache.worth(&path, Some(3), &prices(29, 5)), Some(5), "three times 20");
    assert_eq!(cache.worth(&path, Some(3), &prices(30, 5)), None);
    assert_eq!(cache.worth(&path, Some(5), &prices(29, 5)), None, "the run begins there");
}

#[test]
fn the_longest_prefix_is_used_if_it_saves_time() {
    let mut cache = after(4, &["abcd"]);
    for text in ["", "ab"] {
        let what = if text.is_empty() { "launch" } else { text };
        assert_eq!(cache.keep(&path(text), what), None);
    }
    let cheap = prices(1, 5);
    assert_eq!(cache.best(&path("abx"), &cheap), Some((2, &"ab")));
    assert_eq!(cache.best(&path("ab"), &cheap), Some((2, &"ab")));
    assert_eq!(cache.best(&path("ax"), &cheap), Some((0, &"launch")));
    assert_eq!(cache.best(&path("ax"), &prices(1, 50)), None);
    assert_eq!(cache.best(&path("abx"), &prices(1, 69)), Some((2, &"ab")));
    assert_eq!(cache.remove(&path("ab")), Some("ab"));
    assert_eq!(cache.remove(&path("ab")), None);
    assert_eq!(cache.best(&path("abx"), &cheap), Some((0, &"launch")));
}

#[test]
fn what_was_not_used_for_longest_goes() {
    let mut cache = after(2, &["a", "b", "c"]);
    assert_eq!(cache.keep(&path("a"), "a"), None);
    assert_eq!(cache.keep(&path("b"), "b"), None);
    assert!(cache.best(&path("ax"), &prices(1, 1)).is_some());
    assert_eq!(cache.keep(&path("c"), "c"), Some("b"));
    assert_eq!(cache.keep(&path("c"), "again"), Some("c"), "one for each prefix");
    assert_eq!(cache.keep(&path("unheard"), "of"), Some("of"), "nobody could find it");
    let mut left: Vec<_> = cache.clear().collect();
    left.sort_unstable();
    assert_eq!(left, ["a", "again"]);
    assert_eq!(cache.best(&path("ax"), &prices(1, 1)), None);
}

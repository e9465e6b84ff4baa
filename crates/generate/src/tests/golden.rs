//! The same recipe makes the same app, on every platform and for ever.

use xxhash_rust::xxh3::xxh3_64;

use super::*;

#[test]
fn texts_stay_as_they_are() {
    let hashes: Vec<String> = RECIPES
        .iter()
        .map(|text| {
            let made = made(&seeded(text, 7));
            format!(
                "{:016x} {:016x}",
                xxh3_64(made.text.as_bytes()),
                xxh3_64(format!("{:?}", made.known).as_bytes())
            )
        })
        .collect();
    insta::assert_snapshot!(hashes.join("\n"));
}

#[test]
fn a_small_app_reads_well() {
    insta::assert_snapshot!(
        made(&recipe("seed=3&screens=5&branches=40&bugs=2&depth=3&dialogs=0.3&gates=0.2")).text
    );
}

#[test]
fn the_text_is_the_app() {
    let made = made(&recipe(RECIPES[0]));
    let read = language::parse("again.app", &made.text, &|_| Err(String::new())).unwrap();
    assert_eq!(read, made.app);
}

//! Rust source as tokens: comments are gone, texts are opaque, and what is compiled for tests alone is left out.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A file.
pub(crate) struct Source {
    /// Where it is in the tree.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Whether it is compiled for tests alone.
    pub(crate) test: bool,
}

impl Source {
    /// Files of one or more crates, told apart: a module that is declared under `#[cfg(test)]` is a test with all that
    /// is beneath it.
    pub(crate) fn all(texts: Vec<(String, String)>) -> Vec<Self> {
        let modules: BTreeSet<String> =
            texts.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
        let under_test = |path: &str| {
            let module = path.strip_suffix(".rs").unwrap_or(path);
            Path::new(module).ancestors().any(|part| {
                part.ends_with("tests")
                    || part.ends_with("benches")
                    || part.to_str().is_some_and(|part| modules.contains(part))
            })
        };
        texts.into_iter().map(|(path, text)| Self { test: under_test(&path), path, text }).collect()
    }

    /// The tokens of the product, in order; none for a test.
    pub(crate) fn product(&self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.test {
            flatten(without_tests(&tokens(&self.path, &self.text)), &mut found);
        }
        found
    }
}

fn tokens(path: &str, text: &str) -> Vec<TokenTree> {
    let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path} is not Rust: {error}"));
    stream.into_iter().collect()
}

/// The modules that this file declares for tests alone, as paths without an ending.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let own = path.strip_suffix(".rs").unwrap_or(path);
    let (parent, name) = own.rsplit_once('/').unwrap_or(("", own));
    let folder = if matches!(name, "lib" | "main" | "mod") { parent } else { own };
    let tokens = tokens(path, text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if !starts_test(&tokens[at..]) {
            continue;
        }
        let item: Vec<String> = tokens[at + 2..].iter().take(6).map(ToString::to_string).collect();
        let place = item.iter().position(|word| word == "mod");
        if let Some(name) = place.and_then(|place| item.get(place + 1)) {
            found.push(format!("{folder}/{name}"));
        }
    }
    found
}

/// Whether an attribute stands here that keeps what follows for tests.
fn starts_test(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return false };
    hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket && is_test(&group.stream())
}

/// `cfg(test)`, or `cfg(all(test, ...))`.
fn is_test(attribute: &TokenStream) -> bool {
    let words: String = attribute.to_string().split_whitespace().collect();
    words == "cfg(test)" || words.starts_with("cfg(all(test,")
}

/// A sequence of tokens without its items for tests.
fn without_tests(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        if let [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group), ..] = rest
            && (hash.as_char(), bang.as_char()) == ('#', '!')
            && is_test(&group.stream())
        {
            break;
        }
        if starts_test(rest) {
            rest = &rest[2..];
            rest = &rest[item_length(rest)..];
        } else {
            kept.push(first.clone());
            rest = &rest[1..];
        }
    }
    kept
}

/// How many tokens the item has that stands here.
fn item_length(tokens: &[TokenTree]) -> usize {
    const TO_A_SEMICOLON: [&str; 5] = ["use", "const", "static", "let", "type"];
    const TO_A_BODY: [&str; 10] =
        ["mod", "fn", "struct", "enum", "union", "trait", "impl", "macro_rules", "extern", "unsafe"];
    let keyword = tokens.iter().enumerate().find_map(|(at, token)| match token {
        TokenTree::Ident(word) if word != "pub" && word != "async" => Some((at, word.to_string())),
        TokenTree::Ident(_) | TokenTree::Group(_) => None,
        TokenTree::Punct(mark) if mark.as_char() == '#' => None,
        _ => Some((at, String::new())),
    });
    let (_, word) = keyword.unwrap_or_default();
    let body = TO_A_BODY.contains(&&*word) || const_fn(tokens);
    let semicolon = TO_A_SEMICOLON.contains(&&*word) && !body;
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(mark) if mark.as_char() == ';' => true,
        TokenTree::Punct(mark) if mark.as_char() == ',' => !body && !semicolon,
        TokenTree::Group(group) => body && group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens.iter().position(ends).map_or(tokens.len(), |at| at + 1)
}

fn const_fn(tokens: &[TokenTree]) -> bool {
    let words: Vec<String> = tokens.iter().take(8).map(ToString::to_string).collect();
    words.windows(2).any(|pair| pair == ["const", "fn"])
}

/// Writes tokens one after the other, with the marks of groups. A `::` is one token; a text is `""`.
fn flatten(tokens: Vec<TokenTree>, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => found.push(word.to_string().trim_start_matches("r#").to_owned()),
            TokenTree::Punct(mark)
                if mark.as_char() == ':' && found.last().is_some_and(|last| last == ":") =>
            {
                "::".clone_into(found.last_mut().expect("just seen"));
            }
            TokenTree::Punct(mark) => found.push(mark.as_char().to_string()),
            TokenTree::Literal(_) => found.push("\"\"".to_owned()),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                found.push(open.to_owned());
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                flatten(without_tests(&inside), found);
                found.push(close.to_owned());
            }
        }
    }
}

/// Every path that stands in the code, `use` written out: `use std::{fmt, fs as files}` has `std::fmt` and `std::fs`.
pub(crate) fn paths(tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" && tokens.get(at + 1).is_some_and(|next| next != "<") {
            at = branches(tokens, at + 1, "", &mut found);
        } else if is_word(&tokens[at]) {
            let start = at;
            while tokens.get(at + 1).is_some_and(|next| next == "::")
                && tokens.get(at + 2).is_some_and(|next| is_word(next))
            {
                at += 2;
            }
            found.push(tokens[start..=at].concat());
            at += 1;
        } else {
            at += 1;
        }
    }
    found
}

/// The paths of a tree of imports that begins here; returns where it ends.
fn branches(tokens: &[String], mut at: usize, before: &str, found: &mut Vec<String>) -> usize {
    let mut path = before.to_owned();
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at = branches(tokens, at + 1, &path, found);
                path.clear();
                continue;
            }
            "," | "}" | ";" => {
                if !path.is_empty() && path != before {
                    found.push(path.clone());
                }
                before.clone_into(&mut path);
                if token != "," {
                    return at + 1;
                }
            }
            "::" if path.is_empty() => {}
            "as" => at += 1,
            "self" if !before.is_empty() => found.push(before.trim_end_matches(':').to_owned()),
            word => path.push_str(word),
        }
        at += 1;
    }
    at
}

pub(crate) fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

#[test]
fn imports_are_written_out() {
    let of = |text: &str| {
        let mut found = Vec::new();
        flatten(tokens("a text", text), &mut found);
        paths(&found)
    };
    assert_eq!(
        of("use std::{fmt, io::{self, Read as R}, fs::*};"),
        ["std::fmt", "std::io", "std::io::Read", "std::fs::*"]
    );
    assert_eq!(of("use std as s; use ::std::fs;"), ["std", "std::fs"]);
    assert_eq!(of("let a = std::time::Instant::now();"), ["let", "a", "std::time::Instant::now"]);
}

#[test]
fn what_is_for_tests_is_left_out() {
    let of = |text: &str| {
        let source = Source { path: "a text".to_owned(), text: text.to_owned(), test: false };
        source.product().concat()
    };
    assert_eq!(of("#[cfg(test)] use a::{b, c}; d"), "d");
    assert_eq!(of("#[cfg(test)] #[derive(A, B)] struct C<D, E>(F); g"), "g");
    assert_eq!(of("#[cfg(test)] pub(crate) const fn a<B, C>() -> D { e } f"), "f");
    assert_eq!(of("struct A { #[cfg(test)] b: C, d: E }"), "structA{d:E}");
    assert_eq!(of("#[cfg(all(test, unix))] mod a { b } #[cfg(unix)] c"), "#[cfg(unix)]c");
    assert_eq!(of("mod a { #![cfg(test)] b }"), "moda{}");
}

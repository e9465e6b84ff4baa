//! Words become arguments: variables are put in, and split at blanks.

use super::run::Shell;
use super::tree::{Part, Word};

impl Shell {
    /// The arguments that words make.
    pub(super) fn expand(&self, words: &[Word]) -> Vec<String> {
        words.iter().flat_map(|word| self.fields(word)).collect()
    }

    /// The text that a word makes where nothing is split: in assignments and redirections.
    pub(super) fn expand_text(&self, word: &Word) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Var { name, .. } => self.var(name).unwrap_or_default(),
        };
        word.0.iter().map(text).collect()
    }

    fn fields(&self, word: &Word) -> Vec<String> {
        // The last one is being made; none where nothing stands yet, not even a pair of quotes.
        let mut fields: Vec<Option<String>> = vec![None];
        for part in &word.0 {
            match part {
                Part::Text(text) => extend(&mut fields, text),
                Part::Var { name, quoted: true } => {
                    extend(&mut fields, &self.var(name).unwrap_or_default());
                }
                Part::Var { name, quoted: false } => {
                    split_into(&mut fields, &self.var(name).unwrap_or_default());
                }
            }
        }
        fields.into_iter().flatten().collect()
    }
}

fn extend(fields: &mut [Option<String>], text: &str) {
    if let Some(field) = fields.last_mut() {
        field.get_or_insert_default().push_str(text);
    }
}

/// Splits a value at blanks: its first piece belongs to the field before, its last to what comes after.
fn split_into(fields: &mut Vec<Option<String>>, value: &str) {
    let blank = |letter: char| matches!(letter, ' ' | '\t' | '\n');
    let mut apart = value.starts_with(blank);
    for piece in value.split(blank).filter(|piece| !piece.is_empty()) {
        if apart {
            fields.push(None);
        }
        extend(fields, piece);
        apart = true;
    }
    if value.ends_with(blank) {
        fields.push(None);
    }
}

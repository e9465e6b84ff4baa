//! YAML with the lines on which things stand. A text stays the text that it is: `007` is no number here.

use granit_parser::{Event, Parser, ScalarStyle};

/// A value, and the line on which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Yaml,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Yaml {
    /// Nothing at all.
    Null,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// The most levels.
const DEEPEST: usize = 64;

/// What is wrong, and on which line.
pub(super) type Wrong = (usize, String);

/// The documents of a text.
pub(super) fn documents(text: &str) -> Result<Vec<Node>, Wrong> {
    let mut documents = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| (error.marker().line(), format!("it is no YAML: {}", error.info())))?;
        let line = span.start.line();
        let done = match event {
            Event::Scalar(text, style, ..) => Node { line, value: scalar(&text, style) },
            Event::SequenceStart(..) => {
                open.push(Open::List(line, Vec::new()));
                if open.len() > DEEPEST {
                    return Err((line, format!("more than {DEEPEST} levels stand in each other")));
                }
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(line, Vec::new(), None));
                if open.len() > DEEPEST {
                    return Err((line, format!("more than {DEEPEST} levels stand in each other")));
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => closed.node(),
                None => continue,
            },
            Event::Alias(_) => {
                return Err((line, "aliases (*name) are not read; write out what they stand for".to_owned()));
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.put(done)?,
            None => documents.push(done),
        }
    }
    Ok(documents)
}

fn scalar(text: &str, style: ScalarStyle) -> Yaml {
    if style == ScalarStyle::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL") {
        return Yaml::Null;
    }
    Yaml::Text(text.to_owned())
}

/// What has begun and not yet ended.
enum Open {
    List(usize, Vec<Node>),
    Map(usize, Vec<(String, Node)>, Option<String>),
}

impl Open {
    fn put(&mut self, node: Node) -> Result<(), Wrong> {
        match self {
            Self::List(_, nodes) => nodes.push(node),
            Self::Map(_, fields, key) => match (key.take(), node.value) {
                (None, Yaml::Text(name)) => {
                    if fields.iter().any(|(known, _)| *known == name) {
                        return Err((node.line, format!("'{name}' stands twice in one place")));
                    }
                    *key = Some(name);
                }
                (None, _) => return Err((node.line, "a name is expected before a colon".to_owned())),
                (Some(name), value) => fields.push((name, Node { line: node.line, value })),
            },
        }
        Ok(())
    }

    fn node(self) -> Node {
        match self {
            Self::List(line, nodes) => Node { line, value: Yaml::List(nodes) },
            Self::Map(line, fields, _) => Node { line, value: Yaml::Map(fields) },
        }
    }
}

impl Node {
    /// The field of this name.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        self.fields().iter().find(|(known, _)| known == name).map(|(_, node)| node)
    }

    /// All fields; none when it is no map.
    pub(super) fn fields(&self) -> &[(String, Self)] {
        match &self.value {
            Yaml::Map(fields) => fields,
            _ => &[],
        }
    }

    /// The text, when it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Yaml::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, when it is one.
    pub(super) fn number(&self) -> Option<u64> {
        self.text()?.replace('_', "").trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_lines_and_texts_stay_texts() {
        let documents =
            documents("appId: a.b\n---\n- back\n- inputText: 007\n- tapOn:\n    id: \"x\"\n").unwrap();
        assert_eq!(documents[0].field("appId").and_then(Node::text), Some("a.b"));
        let Yaml::List(commands) = &documents[1].value else { panic!("{documents:?}") };
        assert_eq!((commands[0].line, commands[0].text()), (3, Some("back")));
        assert_eq!(commands[1].field("inputText").and_then(Node::text), Some("007"));
        let id = commands[2].field("tapOn").and_then(|tap| tap.field("id")).unwrap();
        assert_eq!((id.line, id.text()), (6, Some("x")));
    }

    #[test]
    fn what_blows_up_is_refused() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        assert_eq!(documents(bomb).unwrap_err().0, 2);
        assert!(documents(&"[".repeat(100_000)).is_err());
        let deep = (0..100).fold(String::new(), |text, level| text + &" ".repeat(level) + "- \n");
        assert_eq!(documents(&deep).unwrap_err().1, "more than 64 levels stand in each other");
        assert_eq!(documents("a: 1\na: 2\n").unwrap_err(), (2, "'a' stands twice in one place".to_owned()));
        assert_eq!(documents("{[a]: 1}").unwrap_err().1, "a name is expected before a colon");
        assert!(documents("a: \"b").unwrap_err().1.starts_with("it is no YAML"));
    }
}

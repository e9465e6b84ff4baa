//! What the app's side tells of one look.

use std::collections::BTreeMap;

use retap_trace::{Crash, Flag, Flags, Frame, GuiTree, Node, Orientation, Rect, Size, Thrown};
use serde::Deserialize;

/// One look.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Seen {
    /// `package/class`; empty when the home screen is in front.
    pub(super) activity: String,
    tree: Vec<Widget>,
    pub(super) crashes: Vec<Told>,
    pub(super) coverage: Vec<u32>,
    pub(super) code: BTreeMap<u32, String>,
    pub(super) notes: Vec<String>,
    pub(super) keyboard: bool,
    /// Whether nothing more can be done with this process.
    pub(super) spent: bool,
    orientation: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Widget {
    depth: u32,
    #[serde(default)]
    class: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    desc: String,
    #[serde(default)]
    hint: Option<String>,
    bounds: [i32; 4],
    #[serde(default)]
    flags: Vec<String>,
}

/// A crash, as it is told.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    #[serde(flatten)]
    what: ToldCrash,
    /// Whether it is the device's own.
    pub(super) device: bool,
    /// Whether it is due to what this computer could not give at that moment.
    #[serde(default)]
    pub(super) passing: bool,
    /// Whether the app has taken all memory, which the process may not get back.
    #[serde(default)]
    pub(super) drained: bool,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ToldCrash {
    /// An exception and its causes.
    Java { chain: Vec<ToldException> },
    /// Where the main thread is.
    Anr { frames: Vec<String> },
}

#[derive(Debug, Deserialize)]
struct ToldException {
    class: String,
    message: String,
    frames: Vec<String>,
}

/// The home screen, by the names that Android's own has.
const HOME: (&str, &str) = ("com.android.launcher3", "com.android.launcher3.Launcher");
/// More widgets than this are on no screen.
const MOST_WIDGETS: usize = 100_000;

impl Seen {
    /// The package and the activity in front.
    pub(super) fn in_front(&self) -> (&str, &str) {
        self.activity.split_once('/').unwrap_or(HOME)
    }

    pub(super) fn orientation(&self) -> Option<Orientation> {
        match self.orientation.as_deref()? {
            "portrait" => Some(Orientation::Portrait),
            "landscape" => Some(Orientation::Landscape),
            _ => None,
        }
    }

    /// The widgets as a tree. Several windows hang below one root, which is the screen.
    pub(super) fn tree(&self, screen: Size) -> Result<GuiTree, String> {
        if self.tree.len() > MOST_WIDGETS {
            return Err(format!("a tree of {} widgets", self.tree.len()));
        }
        let roots = self.tree.iter().filter(|widget| widget.depth == 0).count();
        let mut tree = GuiTree::new();
        let deeper = u32::from(roots > 1);
        if roots > 1 {
            tree.push(Node {
                bounds: screen.rect(),
                flags: Flags::default().with(Flag::Enabled, true),
                ..Node::default()
            });
        }
        let mut deepest = 0;
        for widget in &self.tree {
            if widget.depth > deepest {
                return Err(format!("a widget of depth {} where {deepest} is the deepest", widget.depth));
            }
            deepest = widget.depth.saturating_add(1);
            tree.push(widget.node(deeper));
        }
        Ok(tree)
    }
}

impl Widget {
    fn node(&self, deeper: u32) -> Node {
        let [left, top, right, bottom] = self.bounds;
        let flag = |name: &String| Flag::ALL.into_iter().find(|flag| flag.name() == name);
        Node {
            depth: self.depth.saturating_add(deeper),
            class: self.class.as_str().into(),
            id: self.id.as_str().into(),
            text: self.text.as_str().into(),
            desc: self.desc.as_str().into(),
            hint: self.hint.as_deref().filter(|hint| !hint.is_empty()).map(Into::into),
            bounds: Rect::new(left, top, right, bottom),
            flags: self.flags.iter().filter_map(flag).collect(),
        }
    }
}

impl Told {
    pub(super) fn is_anr(&self) -> bool {
        matches!(self.what, ToldCrash::Anr { .. })
    }

    /// The crash, for the app of this package, while this activity was in front.
    pub(super) fn crash(&self, activity: &str, package: &str) -> Result<Crash, String> {
        match &self.what {
            ToldCrash::Java { chain } => {
                let chain = chain.iter().map(ToldException::thrown).collect();
                Crash::from_thrown(chain, package).ok_or_else(|| "it names no exception".to_owned())
            }
            // As logcat would tell it.
            ToldCrash::Anr { frames } => {
                let component = if activity.contains('/') { format!(" ({activity})") } else { String::new() };
                let stack: Vec<String> = frames.iter().map(|frame| format!("\tat {frame}")).collect();
                let stack = stack.join("\n");
                let text = format!(
                    "ANR in {package}{component}\nReason: the main thread is busy\n\"main\"\n{stack}"
                );
                Crash::from_anr(&text, package).map_err(|error| error.to_string())
            }
        }
    }
}

impl ToldException {
    fn thrown(&self) -> Thrown {
        Thrown {
            class: self.class.clone(),
            message: self.message.clone(),
            frames: self.frames.iter().cloned().map(Frame).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Seen {
        serde_json::from_str(text).unwrap()
    }

    const SCREEN: Size = Size { width: 100, height: 200 };

    #[test]
    fn a_tree_is_read_and_windows_are_joined() {
        let one = seen(
            r#"{"activity":"a.b/a.b.Main","tree":[
                {"depth":0,"bounds":[0,0,9,9]},
                {"depth":1,"class":"android.widget.EditText","text":"x","hint":"name","bounds":[1,2,3,4],"flags":["clickable","new"]}]}"#,
        );
        assert_eq!(one.in_front(), ("a.b", "a.b.Main"));
        let tree = one.tree(SCREEN).unwrap();
        let field = &tree.nodes()[1];
        assert_eq!((field.depth, &*field.text, field.hint.as_deref()), (1, "x", Some("name")));
        assert!(field.flags.has(Flag::Clickable) && field.bounds == Rect::new(1, 2, 3, 4));
        let two = seen(r#"{"tree":[{"depth":0,"bounds":[0,0,9,9]},{"depth":0,"bounds":[1,1,2,2]}]}"#);
        let depths: Vec<u32> = two.tree(SCREEN).unwrap().nodes().iter().map(|node| node.depth).collect();
        assert_eq!(depths, [0, 1, 1]);
        assert_eq!(two.in_front(), HOME);
        assert!(seen("{}").tree(SCREEN).unwrap().nodes().is_empty());
        for wrong in [
            r#"{"tree":[{"depth":1,"bounds":[0,0,9,9]}]}"#,
            r#"{"tree":[{"depth":0,"bounds":[0,0,9,9]},{"depth":2,"bounds":[0,0,9,9]}]}"#,
            r#"{"tree":[{"depth":4294967295,"bounds":[0,0,9,9]}]}"#,
        ] {
            assert!(seen(wrong).tree(SCREEN).is_err(), "{wrong}");
        }
    }

    #[test]
    fn crashes_are_those_of_the_app() {
        let told = seen(
            r#"{"crashes":[
                {"kind":"java","device":false,"chain":[{"class":"java.lang.IllegalStateException",
                    "message":"no\n\tat x.Y.z(Y.java:1)\nCaused by: x.Other","frames":["a.b.Main.go(Main.java:3)"]}]},
                {"kind":"anr","device":false,"frames":["a.b.Main.spin(Main.java:9)","android.os.Looper.loop(Looper.java:1)"]},
                {"kind":"java","device":false,"chain":[]}]}"#,
        );
        let java = told.crashes[0].crash("a.b/a.b.Main", "a.b").unwrap();
        assert!(java.signature.0.starts_with("IllegalStateException@Main.go#"), "{}", java.signature);
        assert_eq!((java.frames.len(), &java.root_cause), (1, &None), "a message is no stack");
        let anr = told.crashes[1].crash("a.b/a.b.Main", "a.b").unwrap();
        assert_eq!((anr.exception.as_str(), anr.root_cause.as_deref()), ("ANR", Some("a.b.Main")));
        assert_eq!(anr.frames.len(), 2);
        assert!(told.crashes[1].crash("", "a.b").unwrap().root_cause.is_none());
        assert!(told.crashes[2].crash("", "a.b").is_err());
    }
}

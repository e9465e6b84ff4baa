//! Trees, observations and crashes as JSON.

use proptest::prelude::*;

use crate::any;
use crate::crash::Crash;
use crate::observation::Observation;
use crate::tree::{GuiTree, Node};

proptest! {
    #[test]
    fn trees_survive(tree in any::tree()) {
        let text = serde_json::to_string(&tree).unwrap();
        prop_assert_eq!(GuiTree::from_json(&text).unwrap(), tree);
    }

    #[test]
    fn observations_survive(observation in any::observation()) {
        let text = serde_json::to_string(&observation).unwrap();
        prop_assert_eq!(&Observation::from_json(&text).unwrap(), &observation);
        for crash in observation.crashes {
            prop_assert_eq!(Crash::from_json(&serde_json::to_string(&crash).unwrap()).unwrap(), crash);
        }
    }

    #[test]
    fn depths_that_make_no_tree_are_refused(depths in prop::collection::vec(0_u32..4, 0..8)) {
        let nodes: Vec<String> = depths.iter().map(|depth| format!("{{\"depth\":{depth},\"bounds\":[0,0,1,1]}}")).collect();
        let fits = depths.first().is_none_or(|&root| root == 0)
            && depths.windows(2).all(|pair| (1..=pair[0] + 1).contains(&pair[1]));
        prop_assert_eq!(GuiTree::from_json(&format!("{{\"nodes\":[{}]}}", nodes.join(","))).is_ok(), fits);
    }
}

#[test]
fn no_tree_is_too_deep() {
    let mut tree = GuiTree::new();
    for depth in 0..10_000 {
        tree.push(Node { depth, ..Node::default() });
    }
    assert_eq!(GuiTree::from_json(&serde_json::to_string(&tree).unwrap()).unwrap(), tree);
}

#[test]
fn unknown_fields_are_passed_over() {
    let tree = GuiTree::from_json(r#"{"nodes":[{"depth":0,"bounds":[0,0,1,1],"x":{"y":1}}],"z":1}"#).unwrap();
    assert_eq!(tree.nodes().len(), 1);
}

#[test]
fn errors_name_the_node() {
    let said = |text: &str| GuiTree::from_json(text).unwrap_err().to_string();
    assert_eq!(
        said("{\"nodes\":[\n {\"depth\":0,\"bounds\":[0,0,1,1]},\n {\"depth\":2,\"bounds\":[0,0,1,1]}]}"),
        "3:11: nodes[1].depth: a node here has a depth from 1 to 1, one more than the node before it; found 2"
    );
    assert_eq!(
        said(r#"{"nodes":[{"depth":1,"bounds":[0,0,1,1]}]}"#),
        "1:20: nodes[0].depth: the first node is the root and has depth 0; found 1"
    );
    assert_eq!(
        said(r#"{"nodes":[{"depth":0,"bounds":[0,0,1]}]}"#),
        "1:31: nodes[0].bounds: expected [left, top, right, bottom], four whole numbers, found [0, 0, 1]"
    );
    assert!(
        said(r#"{"nodes":[{"depth":0,"bounds":[0,0,1,1],"flags":["shiny"]}]}"#)
            .contains("1:50: nodes[0].flags[0]: expected one of clickable, long-clickable, checkable")
    );
    assert_eq!(said("[]"), "1:1: expected a GUI tree such as {\"nodes\":[]}, found []");
    assert!(
        Observation::from_json("{\"at\":1}").unwrap_err().to_string().starts_with("1:1: package: is missing")
    );
}

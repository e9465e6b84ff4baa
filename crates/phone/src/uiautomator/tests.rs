use serde_json::{Value, json};

use super::rpc::answer;
use crate::phone::Phone;
use crate::testing::{out, phone};

fn call(phone: &Phone, method: &str, params: &Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let reply = answer(phone, &request, &|| false);
    assert_eq!((&reply["jsonrpc"], &reply["id"]), (&json!("2.0"), &json!(7)));
    if reply.get("error").is_some() { reply["error"].clone() } else { reply["result"].clone() }
}

fn started() -> Phone {
    let phone = phone();
    out(&phone, "am start -W -n org.retap.notes/.MainActivity");
    phone
}

fn front(phone: &Phone) -> String {
    phone.with(|state| state.machine().activity().to_string())
}

#[test]
fn a_client_learns_what_the_device_is() {
    let phone = started();
    let info = call(&phone, "deviceInfo", &json!([]));
    assert_eq!(info["currentPackageName"], "org.retap.notes");
    assert_eq!(
        (&info["displayWidth"], &info["displayHeight"], &info["sdkInt"]),
        (&json!(1080), &json!(1920), &json!(34))
    );
    let xml = call(&phone, "dumpWindowHierarchy", &json!([false, 50]));
    assert!(xml.as_str().unwrap().contains("resource-id=\"org.retap.notes:id/search\""), "{xml}");
}

#[test]
fn widgets_are_found_by_what_is_known_of_them() {
    let phone = started();
    let count = |selector: Value| call(&phone, "count", &json!([selector])).as_u64().unwrap();
    assert_eq!(count(json!({"text": "Search"})), 1);
    assert_eq!(count(json!({"textContains": "SEAR"})), 1);
    assert_eq!(count(json!({"textMatches": "S.*h"})), 1);
    assert_eq!(count(json!({"textMatches": "ear"})), 0);
    assert_eq!(count(json!({"textMatches": "("})), 0);
    assert_eq!(count(json!({"resourceId": "org.retap.notes:id/note"})), 5);
    assert_eq!(count(json!({"resourceId": "org.retap.notes:id/note", "instance": 4})), 1);
    assert_eq!(count(json!({"resourceId": "org.retap.notes:id/note", "instance": 5})), 0);
    assert_eq!(count(json!({"className": "android.widget.Button", "clickable": false})), 0);
    let inside = json!({"resourceId": "org.retap.notes:id/bar", "childOrSibling": ["child"],
        "childOrSiblingSelector": [{"className": "android.widget.Button"}]});
    assert_eq!(count(inside), 4);
    let beside = json!({"text": "Menu", "childOrSibling": ["sibling"], "childOrSiblingSelector": [{"text": "Archive"}]});
    assert_eq!(count(beside), 1);
    assert_eq!(count(json!(null)), 0);
}

#[test]
fn clicks_and_texts_reach_the_app() {
    let phone = started();
    let info = call(&phone, "objInfo", &json!([{"text": "Search"}]));
    let side = |name: &str| info["bounds"][name].as_i64().unwrap();
    let at = json!([i64::midpoint(side("left"), side("right")), i64::midpoint(side("top"), side("bottom"))]);
    assert_eq!(call(&phone, "click", &at), json!(true));
    assert_eq!(front(&phone), "org.retap.notes.SearchActivity");
    let field = json!({"className": "android.widget.EditText"});
    assert_eq!(call(&phone, "setText", &json!([field, "milk"])), json!(true));
    assert_eq!(call(&phone, "getText", &json!([field])), json!("milk"));
    call(&phone, "clearTextField", &json!([field]));
    assert_ne!(call(&phone, "getText", &json!([field])), json!("milk"));
    call(&phone, "click", &json!([field]));
    call(&phone, "setClipboard", &json!([null, "pasted"]));
    assert_eq!(call(&phone, "getClipboard", &json!([])), json!("pasted"));
    call(&phone, "pasteClipboard", &json!([]));
    assert_eq!(call(&phone, "getText", &json!([field])), json!("pasted"));
    call(&phone, "pressKey", &json!(["back"]));
    call(&phone, "pressKey", &json!(["back"]));
    assert_eq!(front(&phone), "org.retap.notes.MainActivity");
    assert_eq!(call(&phone, "swipe", &json!([900, 136, 905, 136, 10])), json!(true));
    assert_eq!(front(&phone), "org.retap.notes.EditorActivity", "a short way is a tap");
    call(&phone, "pressKey", &json!(["home"]));
    assert_eq!(front(&phone), "com.android.launcher3.Launcher");
}

#[test]
fn waiting_has_an_end() {
    let phone = started();
    assert_eq!(call(&phone, "waitForExists", &json!([{"text": "Search"}, 1000])), json!(true));
    assert_eq!(call(&phone, "waitForExists", &json!([{"text": "nonsense"}, 3000])), json!(false));
    assert_eq!(call(&phone, "waitUntilGone", &json!([{"text": "nonsense"}, 0])), json!(true));
    assert_eq!(call(&phone, "exist", &json!([{"text": "nonsense"}])), json!(false));
}

#[test]
fn what_is_missing_is_said_in_the_words_that_clients_know() {
    let phone = started();
    let error = call(&phone, "objInfo", &json!([{"text": "nonsense"}]));
    assert!(error["message"].as_str().unwrap().contains("uiautomator.UiObjectNotFoundException"), "{error}");
    assert_eq!(call(&phone, "fly", &json!([]))["code"], json!(-32601));
    assert_eq!(answer(&phone, &Value::Null, &|| false)["error"]["code"], json!(-32600));
    let blind = crate::testing::phone_of("sim:notes?blind=1", crate::android::Android::default());
    let error = call(&blind, "dumpWindowHierarchy", &json!([false, 50]));
    assert!(error["message"].as_str().unwrap().contains("UiAutomation not connected"), "{error}");
}

#[test]
fn the_screen_turns_and_is_seen() {
    let phone = started();
    call(&phone, "setOrientation", &json!(["left"]));
    assert_eq!(call(&phone, "deviceInfo", &json!([]))["displayRotation"], json!(1));
    let picture = call(&phone, "takeScreenshot", &json!([1, 80]));
    assert!(picture.as_str().unwrap().starts_with("iVBORw0KGgo"), "a PNG file begins so");
}

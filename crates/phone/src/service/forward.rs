//! Forwarding from the phone to the host: there is none, and that is said in the right form.

use crate::transport::HostStream;

/// Answers a request such as `forward:tcp:1;tcp:2` or `list-forward`.
pub(super) fn answer(request: &str, stream: &HostStream) {
    let answer = match request {
        "list-forward" => "OKAY0000".to_owned(),
        "killforward-all" => "OKAY".to_owned(),
        _ if request.starts_with("killforward:") => {
            failure(&format!("listener '{}' not found", request.trim_start_matches("killforward:")))
        }
        _ => failure("cannot bind listener: Operation not permitted"),
    };
    // A host that does not listen hears nothing.
    let _ = stream.write(answer.as_bytes());
}

fn failure(why: &str) -> String {
    format!("FAIL{:04x}{why}", why.len())
}

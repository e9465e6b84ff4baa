//! Who may ask, and for what. Other pages in the same browser can send requests to this computer, and names of other hosts
//! can be made to lead here, so each request must carry the secret of the address, name this very host, and, where it
//! changes anything, come from our own page.

use std::fmt::Write as _;

use crate::Method;

/// The longest body that is read, in bytes.
pub(crate) const LONGEST_BODY: usize = 64 << 10;

/// What every answer tells the browser: nothing from elsewhere is loaded, nothing inline is run, nobody frames the page,
/// nothing is kept.
pub(crate) const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// The guard of one server.
#[derive(Debug)]
pub(crate) struct Guard {
    /// `127.0.0.1:PORT`
    host: String,
    token: String,
}

/// What a request says of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claims<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) hosts: &'a [&'a str],
    pub(crate) origin: Option<&'a str>,
    pub(crate) content_type: Option<&'a str>,
}

/// A request that is not answered: the status, and why.
pub(crate) type GuardRefusal = (u16, &'static str);

impl Guard {
    /// The guard of a server at this port, with a secret of its own.
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().fold(String::new(), |mut token, byte| {
            // Writing to a text cannot fail.
            let _ = write!(token, "{byte:02x}");
            token
        });
        Ok(Self { host: format!("127.0.0.1:{port}"), token })
    }

    /// The address of the page, with the secret in it.
    pub(crate) fn address(&self) -> String {
        format!("{}/{}/", self.origin(), self.token)
    }

    fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    /// What is asked for, below the secret.
    pub(crate) fn check<'a>(&self, claims: Claims<'a>) -> Result<(Method, &'a str), GuardRefusal> {
        if claims.hosts != [self.host.as_str()] {
            return Err((403, "this host is not served here"));
        }
        let method = match claims.method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            _ => return Err((405, "only GET and POST are served here")),
        };
        let ours = claims.origin.map(|origin| origin == self.origin());
        if ours == Some(false) || method == Method::Post && ours.is_none() {
            return Err((403, "this is for the page of this server alone"));
        }
        let path = claims.path.strip_prefix('/').unwrap_or(claims.path);
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        if !same(token.as_bytes(), self.token.as_bytes()) {
            return Err((404, "there is nothing here; use the whole address that was printed"));
        }
        if method == Method::Post && claims.content_type != Some("application/json") {
            return Err((415, "only application/json is taken"));
        }
        Ok((method, rest))
    }
}

/// Compares without telling by the time it takes how much is right.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_gets_in() {
        let guard = Guard::new(4321).unwrap();
        let path = guard.address().strip_prefix("http://127.0.0.1:4321").unwrap().to_owned() + "input";
        let hosts: &[&str] = &["127.0.0.1:4321"];
        let get = Claims { method: "GET", path: &path, hosts, origin: None, content_type: None };
        let origin = Some("http://127.0.0.1:4321");
        let post = Claims { method: "POST", origin, content_type: Some("application/json"), ..get };
        assert_eq!(guard.check(get), Ok((Method::Get, "input")));
        assert_eq!(guard.check(post), Ok((Method::Post, "input")));
        let wrong_token = format!("/{}/input", "0".repeat(32));
        for (claims, status) in [
            (Claims { hosts: &[], ..get }, 403),
            (Claims { hosts: &["localhost:4321"], ..get }, 403),
            (Claims { hosts: &["127.0.0.1"], ..get }, 403),
            (Claims { hosts: &["evil.example:4321"], ..get }, 403),
            (Claims { hosts: &["127.0.0.1:4321", "evil.example"], ..get }, 403),
            (Claims { origin: Some("null"), ..get }, 403),
            (Claims { origin: Some("http://evil.example"), ..get }, 403),
            (Claims { origin: Some("https://127.0.0.1:4321"), ..post }, 403),
            (Claims { origin: Some("http://127.0.0.1:4322"), ..post }, 403),
            (Claims { origin: None, ..post }, 403),
            (Claims { path: "/", ..get }, 404),
            (Claims { path: "", ..get }, 404),
            (Claims { path: "/input", ..post }, 404),
            (Claims { path: &wrong_token, ..post }, 404),
            (Claims { path: &path[..20], ..get }, 404),
            (Claims { method: "PUT", ..post }, 405),
            (Claims { method: "OPTIONS", ..post }, 405),
            (Claims { method: "HEAD", ..get }, 405),
            (Claims { content_type: None, ..post }, 415),
            (Claims { content_type: Some("text/plain"), ..post }, 415),
        ] {
            assert_eq!(guard.check(claims).map_err(|(status, _)| status), Err(status), "{claims:?}");
        }
    }

    #[test]
    fn two_servers_have_two_secrets() {
        let secret = || Guard::new(1).unwrap().token;
        assert_ne!(secret(), secret());
        assert_eq!(secret().len(), 32);
    }
}

//! A server that only this computer reaches: it binds 127.0.0.1, at a port that the system chooses.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use tokio::sync::oneshot;

use crate::guard::{Claims, Guard, GuardRefusal, HEADERS, LONGEST_BODY};

/// How many requests may wait at once; further ones queue.
const MOST_WAITING: usize = 64;

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// To be told something.
    Get,
    /// To have something done.
    Post,
}

/// A request that has passed the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// What is asked.
    pub method: Method,
    /// What for: the path below the secret, such as `state`.
    pub path: String,
    /// What stands behind the question mark.
    pub query: String,
    /// What came with it.
    pub body: Vec<u8>,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAnswer {
    /// The status, as HTTP numbers it.
    pub status: u16,
    /// What the body is, such as `application/json`.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// What is served.
pub trait Site: Send + Sync + 'static {
    /// Answers a request. It may take its time: others are answered meanwhile.
    fn answer(&self, request: &PageRequest) -> PageAnswer;
}

/// A server. Dropping it ends it: what would tell it to end is gone.
#[derive(Debug)]
pub struct Loopback {
    address: String,
    end: Option<oneshot::Sender<()>>,
    /// Hears when the thread has ended, by being cut off.
    ended: Receiver<()>,
}

struct Served {
    guard: Guard,
    site: Arc<dyn Site>,
}

impl PageAnswer {
    /// A text for people.
    pub fn text(status: u16, text: &str) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: text.as_bytes().to_vec() }
    }

    /// Something for programs.
    pub fn json(status: u16, value: &impl serde::Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self { status, content_type: "application/json", body },
            Err(error) => Self::text(500, &error.to_string()),
        }
    }
}

impl Loopback {
    /// Begins to serve.
    pub fn start(site: Arc<dyn Site>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        let address = guard.address();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(MOST_WAITING)
            .build()?;
        let (end, stop) = oneshot::channel();
        let (over, ended) = mpsc::channel();
        let served = Arc::new(Served { guard, site });
        let body = move || {
            // A server that cannot go on leaves its page without answers, and the page says so.
            let _ = runtime.block_on(serve(listener, served, stop));
            drop(over);
        };
        thread::Builder::new().name("page".to_owned()).spawn(body)?;
        Ok(Self { address, end: Some(end), ended })
    }

    /// Ends it, and waits until what is under way is answered, but no longer than so.
    pub fn close(mut self, wait: Duration) {
        drop(self.end.take());
        // Nothing is ever sent: it is cut off, or the time is over.
        let _ = self.ended.recv_timeout(wait);
    }

    /// Where a browser finds it. Who has the address may use it.
    pub fn address(&self) -> &str {
        &self.address
    }
}

async fn serve(listener: TcpListener, served: Arc<Served>, stop: oneshot::Receiver<()>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = Router::new().fallback(handle).with_state(served);
    axum::serve(listener, router)
        .with_graceful_shutdown(async {
            let _ = stop.await;
        })
        .await
}

async fn handle(State(served): State<Arc<Served>>, request: axum::extract::Request) -> Response {
    match answer(served, request).await {
        Ok(answer) => response(answer),
        Err((status, why)) => response(PageAnswer::text(status, why)),
    }
}

async fn answer(served: Arc<Served>, request: axum::extract::Request) -> Result<PageAnswer, GuardRefusal> {
    let (parts, body) = request.into_parts();
    let text = |value: &HeaderValue| value.to_str().unwrap_or("?").to_owned();
    let one = |name: HeaderName| parts.headers.get(name).map(text);
    let mut hosts: Vec<String> = parts.headers.get_all(header::HOST).iter().map(text).collect();
    // A request for a whole address names its host twice, and both must be ours.
    hosts.extend(parts.uri.authority().map(ToString::to_string).filter(|host| !hosts.contains(host)));
    let (origin, content_type) = (one(header::ORIGIN), one(header::CONTENT_TYPE));
    let claims = Claims {
        method: parts.method.as_str(),
        path: parts.uri.path(),
        hosts: &hosts.iter().map(String::as_str).collect::<Vec<_>>(),
        origin: origin.as_deref(),
        content_type: content_type.as_deref(),
    };
    let (method, path) = served.guard.check(claims)?;
    let (path, query) = (path.to_owned(), parts.uri.query().unwrap_or_default().to_owned());
    let body = to_bytes(body, LONGEST_BODY).await.map_err(|_| (413, "that is too much"))?;
    let request = PageRequest { method, path, query, body: body.to_vec() };
    let site = served.site.clone();
    let answered = tokio::task::spawn_blocking(move || site.answer(&request)).await;
    answered.map_err(|_| (500, "this is a bug in retap"))
}

fn response(answer: PageAnswer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    response
}

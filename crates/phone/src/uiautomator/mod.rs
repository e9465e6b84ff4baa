//! The screen as uiautomator sees it, and the server that uiautomator2 clients talk to.
//!
//! | file | what |
//! |---|---|
//! | `xml` | the screen as a document |
//! | `http` | requests and answers on a port of the phone |
//! | `rpc` | what a call means |
//! | `objects` | calls about one widget |
//! | `selector` | which widget is meant |
//! | `base64` | pictures as text |

pub(crate) mod base64;
mod http;
mod objects;
mod rpc;
mod selector;
#[cfg(test)]
mod tests;
mod xml;

pub(crate) use http::serve;
pub(crate) use xml::hierarchy;

//! The lines that pass between the Claude Code CLI and an SDK (`stream-json`), as types.
//!
//! Each line is JSON. [`from_cli`] reads one that the CLI writes, [`from_sdk`] one that goes to it;
//! [`Wire::to_json`] writes one.
//!
//! ```
//! use ccwire::{answer, from_cli, FromCli, PermissionDeny, RequestFromCli, Wire};
//!
//! let line = r#"{"type":"control_request","request_id":"1","request":{
//!     "subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}"#;
//! if let FromCli::ControlRequest(asked) = from_cli(line)? {
//!     if let RequestFromCli::CanUseTool(request) = &asked.request {
//!         let deny = PermissionDeny { message: format!("{} is not allowed", request.tool_name), ..Default::default() };
//!         println!("{}", answer(&asked.request_id, request, &deny.into()).to_json());
//!     }
//! }
//! # Ok::<(), ccwire::Error>(())
//! ```
//!
//! # What is kept
//!
//! A later CLI writes more than this crate knows. A line, block or request of an unknown tag is
//! `Unknown`, with the whole value; an unknown member is in `extra`, and an unknown value of a
//! string in `Other`. All of it is written back. A member in `extra` goes before the field of the
//! same name.
//!
//! Fields are written in the order in which the CLI writes them, then what is in `extra`, sorted by
//! name or, with the feature `preserve_order` of `serde_json`, as it was.
//!
//! What only older peers write becomes its modern form, or `Unknown` where there is none.
//!
//! A required member that may be null is an `Option`, and so is one that may be absent; one that may
//! be both is an `Option<Option<_>>`: `None` is absent, `Some(None)` is null.
//!
//! Rust strings cannot hold half of a surrogate pair, which a line can have as an escape. It is
//! read as U+10FFFF and a private character, and written back as it was. A number that no `i64` or
//! `f64` holds is in `extra` where a type has a number.

mod codec;
mod control;
mod error;
mod json;
#[cfg(feature = "testing")]
pub mod testing;
mod types;
mod wire;

#[doc(hidden)]
pub use types::shapes;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use control::{answer, ask, read_answer, refuse, Hook, Request, Tool};
pub use error::Error;
pub use types::*;
pub use wire::Wire;

/// Reads a line that the CLI writes.
pub fn from_cli(line: impl AsRef<[u8]>) -> Result<FromCli, Error> {
    FromCli::from_json(line)
}

/// Reads a line that an SDK writes.
pub fn from_sdk(line: impl AsRef<[u8]>) -> Result<FromSdk, Error> {
    FromSdk::from_json(line)
}

//! How the types are read and written. What is generated here are tables.

mod fields;
mod generated;
pub(crate) mod macros;
mod members;
mod place;
pub(crate) mod plain;
pub(crate) mod union;

pub(crate) use fields::Fields;
pub(crate) use members::Members;
pub use place::{Codec, OptionalPlace, Place};

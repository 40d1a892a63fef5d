//! How the types are read and written. What is generated here are tables.

mod fields;
mod generated;
pub(crate) mod macros;
mod members;
mod place;
pub(crate) mod plain;
pub(crate) mod union;

use crate::json::Node;
use crate::Error;

pub(crate) use fields::Fields;
pub(crate) use members::Members;
pub(crate) use place::{OptionalPlace, Place};

/// How a type is read and written.
pub trait Codec: Sized {
    /// Reads a value that is this deep in the line.
    fn read(node: Node<'_>, depth: usize) -> Result<Self, Error>;

    /// Appends JSON text.
    fn write(&self, out: &mut String);
}

//! Unions: objects that a tag tells apart.

use serde_json::Value;

use super::Place;
use crate::json::Node;
use crate::Error;

/// How deep unions are read into their types. One that is deeper is kept as it is, so that a line
/// cannot use up the stack.
pub const MAX_DEPTH: usize = 128;

/// Keeps an object as it is that must fit the place.
pub fn keep(place: &mut dyn Place, node: Node<'_>, depth: usize) -> Result<Value, Error> {
    place.fill(node.clone(), depth)?;
    Ok(node.into_value())
}

/// The error of an object whose tag is that of no arm.
pub fn untagged(node: &Node<'_>, tag: &'static str) -> Result<(), Error> {
    if !matches!(node, Node::Object(_)) {
        return Err(super::plain::mismatch(node, "an object"));
    }
    let why = match node.get(tag) {
        None => "it is missing".to_string(),
        Some(Node::String(text)) => format!("{text:?} is not known"),
        Some(other) => format!("{} where a string belongs", other.kind()),
    };
    Err(Error::new(why).below(tag))
}

/// Whether an object lacks one of the members, or the member `inside` of it does. Only then it can
/// be a legacy shape.
pub fn lacks(node: &Node<'_>, inside: &str, names: &[&str]) -> bool {
    let object = if inside.is_empty() { Some(node) } else { node.get(inside) };
    object.is_some_and(|object| names.iter().any(|name| object.get(name).is_none()))
}

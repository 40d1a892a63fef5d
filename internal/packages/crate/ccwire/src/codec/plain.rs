//! Values that are no types of the protocol.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::{Codec, Place};
use crate::json::{self, Node};
use crate::Error;

/// What is there in the place of something else.
pub fn mismatch(found: &Node<'_>, want: &str) -> Error {
    Error::new(format!("{} where {want} belongs", found.kind()))
}

/// The text of a string.
pub fn text<'a>(node: &'a Node<'_>) -> Result<&'a str, Error> {
    match node {
        Node::String(text) => Ok(text),
        other => Err(mismatch(other, "a string")),
    }
}

impl Place for String {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        match node {
            Node::String(text) => *self = text.into_owned(),
            other => return Err(mismatch(&other, "a string")),
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        json::string(out, self);
    }
}

impl Place for bool {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        match node {
            Node::Bool(b) => *self = b,
            other => return Err(mismatch(&other, "a boolean")),
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Place for i64 {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        let Node::Number(text) = node else {
            return Err(mismatch(&node, "an integer"));
        };
        *self = match (text.parse(), text.parse::<f64>()) {
            (Ok(n), _) => n,
            (_, Ok(n)) if n.fract() == 0.0 && n.abs() < 9e15 => n as i64,
            (_, Ok(n)) if n.fract() == 0.0 || n.is_infinite() => return Err(Error::unfit("an integer that is too large")),
            _ => return Err(Error::new("a number with a fraction where an integer belongs")),
        };
        Ok(())
    }

    fn put(&self, out: &mut String) {
        _ = write!(out, "{self}");
    }
}

impl Place for f64 {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        let Node::Number(text) = node else {
            return Err(mismatch(&node, "a number"));
        };
        *self = match text.parse::<f64>() {
            Ok(n) if n.is_finite() => n,
            _ => return Err(Error::unfit("a number that is too large")),
        };
        Ok(())
    }

    fn put(&self, out: &mut String) {
        json::float(out, *self);
    }
}

impl Place for Value {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        *self = node.into_value();
        Ok(())
    }

    fn put(&self, out: &mut String) {
        json::value(out, self);
    }
}

impl Place for Map<String, Value> {
    fn fill(&mut self, node: Node<'_>, _: usize) -> Result<(), Error> {
        match node {
            Node::Object(members) => *self = json::object(members),
            other => return Err(mismatch(&other, "an object")),
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        super::Fields::new(out, self).end();
    }
}

/// A value that may be null.
impl<T: Codec> Place for Option<T> {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        match node {
            Node::Null => *self = None,
            node => self.insert(T::default()).fill(node, depth)?,
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        match self {
            Some(value) => value.put(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Codec> Place for Box<T> {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        T::fill(self, node, depth)
    }

    fn put(&self, out: &mut String) {
        T::put(self, out);
    }
}

impl<T: Codec> Place for Vec<T> {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        let Node::List(items) = node else {
            return Err(mismatch(&node, "an array"));
        };
        for (i, item) in items.into_iter().enumerate() {
            let mut value = T::default();
            value.fill(item, depth + 1).map_err(|err| err.below(&i.to_string()))?;
            self.push(value);
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        let mut before = '[';
        for item in self {
            out.push(before);
            item.put(out);
            before = ',';
        }
        out.push_str(if before == '[' { "[]" } else { "]" });
    }
}

impl<T: Codec> Place for BTreeMap<String, T> {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        let Node::Object(members) = node else {
            return Err(mismatch(&node, "an object"));
        };
        for member in members {
            if let Some(node) = member.value {
                let mut value = T::default();
                value.fill(node, depth + 1).map_err(|err| err.below(&member.name))?;
                self.insert(member.name.into_owned(), value);
            }
        }
        Ok(())
    }

    fn put(&self, out: &mut String) {
        let mut before = '{';
        for (name, value) in self {
            out.push(before);
            json::string(out, name);
            out.push(':');
            value.put(out);
            before = ',';
        }
        out.push_str(if before == '{' { "{}" } else { "}" });
    }
}

//! Values that are no types of the protocol.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::Codec;
use crate::json::{self, Node};
use crate::Error;

/// What is there in the place of something else.
pub fn mismatch(found: &Node<'_>, want: &str) -> Error {
    Error::new(format!("{} where {want} belongs", found.kind()))
}

/// Reads a string with known values.
pub fn known<T: for<'a> From<&'a str>>(node: &Node<'_>) -> Result<T, Error> {
    match node {
        Node::String(text) => Ok(T::from(text)),
        other => Err(mismatch(other, "a string")),
    }
}

impl Codec for String {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        match node {
            Node::String(text) => Ok(text.into_owned()),
            other => Err(mismatch(&other, "a string")),
        }
    }

    fn write(&self, out: &mut String) {
        json::string(out, self);
    }
}

impl Codec for bool {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        match node {
            Node::Bool(b) => Ok(b),
            other => Err(mismatch(&other, "a boolean")),
        }
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Codec for i64 {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        let Node::Number(text) = node else {
            return Err(mismatch(&node, "an integer"));
        };
        if let Ok(n) = text.parse() {
            return Ok(n);
        }
        match text.parse::<f64>() {
            Ok(n) if n.fract() == 0.0 && n.abs() < 9e15 => Ok(n as i64),
            Ok(n) if n.fract() == 0.0 || n.is_infinite() => Err(Error::unfit("an integer that is too large")),
            _ => Err(Error::new("a number with a fraction where an integer belongs")),
        }
    }

    fn write(&self, out: &mut String) {
        _ = write!(out, "{self}");
    }
}

impl Codec for f64 {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        let Node::Number(text) = node else {
            return Err(mismatch(&node, "a number"));
        };
        match text.parse::<f64>() {
            Ok(n) if n.is_finite() => Ok(n),
            _ => Err(Error::unfit("a number that is too large")),
        }
    }

    fn write(&self, out: &mut String) {
        json::float(out, *self);
    }
}

impl Codec for Value {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        Ok(node.into_value())
    }

    fn write(&self, out: &mut String) {
        json::value(out, self);
    }
}

impl Codec for Map<String, Value> {
    fn read(node: Node<'_>, _: usize) -> Result<Self, Error> {
        match node {
            Node::Object(members) => Ok(json::object(members)),
            other => Err(mismatch(&other, "an object")),
        }
    }

    fn write(&self, out: &mut String) {
        super::Fields::new(out, self).end();
    }
}

impl<T: Codec> Codec for Option<T> {
    fn read(node: Node<'_>, depth: usize) -> Result<Self, Error> {
        match node {
            Node::Null => Ok(None),
            node => T::read(node, depth).map(Some),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Codec> Codec for Box<T> {
    fn read(node: Node<'_>, depth: usize) -> Result<Self, Error> {
        T::read(node, depth).map(Box::new)
    }

    fn write(&self, out: &mut String) {
        T::write(self, out);
    }
}

impl<T: Codec> Codec for Vec<T> {
    fn read(node: Node<'_>, depth: usize) -> Result<Self, Error> {
        let Node::List(items) = node else {
            return Err(mismatch(&node, "an array"));
        };
        let mut list = Vec::with_capacity(items.len());
        for (i, item) in items.into_iter().enumerate() {
            list.push(T::read(item, depth + 1).map_err(|err| err.below(&i.to_string()))?);
        }
        Ok(list)
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (i, item) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

impl<T: Codec> Codec for BTreeMap<String, T> {
    fn read(node: Node<'_>, depth: usize) -> Result<Self, Error> {
        let Node::Object(members) = node else {
            return Err(mismatch(&node, "an object"));
        };
        let mut map = BTreeMap::new();
        for member in members {
            if let Some(value) = member.value {
                let value = T::read(value, depth + 1).map_err(|err| err.below(&member.name))?;
                map.insert(member.name.into_owned(), value);
            }
        }
        Ok(map)
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (i, (name, value)) in self.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            json::string(out, name);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }
}

//! JSON in memory, as it is read from a line: what is not kept is not copied.

mod parse;
mod pointer;
mod write;

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

pub use parse::{parse, parse_bytes};
pub use write::{float, string, value};

/// How deep arrays and objects may be nested.
pub const MAX_DEPTH: usize = 1000;

/// In front of what a string or a number of `serde_json` does not hold. It is a noncharacter, which
/// no text contains that comes from elsewhere. After it stands half of a surrogate pair, as
/// U+10F000 to U+10F7FF, or, in a string of its own, a second one and a number that no `f64` holds.
pub const MARK: char = '\u{10FFFF}';

/// Where the halves of surrogate pairs are.
pub const HALVES: u32 = 0x10F000;

/// A JSON value that borrows from the text.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    Null,
    Bool(bool),
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

/// A member of an object. One that was taken out has no value.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    pub name: Cow<'a, str>,
    pub value: Option<Node<'a>>,
}

impl<'a> Node<'a> {
    /// The member of an object.
    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        match self {
            Node::Object(members) => members.iter().find(|m| m.name == name)?.value.as_ref(),
            _ => None,
        }
    }

    /// The member of an object, if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for errors.
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number(_) => "a number",
            Node::String(_) => "a string",
            Node::List(_) => "an array",
            Node::Object(_) => "an object",
        }
    }

    pub fn into_value(self) -> Value {
        match self {
            Node::Null => Value::Null,
            Node::Bool(b) => Value::Bool(b),
            Node::Number(text) => number(&text),
            Node::String(text) => Value::String(text.into_owned()),
            Node::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    list.push(item.into_value());
                }
                Value::Array(list)
            }
            Node::Object(members) => Value::Object(object(members)),
        }
    }
}

/// The members that are left.
pub fn object(members: Vec<Member<'_>>) -> Map<String, Value> {
    let mut map = Map::new();
    for Member { name, value } in members {
        if let Some(value) = value {
            map.insert(name.into_owned(), value.into_value());
        }
    }
    map
}

fn number(text: &str) -> Value {
    if let Ok(n) = text.parse::<u64>() {
        return n.into();
    }
    match text.parse::<i64>() {
        Ok(n) if text != "-0" => return n.into(),
        _ => {}
    }
    match text.parse::<f64>().ok().and_then(Number::from_f64) {
        Some(n) => Value::Number(n),
        None => Value::String(format!("{MARK}{MARK}{text}")),
    }
}

impl<'a> From<&'a Value> for Node<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Node::Null,
            Value::Bool(b) => Node::Bool(*b),
            Value::Number(n) => Node::Number(n.to_string().into()),
            Value::String(text) => Node::String(text.into()),
            Value::Array(list) => Node::List(list.iter().map(Node::from).collect()),
            Value::Object(map) => map.into(),
        }
    }
}

impl<'a> From<&'a Map<String, Value>> for Node<'a> {
    fn from(map: &'a Map<String, Value>) -> Self {
        Node::Object(map.iter().map(|(name, value)| Member { name: name.into(), value: Some(value.into()) }).collect())
    }
}

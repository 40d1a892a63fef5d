use serde_json::{Map, Value};

use super::{OptionalPlace, Place};
use crate::json::{self, Member, Node};
use crate::Error;

/// The members of an object that is read. After an error, nothing is read any more.
pub struct Members<'a> {
    members: Vec<Member<'a>>,
    next: usize, // where the next one is if the object is written in the usual order
    depth: usize,
    unfit: Map<String, Value>,
    error: Option<Error>,
}

impl<'a> Members<'a> {
    pub fn of(node: Node<'a>, depth: usize) -> Result<Self, Error> {
        match node {
            Node::Object(members) => Ok(Members { members, next: 0, depth: depth + 1, unfit: Map::new(), error: None }),
            other => Err(Error::new(format!("{} where an object belongs", other.kind()))),
        }
    }

    fn take(&mut self, name: &str) -> Option<Node<'a>> {
        let next = self.next.min(self.members.len());
        let (before, after) = self.members.split_at_mut(next);
        if let Some(i) = after.iter().position(|m| m.name == name) {
            self.next += i + 1;
            return after.get_mut(i)?.value.take();
        }
        before.iter_mut().find(|m| m.name == name)?.value.take()
    }

    fn fail(&mut self, name: &str, error: Error) {
        self.error = Some(error.below(name));
    }

    /// Takes a member that always has the same value.
    pub fn tag(&mut self, name: &'static str, want: &'static str) {
        if self.error.is_some() {
            return;
        }
        match self.take(name) {
            Some(Node::String(text)) if text == want => {}
            Some(_) => self.fail(name, Error::new(format!("it must be {want:?}"))),
            None => self.fail(name, Error::new("it is missing")),
        }
    }

    /// Refuses values of a member that are those of other types.
    pub fn except(&mut self, name: &'static str, values: &[&str]) {
        let found = self.members.iter().find(|m| m.name == name).and_then(|m| m.value.as_ref());
        if let (Some(Node::String(text)), None) = (found, &self.error) {
            if values.contains(&text.as_ref()) {
                let error = Error::new(format!("{text:?} belongs to another type"));
                self.fail(name, error);
            }
        }
    }

    /// Refuses an object that has all of some members.
    pub fn lacks(&mut self, name: &'static str, names: &[&str]) {
        if names.iter().all(|name| self.members.iter().any(|m| m.name == *name)) {
            self.fail(name, Error::new("an older shape does not have it"));
        }
    }

    pub fn required(&mut self, name: &'static str, place: &mut dyn Place) {
        if self.error.is_some() {
            return;
        }
        match self.take(name) {
            Some(node) => {
                let number = kept(&node);
                let result = place.fill(node, self.depth);
                self.settle(name, number, result);
            }
            None => self.fail(name, Error::new("it is missing")),
        }
    }

    pub fn optional(&mut self, name: &'static str, place: &mut dyn OptionalPlace) {
        if self.error.is_some() {
            return;
        }
        if let Some(node) = self.take(name) {
            let number = kept(&node);
            let result = place.fill_some(node, self.depth);
            self.settle(name, number, result);
        }
    }

    /// Keeps a number that there is no place for.
    fn settle(&mut self, name: &str, number: Option<Node<'a>>, result: Result<(), Error>) {
        match (result, number) {
            (Ok(()), _) => {}
            (Err(error), Some(number)) if error.is_unfit() => _ = self.unfit.insert(name.to_string(), number.into_value()),
            (Err(error), _) => self.fail(name, error),
        }
    }

    /// What was not taken.
    pub fn rest(&mut self) -> Map<String, Value> {
        let mut rest = json::object(std::mem::take(&mut self.members));
        rest.append(&mut self.unfit);
        rest
    }

    pub fn done(self) -> Result<(), Error> {
        self.error.map_or(Ok(()), Err)
    }
}

/// A copy of what may have no place in a field.
fn kept<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    match node {
        Node::Number(_) => Some(node.clone()),
        _ => None,
    }
}

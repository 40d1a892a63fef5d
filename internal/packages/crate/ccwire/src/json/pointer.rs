//! How legacy shapes become their modern form: steps of a JSON patch.

use super::{Member, Node};

impl<'a> Node<'a> {
    /// Puts a value where the path says, in the place of what is there.
    pub fn put(&mut self, path: &[&str], value: Node<'a>) {
        let Some((name, rest)) = path.split_first() else {
            *self = value;
            return;
        };
        let Node::Object(members) = self else { return };
        match members.iter_mut().find(|m| m.name == *name) {
            Some(Member { value: Some(inner), .. }) => inner.put(rest, value),
            Some(member) => member.value = Some(value),
            None => members.push(Member { name: name.to_string().into(), value: Some(value) }),
        }
    }

    /// Takes out what is at the path.
    pub fn take(&mut self, path: &[&str]) -> Option<Node<'a>> {
        let (name, rest) = path.split_first()?;
        let Node::Object(members) = self else { return None };
        let i = members.iter().position(|m| m.name == *name)?;
        if rest.is_empty() {
            return members.remove(i).value;
        }
        members.get_mut(i)?.value.as_mut()?.take(rest)
    }

    pub fn shift(&mut self, from: &[&str], to: &[&str]) {
        if let Some(value) = self.take(from) {
            self.put(to, value);
        }
    }
}

use super::Codec;
use crate::json::Node;
use crate::Error;

/// A field of any type, so that readers and writers of members are compiled once.
pub trait Place {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error>;
    fn put(&self, out: &mut String);
}

impl<T: Codec> Place for T {
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        *self = T::read(node, depth)?;
        Ok(())
    }

    fn put(&self, out: &mut String) {
        self.write(out);
    }
}

/// A field of a member that may be absent.
pub trait OptionalPlace {
    fn fill_some(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error>;
    fn get(&self) -> Option<&dyn Place>;
}

impl<T: Codec> OptionalPlace for Option<T> {
    fn fill_some(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        *self = Some(T::read(node, depth)?);
        Ok(())
    }

    fn get(&self) -> Option<&dyn Place> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }
}

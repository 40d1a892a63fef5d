use crate::json::Node;
use crate::Error;

/// A place for a value of any type. Values are read in place, and through this trait, so that what
/// reads and writes members is compiled once.
pub trait Place {
    /// Reads a value that is this deep in the line. After an error, the place has anything.
    fn fill(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error>;

    /// Appends JSON text.
    fn put(&self, out: &mut String);
}

/// What can be read: first it is empty, then it is filled.
pub trait Codec: Place + Default {}

impl<T: Place + Default> Codec for T {}

/// A place for a member that may be absent.
pub trait OptionalPlace {
    fn fill_some(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error>;
    fn get(&self) -> Option<&dyn Place>;
}

impl<T: Codec> OptionalPlace for Option<T> {
    fn fill_some(&mut self, node: Node<'_>, depth: usize) -> Result<(), Error> {
        let result = self.insert(T::default()).fill(node, depth);
        if result.is_err() {
            *self = None;
        }
        result
    }

    fn get(&self) -> Option<&dyn Place> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }
}

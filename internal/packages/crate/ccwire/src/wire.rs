use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::codec::{Codec, Place};
use crate::json::{self, Node};
use crate::Error;

/// What all types of the protocol can do. They can be read and written by serde, too; with this
/// trait an error says where it is, and nothing gets lost (see [`from_cli`](crate::from_cli)).
pub trait Wire: Codec {
    /// Reads JSON text.
    fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        read(json::parse_bytes(text.as_ref())?)
    }

    /// Reads a value, such as the `input` of a tool.
    fn from_value(value: &Value) -> Result<Self, Error> {
        read(Node::from(value))
    }

    /// Writes JSON text, which is one line. It has no line break at its end.
    fn to_json(&self) -> String {
        let mut out = String::new();
        self.put(&mut out);
        out
    }

    /// The same as a value.
    fn to_value(&self) -> Value {
        json::parse(&self.to_json()).map_or(Value::Null, Node::into_value)
    }
}

impl<T: Codec> Wire for T {}

fn read<T: Codec>(node: Node<'_>) -> Result<T, Error> {
    let mut value = T::default();
    value.fill(node, 0)?;
    Ok(value)
}

/// Whether two values are written alike.
pub(crate) fn equal(one: &dyn Place, other: &dyn Place) -> bool {
    let (mut left, mut right) = (String::new(), String::new());
    one.put(&mut left);
    other.put(&mut right);
    left == right
}

pub(crate) fn serialize<T: Wire, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.to_value().serialize(to)
}

pub(crate) fn deserialize<'de, T: Wire, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::from_value(&Value::deserialize(from)?).map_err(D::Error::custom)
}

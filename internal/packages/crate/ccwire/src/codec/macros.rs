//! What the tables become.

/// An object: what it is made of in the order in which it is written.
macro_rules! objects {
    ($($type:path { $($kind:ident $name:literal $value:expr;)* [$($how:ident $wire:literal $field:ident;)*] })*) => {$(
        impl $crate::codec::Codec for $type {
            #[allow(unused_mut)]
            fn read(node: $crate::json::Node<'_>, depth: usize) -> Result<Self, $crate::Error> {
                let mut members = $crate::codec::Members::of(node, depth)?;
                let mut whole = Self::default();
                $(members.$kind($name, $value);)*
                $(members.$how($wire, &mut whole.$field);)*
                whole.extra = members.rest();
                members.done(whole)
            }

            #[allow(unused_mut)]
            fn write(&self, out: &mut String) {
                let mut fields = $crate::codec::Fields::new(out, &self.extra);
                $(fields.$kind($name, $value);)*
                $(fields.$how($wire, &self.$field);)*
                fields.end();
            }
        }
        $crate::codec::macros::common!($type);
    )*};
}

/// A union, with the values of its tag. `keep` are arms of the other direction, which are looked at
/// and kept; `open` is the arm of all other values; `unknown` says what an unknown arm must be.
macro_rules! unions {
    ($($type:ident $tag:literal {
        $($($value:literal)|+ => $arm:ident($of:path);)*
        $(keep $($other:literal)|+ => $base:path;)*
        $(open $open:ident($open_of:path);)?
        $(unknown $unknown:path;)?
        $(legacy $($inside:literal)? [$($lacks:literal)*] $legacy:path => $modern:expr;)*
    })*) => {$(
        impl $crate::codec::Codec for $crate::$type {
            #[allow(unused_mut, unused_variables)]
            fn read(node: $crate::json::Node<'_>, depth: usize) -> Result<Self, $crate::Error> {
                use $crate::codec::union;
                fn modern(node: $crate::json::Node<'_>, depth: usize) -> Result<$crate::$type, $crate::Error> {
                    match node.text($tag) {
                        $(Some($($value)|+) => union::arm::<$of, _>(node, depth, $crate::$type::$arm),)*
                        $(Some($($other)|+) => union::keep::<$base, _>(node, depth, $crate::$type::Unknown),)*
                        $(Some(_) => union::arm::<$open_of, _>(node, depth, $crate::$type::$open),)?
                        $(Some(_) => union::keep::<$unknown, _>(node, depth, $crate::$type::Unknown),)?
                        #[allow(unreachable_patterns)]
                        _ => union::untagged(&node, $tag),
                    }
                }
                if depth > union::MAX_DEPTH && matches!(node, $crate::json::Node::Object(_)) {
                    return Ok(Self::Unknown(node.into_value()));
                }
                $(if union::lacks(&node, concat!($($inside)?), &[$($lacks),*]) {
                    if let Ok(read) = modern(node.clone(), depth) {
                        return Ok(read);
                    }
                    if <$legacy as $crate::codec::Codec>::read(node.clone(), depth).is_ok() {
                        let shape: fn($crate::json::Node<'_>) -> Option<$crate::json::Node<'_>> = $modern;
                        return match shape(node.clone()) {
                            Some(shape) => Self::read(shape, depth),
                            None => Ok(Self::Unknown(node.into_value())),
                        };
                    }
                })*
                modern(node, depth)
            }

            fn write(&self, out: &mut String) {
                match self {
                    $($crate::$type::$arm(arm) => arm.write(out),)*
                    $($crate::$type::$open(arm) => arm.write(out),)?
                    $crate::$type::Unknown(value) => value.write(out),
                }
            }
        }
        $(impl From<$of> for $crate::$type {
            fn from(arm: $of) -> Self {
                Self::$arm(arm)
            }
        })*
        $(impl From<$open_of> for $crate::$type {
            fn from(arm: $open_of) -> Self {
                Self::$open(arm)
            }
        })?
        impl Default for $crate::$type {
            fn default() -> Self {
                Self::Unknown(serde_json::Value::Null)
            }
        }
        $crate::codec::macros::common!($crate::$type);
    )*};
}

/// A choice between kinds of JSON; the first arm is what an empty one is.
macro_rules! choices {
    ($($type:path, $first:ident { $($kind:pat => $arm:ident($of:ty);)* })*) => {$(
        impl $crate::codec::Codec for $type {
            fn read(node: $crate::json::Node<'_>, depth: usize) -> Result<Self, $crate::Error> {
                match node {
                    $($kind => $crate::codec::union::arm::<$of, _>(node, depth, Self::$arm),)*
                    other => Err($crate::codec::plain::mismatch(&other, "another kind of value")),
                }
            }

            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$arm(arm) => arm.write(out),)*
                }
            }
        }
        $(impl From<$of> for $type {
            fn from(arm: $of) -> Self {
                Self::$arm(arm)
            }
        })*
        impl Default for $type {
            fn default() -> Self {
                Self::$first(Default::default())
            }
        }
        $crate::codec::macros::common!($type);
    )*};
}

/// A string with known values.
macro_rules! strings {
    ($($(#[$doc:meta])* $type:ident { $($name:ident = $value:literal,)* })*) => {$(
        $(#[$doc])*
        #[non_exhaustive]
        pub enum $type {
            $(#[doc = concat!("`", $value, "`")] $name,)*
            /// Any other value.
            Other(String),
        }

        impl $type {
            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => $value,)*
                    Self::Other(value) => value,
                }
            }
        }

        impl From<&str> for $type {
            fn from(value: &str) -> Self {
                match value {
                    $($value => Self::$name,)*
                    other => Self::Other(other.to_string()),
                }
            }
        }

        impl Clone for $type {
            fn clone(&self) -> Self {
                Self::from(self.as_str())
            }
        }

        impl Default for $type {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self.as_str(), f)
            }
        }

        impl $crate::codec::Codec for $type {
            fn read(node: $crate::json::Node<'_>, _: usize) -> std::result::Result<Self, $crate::Error> {
                $crate::codec::plain::known(&node)
            }

            fn write(&self, out: &mut String) {
                $crate::json::string(out, self.as_str());
            }
        }
        $crate::codec::macros::common!($type);
    )*};
}

/// The traits of serde, and equality: what is written is the same.
macro_rules! common {
    ($type:path) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                $crate::wire::equal(self, other)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
                $crate::wire::serialize(self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
                $crate::wire::deserialize(from)
            }
        }
    };
}

pub(crate) use {choices, common, objects, strings, unions};

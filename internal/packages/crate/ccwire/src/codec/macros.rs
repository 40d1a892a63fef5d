//! What the tables become.

/// An object: what it is made of in the order in which it is written.
macro_rules! objects {
    ($($type:path { $($kind:ident $name:literal $value:expr;)* [$($how:ident $wire:literal $field:ident;)*] })*) => {$(
        impl $crate::codec::Place for $type {
            #[allow(unused_mut)]
            fn fill(&mut self, node: $crate::json::Node<'_>, depth: usize) -> Result<(), $crate::Error> {
                let mut members = $crate::codec::Members::of(node, depth)?;
                $(members.$kind($name, $value);)*
                $(members.$how($wire, &mut self.$field);)*
                self.extra = members.rest();
                members.done()
            }

            #[allow(unused_mut)]
            fn put(&self, out: &mut String) {
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
/// and kept; `open` is the arm of all other values; `unknown` says what an unknown arm must be;
/// `older` are tags that stand for others, `legacy` are shapes of older peers.
macro_rules! unions {
    ($($type:ident $tag:literal {
        $($($value:literal)|+ => $arm:ident($of:path);)*
        $(keep $($other:literal)|+ => $base:path;)*
        $(open $open:ident($open_of:path);)?
        $(unknown $unknown:path;)?
        $(older $old:literal => $new:literal;)*
        $(legacy $($inside:literal)? [$($lacks:literal)*] $legacy:path => $modern:expr;)*
    })*) => {$(
        impl $crate::$type {
            /// Becomes the empty arm with a tag.
            fn choose(&mut self, tag: &str) -> bool {
                #[allow(unreachable_patterns)]
                match tag {
                    $($($value)|+ => *self = Self::$arm(Default::default()),)*
                    $($($other)|+ => return false,)*
                    $(_ => *self = Self::$open(Default::default()),)?
                    _ => return false,
                }
                true
            }

            #[allow(unreachable_code, unused_variables)]
            fn fill_modern(&mut self, node: $crate::json::Node<'_>, depth: usize) -> Result<(), $crate::Error> {
                use $crate::codec::{union, Place};
                let Some(tag) = node.text($tag) else {
                    return union::untagged(&node, $tag);
                };
                $(if matches!(tag, $($other)|+) {
                    *self = Self::Unknown(union::keep(&mut <$base>::default(), node, depth)?);
                    return Ok(());
                })*
                if self.choose(tag) {
                    return match self {
                        $(Self::$arm(arm) => arm.fill(node, depth),)*
                        $(Self::$open(arm) => arm.fill(node, depth),)?
                        Self::Unknown(value) => value.fill(node, depth),
                    };
                }
                $(
                    *self = Self::Unknown(union::keep(&mut <$unknown>::default(), node, depth)?);
                    return Ok(());
                )?
                union::untagged(&node, $tag)
            }
        }

        impl $crate::codec::Place for $crate::$type {
            fn fill(&mut self, node: $crate::json::Node<'_>, depth: usize) -> Result<(), $crate::Error> {
                if depth > $crate::codec::union::MAX_DEPTH && matches!(node, $crate::json::Node::Object(_)) {
                    *self = Self::Unknown(node.into_value());
                    return Ok(());
                }
                $(if node.text($tag) == Some($old) {
                    let mut renamed = node.clone();
                    renamed.put(&[$tag], $crate::json::Node::String($new.into()));
                    if self.fill_modern(renamed, depth).is_ok() {
                        return Ok(());
                    }
                })*
                $(if $crate::codec::union::lacks(&node, concat!($($inside)?), &[$($lacks),*]) {
                    if self.fill_modern(node.clone(), depth).is_ok() {
                        return Ok(());
                    }
                    if $crate::codec::Place::fill(&mut <$legacy>::default(), node.clone(), depth).is_ok() {
                        let shape: fn($crate::json::Node<'_>) -> Option<$crate::json::Node<'_>> = $modern;
                        match shape(node.clone()) {
                            Some(shape) => return self.fill_modern(shape, depth),
                            None => *self = Self::Unknown(node.into_value()),
                        }
                        return Ok(());
                    }
                })*
                self.fill_modern(node, depth)
            }

            fn put(&self, out: &mut String) {
                match self {
                    $(Self::$arm(arm) => arm.put(out),)*
                    $(Self::$open(arm) => arm.put(out),)?
                    Self::Unknown(value) => value.put(out),
                }
            }
        }
        $(impl From<$of> for $crate::$type {
            #[inline]
            fn from(arm: $of) -> Self {
                Self::$arm(arm)
            }
        })*
        $(impl From<$open_of> for $crate::$type {
            #[inline]
            fn from(arm: $open_of) -> Self {
                Self::$open(arm)
            }
        })?
        impl Default for $crate::$type {
            #[inline]
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
        impl $crate::codec::Place for $type {
            fn fill(&mut self, node: $crate::json::Node<'_>, depth: usize) -> Result<(), $crate::Error> {
                match node {
                    $($kind => *self = Self::$arm(Default::default()),)*
                    other => return Err($crate::codec::plain::mismatch(&other, "another kind of value")),
                }
                match self {
                    $(Self::$arm(arm) => arm.fill(node, depth),)*
                }
            }

            fn put(&self, out: &mut String) {
                match self {
                    $(Self::$arm(arm) => arm.put(out),)*
                }
            }
        }
        $(impl From<$of> for $type {
            #[inline]
            fn from(arm: $of) -> Self {
                Self::$arm(arm)
            }
        })*
        impl Default for $type {
            #[inline]
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
            #[inline]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => $value,)*
                    Self::Other(value) => value,
                }
            }
        }

        impl From<&str> for $type {
            #[inline]
            fn from(value: &str) -> Self {
                match value {
                    $($value => Self::$name,)*
                    other => Self::Other(other.to_string()),
                }
            }
        }

        impl Clone for $type {
            #[inline]
            fn clone(&self) -> Self {
                Self::from(self.as_str())
            }
        }

        impl Default for $type {
            #[inline]
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl std::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl std::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self.as_str(), f)
            }
        }

        impl $crate::codec::Place for $type {
            fn fill(&mut self, node: $crate::json::Node<'_>, _: usize) -> std::result::Result<(), $crate::Error> {
                *self = Self::from($crate::codec::plain::text(&node)?);
                Ok(())
            }

            fn put(&self, out: &mut String) {
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
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::wire::equal(self, other)
            }
        }

        impl serde::Serialize for $type {
            #[inline]
            fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
                $crate::wire::serialize(self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
                $crate::wire::deserialize(from)
            }
        }
    };
}

pub(crate) use {choices, common, objects, strings, unions};

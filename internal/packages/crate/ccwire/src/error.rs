use std::fmt;

/// Why a text is not what it was read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    at: String,
    why: String,
    unfit: bool,
}

impl Error {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Error { at: String::new(), why: why.into(), unfit: false }
    }

    /// A valid value that Rust has no place for, such as 1e30 where a type has an `i64`.
    pub(crate) fn unfit(why: impl Into<String>) -> Self {
        Error { unfit: true, ..Error::new(why) }
    }

    pub(crate) fn is_unfit(&self) -> bool {
        self.unfit
    }

    /// The same error, of a value that is in a larger one under this name or index.
    pub(crate) fn below(mut self, name: &str) -> Self {
        let step = name.replace('~', "~0").replace('/', "~1");
        self.at = format!("/{step}{}", self.at);
        self
    }

    /// The JSON pointer of the value that is wrong or missing; empty for the whole text.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// What is wrong there.
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for Error {}

//! Reading JSON text. It needs no stack for what is nested.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Member, Node, HALVES, MARK, MAX_DEPTH};
use crate::Error;

/// Reads a text that is one JSON value.
pub fn parse(text: &str) -> Result<Node<'_>, Error> {
    let mut open = Vec::new();
    Parser { text, at: 0 }.document(&mut open).map_err(|err| within(&open, err))
}

/// Reads the same from bytes.
pub fn parse_bytes(text: &[u8]) -> Result<Node<'_>, Error> {
    match std::str::from_utf8(text) {
        Ok(text) => parse(text),
        Err(err) => {
            let valid = text.get(..err.valid_up_to()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
            let mut open = Vec::new();
            _ = Parser { text: valid, at: 0 }.document(&mut open);
            Err(within(&open, Error::new(format!("invalid UTF-8 at byte {}", err.valid_up_to()))))
        }
    }
}

/// The error, with the path of what is open.
fn within(open: &[Open<'_>], error: Error) -> Error {
    open.iter().rev().fold(error, |error, open| match open {
        Open::List(items) => error.below(&items.len().to_string()),
        Open::Object(members, name) if name.is_empty() && !members.is_empty() => error, // between two members
        Open::Object(_, name) => error.below(name),
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// A list or an object that is not at its end, the object with the name of the member that is read.
enum Open<'a> {
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>, Cow<'a, str>),
}

impl<'a> Parser<'a> {
    fn document(&mut self, open: &mut Vec<Open<'a>>) -> Result<Node<'a>, Error> {
        loop {
            self.space();
            if open.len() >= MAX_DEPTH && matches!(self.peek(), Some(b'[' | b'{')) {
                return Err(Error::new(format!("nested deeper than {MAX_DEPTH} levels")));
            }
            if self.eat(b'[') {
                self.space();
                if self.peek() != Some(b']') {
                    open.push(Open::List(Vec::new()));
                    continue;
                }
                self.at += 1;
                if let Some(whole) = self.close(open, Node::List(Vec::new()))? {
                    return Ok(whole);
                }
            } else if self.eat(b'{') {
                self.space();
                if self.peek() != Some(b'}') {
                    let name = self.name()?;
                    open.push(Open::Object(Vec::new(), name));
                    continue;
                }
                self.at += 1;
                if let Some(whole) = self.close(open, Node::Object(Vec::new()))? {
                    return Ok(whole);
                }
            } else {
                let node = self.scalar()?;
                if let Some(whole) = self.close(open, node)? {
                    return Ok(whole);
                }
            }
        }
    }

    /// Adds a value to what it is in, and ends what ends after it. It returns the whole if that was
    /// the last.
    fn close(&mut self, open: &mut Vec<Open<'a>>, mut node: Node<'a>) -> Result<Option<Node<'a>>, Error> {
        loop {
            self.space();
            match open.last_mut() {
                None if self.at == self.text.len() => return Ok(Some(node)),
                None => return Err(self.bad("something after the value")),
                Some(Open::List(items)) => items.push(node),
                Some(Open::Object(members, name)) => members.push(Member { name: std::mem::take(name), value: Some(node) }),
            }
            if self.eat(b',') {
                self.space();
                return match open.last_mut() {
                    Some(Open::Object(_, name)) => self.name().map(|next| *name = next),
                    _ => Ok(()),
                }
                .map(|()| None);
            }
            node = match open.pop() {
                Some(Open::Object(members, _)) => {
                    self.want(b'}')?;
                    unique(&members)?;
                    Node::Object(members)
                }
                Some(Open::List(items)) => {
                    self.want(b']')?;
                    Node::List(items)
                }
                None => Node::Null,
            };
        }
    }

    /// The name of a member, and its colon.
    fn name(&mut self) -> Result<Cow<'a, str>, Error> {
        self.want(b'"')?;
        let name = self.string()?;
        self.space();
        self.want(b':')?;
        Ok(name)
    }

    fn scalar(&mut self) -> Result<Node<'a>, Error> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        for (word, node) in [("null", Node::Null), ("true", Node::Bool(true)), ("false", Node::Bool(false))] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(node);
            }
        }
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string().map(Node::String)
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => Err(self.bad("not the beginning of a value")),
            None => Err(self.bad("a value is missing")),
        }
    }

    fn number(&mut self) -> Result<Node<'a>, Error> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(Node::Number(self.text.get(start..self.at).unwrap_or_default().into()))
    }

    fn digits(&mut self) -> Result<(), Error> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.bad("a digit is missing"));
        }
        Ok(())
    }

    /// The rest of a string, after its first quote.
    fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        let plain = self.plain();
        if self.eat(b'"') {
            return Ok(plain.into());
        }
        let mut text = plain.to_string();
        loop {
            if self.eat(b'"') {
                return Ok(text.into());
            }
            if !self.eat(b'\\') {
                return Err(self.bad(if self.at < self.text.len() { "a control character in a string" } else { "a string does not end" }));
            }
            self.escape(&mut text)?;
            text.push_str(self.plain());
        }
    }

    /// The text up to a quote, a backslash or a control character.
    fn plain(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Error> {
        let plain = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex()?;
                return self.unit(text, unit);
            }
            _ => return Err(self.bad("an unknown escape")),
        };
        self.at += 1;
        text.push(plain);
        Ok(())
    }

    /// Adds a unit of UTF-16, with the second half of its pair if it has one.
    fn unit(&mut self, text: &mut String, first: u32) -> Result<(), Error> {
        if let Some(c) = char::from_u32(first) {
            text.push(c);
            return Ok(());
        }
        let before = self.at;
        if first < 0xDC00 && self.eat(b'\\') && self.eat(b'u') {
            let second = self.hex()?;
            if let (0xDC00..=0xDFFF, Some(c)) =
                (second, char::from_u32(0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)))
            {
                text.push(c);
                return Ok(());
            }
        }
        self.at = before;
        text.push(MARK);
        text.extend(char::from_u32(HALVES + (first & 0x7FF)));
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, Error> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(self.bad("an escape needs four hexadecimal digits"));
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| self.bad("an escape needs four hexadecimal digits"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, want: u8) -> bool {
        let found = self.peek() == Some(want);
        self.at += usize::from(found);
        found
    }

    fn want(&mut self, want: u8) -> Result<(), Error> {
        if self.eat(want) {
            return Ok(());
        }
        Err(self.bad(&format!("{:?} is missing", char::from(want))))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn bad(&self, why: &str) -> Error {
        Error::new(format!("invalid JSON at byte {}: {why}", self.at))
    }
}

/// Refuses two members of the same name: readers differ in which of them they take.
fn unique(members: &[Member<'_>]) -> Result<(), Error> {
    const FEW: usize = 12;
    let twice = if members.len() <= FEW {
        members.iter().enumerate().find(|(i, m)| members.iter().take(*i).any(|other| other.name == m.name)).map(|(_, m)| m)
    } else {
        let mut seen = HashSet::with_capacity(members.len());
        members.iter().find(|m| !seen.insert(m.name.as_ref()))
    };
    match twice {
        Some(m) => Err(Error::new("a duplicate member").below(&m.name)),
        None => Ok(()),
    }
}

//! Writing JSON text.

use std::fmt::Write;

use serde_json::Value;

use super::{HALVES, MARK};

/// Writes a value of `serde_json`.
pub fn value(out: &mut String, v: &Value) {
    match v {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(n) => _ = write!(out, "{n}"),
        Value::String(text) => match text.strip_prefix(MARK).and_then(|rest| rest.strip_prefix(MARK)) {
            Some(number) if is_number(number) => out.push_str(number),
            _ => string(out, text),
        },
        Value::Array(list) => {
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                value(out, item);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (name, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                string(out, name);
                out.push(':');
                value(out, item);
            }
            out.push('}');
        }
    }
}

fn is_number(text: &str) -> bool {
    matches!(super::parse(text), Ok(super::Node::Number(_)))
}

/// Writes a number, without a fraction if it has none. What JSON has no number for is null.
pub fn float(out: &mut String, n: f64) {
    _ = match n {
        _ if !n.is_finite() => write!(out, "null"),
        _ if n.fract() == 0.0 && n.abs() < 1e15 && !(n == 0.0 && n.is_sign_negative()) => write!(out, "{n}"),
        _ => write!(out, "{n:?}"),
    };
}

/// Writes a string. What some readers take for the end of a line is an escape.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|b| b < 0x20 || matches!(b, b'"' | b'\\' | 0xC2 | 0xE2 | 0xF4)) {
        let (plain, odd) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = odd.chars();
        if let Some(c) = chars.next() {
            odd_char(out, c, &mut chars);
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn odd_char(out: &mut String, c: char, after: &mut std::str::Chars<'_>) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\x1f' | '\u{85}' | '\u{2028}' | '\u{2029}' => _ = write!(out, "\\u{:04x}", u32::from(c)),
        MARK => match after.clone().next().map(u32::from) {
            Some(half) if (HALVES..HALVES + 0x800).contains(&half) => {
                after.next();
                _ = write!(out, "\\u{:04x}", half - HALVES + 0xD800);
            }
            _ => out.push(c),
        },
        _ => out.push(c),
    }
}

//! Reads samples and says what became of each: check <SAMPLES.

use std::io::{self, BufRead, Write};

use ccwire::Wire;
use serde_json::{json, Map, Value};

include!("../types.rs");

/// What became of a text that was read as a type: whether it was read, the path of its error and
/// the reason, the text that is written back, and the first of the arms that it is not.
fn check<T: Wire + std::fmt::Debug>(text: &[u8], arms: &[Value]) -> Value {
    match T::from_json(text) {
        Ok(read) => {
            let shape = if arms.is_empty() { String::new() } else { format!("{read:?}") };
            let missing = arms.iter().find(|arm| arm.as_str().is_some_and(|arm| !shape.contains(arm)));
            json!({"read": true, "text": read.to_json(), "missing": missing})
        }
        Err(err) => json!({"read": false, "at": err.at(), "why": err.why()}),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        let sample: Value = serde_json::from_str(&line?)?;
        let name = sample["type"].as_str().unwrap_or_default();
        let text: Vec<u8> = match &sample["bytes"] {
            Value::Array(bytes) => bytes.iter().filter_map(Value::as_u64).map(|b| b as u8).collect(),
            _ => sample["text"].as_str().unwrap_or_default().into(),
        };
        let none = Vec::new();
        let arms = sample["arms"].as_array().unwrap_or(&none);
        let result = check_type(name, &text, arms).ok_or_else(|| format!("there is no type {name}"))?;
        writeln!(out, "{result}")?;
    }
    Ok(())
}

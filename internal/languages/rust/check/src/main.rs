//! Reads samples as the generated types: check SAMPLES.

use serde::{de::DeserializeOwned, Serialize};
use serde_json::{json, Value};
use std::{env, fmt::Debug, fs};

#[allow(dead_code)]
mod types {
    include!(env!("WIRE_TYPES"));
}

/// The type of a value as text, and the value written again.
pub type Reread = Result<(String, Value), String>;

pub fn reread<T: DeserializeOwned + Serialize + Debug>(value: Value) -> Reread {
    let read: T = serde_json::from_value(value).map_err(|err| err.to_string())?;
    let again = serde_json::to_value(&read).map_err(|err| err.to_string())?;
    Ok((format!("{read:?}"), again))
}

/// Leaves out what serde does not write again: null, empty lists and empty objects in optional
/// members, and how a number is spelled.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, plain(value)))
            .filter(|(_, v)| *v != Value::Null && *v != json!([]) && *v != json!({}))
            .collect(),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Number(n) => json!(n.as_f64()),
        other => other,
    }
}

fn problem(sample: &Value) -> Result<(), String> {
    let value: Value = serde_json::from_str(sample["text"].as_str().unwrap()).map_err(|err| err.to_string())?;
    let (shape, again) = types::read(sample["type"].as_str().unwrap(), value.clone())?;
    let shape = shape.to_lowercase(); // MCPStatusRequest is McpStatusRequest in Rust
    for arm in sample["arms"].as_array().into_iter().flatten() {
        let arm = arm.as_str().unwrap();
        if !shape.contains(&format!("{} {{", arm.to_lowercase())) {
            return Err(format!("it is not read as {arm}"));
        }
    }
    if plain(again) != plain(value) {
        return Err("the value changed".to_string());
    }
    Ok(())
}

fn main() {
    let samples = fs::read_to_string(env::args().nth(1).expect("a file of samples")).expect("samples");
    let mut read = 0;
    for line in samples.lines() {
        let sample: Value = serde_json::from_str(line).expect("a sample");
        if let Err(why) = problem(&sample) {
            println!("{}", json!({"at": sample["at"], "problem": why}));
        }
        read += 1;
    }
    for (title, value) in [
        ("FromCLI", json!({"type": "no_such_type"})),
        ("FromSDK", json!({"type": "control_request", "request_id": "1"})),
        ("PermissionResult", json!({"behavior": "deny", "message": 7})),
    ] {
        if types::read(title, value.clone()).is_ok() {
            println!("{}", json!({"at": "a broken value", "problem": format!("{value} is taken for a {title}")}));
        }
    }
    println!("{}", json!({"read": read}));
}

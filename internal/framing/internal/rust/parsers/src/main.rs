//! Ways to read NDJSON with serde_json.

use harness::Outcome;
use serde_json::{Deserializer, Value};
use std::io::{BufRead, BufReader, Read, Write};

fn main() {
    harness::run(&[("stream", stream), ("lines", lines)]);
}

fn stream(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    for value in Deserializer::from_reader(BufReader::new(input)).into_iter::<Value>() {
        write(value?, out)?;
    }
    Ok(())
}

fn lines(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    for line in BufReader::new(input).lines() {
        if let Ok(value) = serde_json::from_str(&line?) {
            write(value, out)?;
        }
    }
    Ok(())
}

fn write(value: Value, out: &mut dyn Write) -> Outcome {
    if value.is_object() {
        writeln!(out, "{value}")?;
    }
    Ok(())
}

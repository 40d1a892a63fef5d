//! Parsers of NDJSON for the tests of package framing: correct ones, and some with a bug each, or two.

use harness::{Outcome, Parser};
use serde::Deserialize;
use serde_json::{Deserializer, Value};
use std::io::{BufRead, BufReader, Read, Write};

const ALL: &[(&str, Parser)] = &[
    ("correct", correct),
    ("correct_text", correct_text),
    ("stops_at_invalid", stops_at_invalid),
    ("dies_at_noise", dies_at_noise),
    ("panics_at_values", panics_at_values),
    ("overflows_stack", overflows_stack),
    ("values", values),
    ("keeps_noise", keeps_noise),
    ("read_is_lines", read_is_lines),
    ("lossy_reads", lossy_reads),
    ("short_buffer", short_buffer),
    ("rounds", rounds),
    ("cr_and_last", cr_and_last),
    ("invalid_and_limit", invalid_and_limit),
];

fn main() {
    harness::run(ALL);
}

const LIMIT: usize = 16 << 20;

/// Writes a line if it is a JSON object.
fn echo(line: &[u8], out: &mut dyn Write) -> Outcome {
    if let Ok(frame @ Value::Object(_)) = serde_json::from_slice(line) {
        writeln!(out, "{frame}")?;
    }
    Ok(())
}

/// Calls f with each line, also with the last one without its LF. It holds no more than the limit of
/// a longer one, which it leaves out.
fn each_line(input: &mut dyn Read, mut f: impl FnMut(&[u8]) -> Outcome) -> Outcome {
    let mut reader = BufReader::new(input);
    let mut line = Vec::new();
    let mut over = false;
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|&b| b == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        over |= line.len() + part.len() > LIMIT;
        if !over {
            line.extend_from_slice(part);
        }
        let (read, at_end) = (part.len() + end.is_some() as usize, buffer.is_empty());
        reader.consume(read);
        if end.is_some() || at_end {
            if !over {
                f(&line)?;
            }
            line.clear();
            over = false;
        }
        if at_end {
            return Ok(());
        }
    }
}

fn correct(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| echo(line, out))
}

/// Makes text of each whole line, with U+FFFD for what is not UTF-8.
fn correct_text(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| echo(String::from_utf8_lossy(line).trim().as_bytes(), out))
}

/// The iterator gives an error for a line that is not UTF-8, which ends the loop.
fn stops_at_invalid(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    for line in BufReader::new(input).lines().map_while(Result::ok) {
        echo(line.as_bytes(), out)?;
    }
    Ok(())
}

fn dies_at_noise(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let frame: Value = serde_json::from_slice(line)?;
        if frame.is_object() {
            writeln!(out, "{frame}")?;
        }
        Ok(())
    })
}

fn panics_at_values(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| {
        if let Ok(frame) = serde_json::from_slice::<Value>(line) {
            frame.as_object().expect("an object");
            writeln!(out, "{frame}")?;
        }
        Ok(())
    })
}

/// Nesting has no limit but the stack.
fn overflows_stack(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| {
        let mut json = Deserializer::from_slice(line);
        json.disable_recursion_limit();
        if let Ok(frame @ Value::Object(_)) = Value::deserialize(&mut json) {
            if json.end().is_ok() {
                writeln!(out, "{frame}")?;
            }
        }
        Ok(())
    })
}

fn values(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    for frame in Deserializer::from_reader(BufReader::new(input)).into_iter::<Value>() {
        match frame {
            Ok(frame @ Value::Object(_)) => writeln!(out, "{frame}")?,
            Ok(_) => (),
            Err(_) => break,
        }
    }
    Ok(())
}

/// The buffer is cleared only after a frame.
fn keeps_noise(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    let mut kept = Vec::new();
    each_line(input, |line| {
        kept.extend_from_slice(line);
        if serde_json::from_slice::<Value>(&kept).is_ok_and(|v| v.is_object()) || kept.len() > LIMIT {
            echo(&kept, out)?;
            kept.clear();
        }
        Ok(())
    })
}

fn read_is_lines(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    let mut buffer = vec![0; LIMIT];
    loop {
        let n = input.read(&mut buffer)?;
        if n == 0 {
            return Ok(());
        }
        for line in buffer[..n].split(|&b| b == b'\n') {
            echo(line, out)?;
        }
    }
}

/// Makes text of each read, so that a character in two of them is lost.
fn lossy_reads(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    let (mut buffer, mut text) = (vec![0; LIMIT], String::new());
    loop {
        let n = input.read(&mut buffer)?;
        text.push_str(&String::from_utf8_lossy(&buffer[..n]));
        let whole = if n == 0 { text.len() } else { text.rfind('\n').map_or(0, |at| at + 1) };
        for line in text[..whole].split('\n') {
            echo(line.as_bytes(), out)?;
        }
        text.drain(..whole);
        if n == 0 {
            return Ok(());
        }
    }
}

/// What does not fit into the buffer is left out of the line.
fn short_buffer(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| echo(&line[..line.len().min(8192)], out))
}

fn rounds(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    each_line(input, |line| {
        if let Ok(Value::Object(mut frame)) = serde_json::from_slice(line) {
            for value in frame.values_mut().filter(|v| v.is_f64()) {
                *value = Value::from(value.as_f64().unwrap_or(0.0) as f32);
            }
            writeln!(out, "{}", Value::Object(frame))?;
        }
        Ok(())
    })
}

fn cr_and_last(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    let mut held: Option<Vec<u8>> = None;
    each_line(input, |line| {
        for part in held.replace(line.to_vec()).iter().flat_map(|l| l.split(|&b| b == b'\r')) {
            echo(part, out)?;
        }
        Ok(())
    })
}

fn invalid_and_limit(input: &mut dyn Read, out: &mut dyn Write) -> Outcome {
    for line in BufReader::new(input).lines() {
        let line = line?;
        if line.len() <= 1 << 16 {
            echo(line.as_bytes(), out)?;
        }
    }
    Ok(())
}

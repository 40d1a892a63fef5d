// A harness for cargo-fuzz. It needs the crate serde_json.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

// A parser of lines. Put yours in its place.
fn parse<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Value> {
    let (mut frames, mut line) = (Vec::new(), Vec::new());
    for &byte in pieces.flatten() {
        if byte == b'\n' {
            take(&mut frames, &line);
            line.clear();
        } else {
            line.push(byte);
        }
    }
    take(&mut frames, &line);
    frames
}

fn take(frames: &mut Vec<Value>, line: &[u8]) {
    if let Ok(value @ Value::Object(_)) = serde_json::from_slice(line) {
        frames.push(value);
    }
}

fuzz_target!(|data: &[u8]| {
    assert_eq!(parse([data].into_iter()), parse(data.chunks(1)));
});

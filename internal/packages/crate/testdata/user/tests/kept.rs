//! What is odd in a line and still read. Tests run with a stack of 2 MB.

use ccwire::{from_cli, from_sdk, ContentBlock, FromCli, FromSdk, TextBlock, Wire};
use serde_json::{json, Value};

/// Reads a text as a type, and says whether it is written back as it was.
fn is_kept<T: Wire>(text: &str) -> bool {
    T::from_json(text).is_ok_and(|read| read.to_json() == text)
}

#[test]
fn nesting_does_not_use_up_the_stack() {
    let lists = format!(r#"{{"a":{}{},"type":"later"}}"#, "[".repeat(998), "]".repeat(998));
    assert!(is_kept::<FromCli>(&lists));
    let mut content = r#""deep""#.to_string();
    for _ in 0..400 {
        content = format!(r#"[{{"type":"tool_result","tool_use_id":"1","content":{content}}}]"#);
    }
    let user = format!(r#"{{"type":"user","message":{{"role":"user","content":{content}}}}}"#);
    assert!(from_sdk(&user).is_ok_and(|read: FromSdk| read.to_json().len() == user.len()));
    assert!(from_cli("[".repeat(100_000)).is_err());
}

#[test]
fn halves_of_surrogate_pairs_are_kept() {
    for text in [r#""\ud83d""#, r#""a\udc00\ud800 b""#, r#""\ud800\ud800""#, "\"\u{1F600}\""] {
        assert!(is_kept::<String>(text), "{text}");
        assert!(is_kept::<Value>(text), "{text}");
    }
}

#[test]
fn numbers_that_rust_has_no_place_for_are_kept() {
    assert!(is_kept::<Value>("1e400"));
    let bash = ccwire::BashInput::from_json(r#"{"command":"ls","timeout":1e400}"#);
    assert!(bash.is_ok_and(|read| read.timeout.is_none() && read.to_json().contains("1e400")));
}

#[test]
fn unknown_members_and_values_are_kept() {
    assert!(is_kept::<ContentBlock>(r#"{"type":"text","text":"hi","later":[1,{"a":null}]}"#));
    assert!(is_kept::<ContentBlock>(r#"{"text":"hi","type":"later"}"#));
}

#[test]
fn serde_reads_and_writes_the_types() -> Result<(), serde_json::Error> {
    let block: ContentBlock = serde_json::from_value(json!({"type": "text", "text": "hi"}))?;
    assert_eq!(block, TextBlock { text: "hi".to_string(), ..Default::default() }.into());
    assert_eq!(serde_json::to_value(&block)?, json!({"type": "text", "text": "hi"}));
    Ok(())
}

#[test]
fn an_error_has_the_path_of_what_is_wrong() {
    let text = r#"{"type":"user","message":{"role":"user","content":[{"type":"text"}]}}"#;
    let at = from_sdk(text).map_err(|err| err.at().to_string());
    assert_eq!(at, Err("/message/content/0/text".to_string()));
}

//! The simulated CLI, for tests. It is a program that behaves as the CLI does, needs no network and
//! no key, and says what a script tells it to say. The program `ccwire` makes it: the one in the
//! `PATH`, or that in the environment variable `CCWIRE`.

use std::env;
use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::{FromCli, FromSdk, Wire};

/// A simulated CLI, in a folder of its own that is removed with it.
#[derive(Debug)]
pub struct Simulated {
    dir: PathBuf,
    path: PathBuf,
}

/// Makes a simulated CLI. What it says is in the script, with the members that `docs/simulated.md` of
/// ccwire lists: `json!({"turns": [{"text": "Hello."}]})`. A script that is wrong is an error.
pub fn simulated(script: &Value) -> Result<Simulated> {
    let mut claude = Simulated { dir: folder()?, path: PathBuf::new() }; // from here on, it is removed
    let file = claude.dir.join("script.json");
    fs::write(&file, script.to_json())?;
    let ccwire = env::var_os("CCWIRE").unwrap_or_else(|| "ccwire".into());
    let out = Command::new(ccwire)
        .args(["sim", "install"])
        .arg(&claude.dir)
        .arg("--script")
        .arg(&file)
        .arg("--log")
        .arg(claude.dir.join("log.ndjson"))
        .output()?;
    if !out.status.success() {
        return Err(Error::new(ErrorKind::InvalidInput, String::from_utf8_lossy(&out.stderr).trim().to_string()));
    }
    claude.path = PathBuf::from(String::from_utf8_lossy(&out.stdout).trim());
    Ok(claude)
}

/// Makes a folder that nobody else has.
fn folder() -> Result<PathBuf> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    loop {
        let name = format!("ccwire-{}-{}", process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let dir = env::temp_dir().join(name);
        match fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(err) if err.kind() == ErrorKind::AlreadyExists => {}
            Err(err) => return Err(err),
        }
    }
}

impl Simulated {
    /// The program, for what starts the CLI.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What has happened so far in all sessions; `docs/simulated.md` has the members.
    pub fn log(&self) -> Result<Vec<Value>> {
        let text = match fs::read_to_string(self.dir.join("log.ndjson")) {
            Ok(text) => text,
            Err(err) if err.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(err) => return Err(err),
        };
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole.map(|line| Value::from_json(line).map_err(invalid)).collect()
    }

    /// The lines that the CLI has written so far.
    pub fn from_cli(&self) -> Result<Vec<FromCli>> {
        self.lines("cli->sdk")
    }

    /// The lines that it was sent so far. It is an error if one of them is no message.
    pub fn from_sdk(&self) -> Result<Vec<FromSdk>> {
        self.lines("sdk->cli")
    }

    fn lines<T: Wire>(&self, direction: &str) -> Result<Vec<T>> {
        let log = self.log()?;
        let lines = log.iter().filter(|entry| dir(entry) == direction).map(line);
        lines.filter(|line| !line.trim().is_empty()).map(|line| T::from_json(line).map_err(invalid)).collect()
    }

    /// Whether the sessions that have ended went by the script: it is an error if the user said what
    /// no turn was left for, or if no session has used a turn, the result of a tool or a fault.
    pub fn check(&self) -> Result<()> {
        let log = self.log()?;
        let count = |what: &str, text: &str| log.iter().filter(|e| dir(e) == what && line(e) == text).count();
        let ended = log.iter().filter(|entry| dir(entry) == "exit").count();
        let mut problems = Vec::new();
        for entry in &log {
            match dir(entry) {
                "unmatched" => problems.push(line(entry).to_string()),
                "unused" if count("unused", line(entry)) == ended => problems.push(format!("{} was never used", line(entry))),
                _ => {}
            }
        }
        if ended == 0 {
            problems.push("no session has ended".to_string());
        }
        problems.dedup();
        if problems.is_empty() {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Other, format!("the simulated CLI: {}", problems.join("; "))))
    }
}

fn dir(entry: &Value) -> &str {
    entry.get("dir").and_then(Value::as_str).unwrap_or_default()
}

fn line(entry: &Value) -> &str {
    entry.get("line").and_then(Value::as_str).unwrap_or_default()
}

fn invalid(err: crate::Error) -> Error {
    Error::new(ErrorKind::InvalidData, err)
}

impl Drop for Simulated {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.dir);
    }
}

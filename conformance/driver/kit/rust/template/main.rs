//! The half of the driver that knows the SDK. It works as it is, without an SDK: replace what says
//! REPLACE by calls of yours.

mod kit;

use serde_json::{json, Value};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

struct Session {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    lines: Mutex<Lines<BufReader<ChildStdout>>>,
}

impl kit::Session for Session {
    // REPLACE: the next message of your SDK, as JSON.
    async fn next(&self) -> Result<Option<kit::Message>, kit::Failure> {
        let line = self.lines.lock().await.next_line().await?;
        Ok(line.map(|l| serde_json::from_str(&l)).transpose()?.map(kit::Message::tagged))
    }

    async fn run(&self, operation: kit::Operation) -> Result<Value, kit::Failure> {
        match operation {
            kit::Operation::Prompt(text) => {
                let message = json!({"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": null, "session_id": ""});
                self.input.lock().await.write_all(format!("{message}\n").as_bytes()).await?;
            }
            // REPLACE: what your SDK has.
            _ => return Err("driver: the SDK does not have it".into()),
        }
        Ok(Value::Null)
    }

    async fn close(&self) -> Result<(), kit::Failure> {
        Ok(self.child.lock().await.kill().await?)
    }
}

// REPLACE: start your SDK with the CLI at s.cli, in s.cwd, and with what else s has.
async fn start(s: kit::Start) -> Result<Session, kit::Failure> {
    let mut child = Command::new(s.cli)
        .args(["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"])
        .current_dir(s.cwd)
        .envs(s.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    Ok(Session { child: Mutex::new(child), input: Mutex::new(input), lines: Mutex::new(BufReader::new(output).lines()) })
}

fn main() {
    // REPLACE: the name and the version of your SDK, and the features that its documentation promises.
    kit::serve("my-sdk", "0.0.0", &["session"], start)
}

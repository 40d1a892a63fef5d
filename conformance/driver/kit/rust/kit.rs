//! The core of a driver for `protogen conform sdk`. Copy this file beside your `main.rs`; it needs
//! the crates serde_json and tokio (features full). What it speaks is in docs/drivers.md.
//!
//! Your half says how a session is started (the function given to [`serve`]), how messages are
//! taken from it and what the operations are ([`Session`]). A driver adds nothing to its SDK and
//! repairs nothing: no time limit, no retry, no default of its own.

#![allow(dead_code)] // no SDK needs all of it

use serde_json::{json, Map, Value};
use std::collections::BTreeMap;
use std::future::Future;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{watch, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A session, or the answer to one prompt. The methods are called at the same time if the scenario
/// wants that: an interrupt during a read, a prompt while a callback hangs.
pub trait Session: Send + Sync + 'static {
    /// Waits for the next message; `None` is the end.
    fn next(&self) -> impl Future<Output = Result<Option<Message>, Failure>> + Send;
    /// Does what `operation` says and returns what the SDK returned.
    fn run(&self, operation: Operation) -> impl Future<Output = Result<Value, Failure>> + Send;
    /// Ends the session and waits until the SDK says that it is closed.
    fn close(&self) -> impl Future<Output = Result<(), Failure>> + Send;
}

pub enum Operation {
    Prompt(String),
    Interrupt,
    SetModel(String),
    SetPermissionMode(String),
    McpStatus,
    CloseInput,
}

/// A message as the SDK gave it to its user.
pub struct Message {
    /// The type and the subtype as they are on the wire, as far as the SDK tells them.
    pub kind: Option<String>,
    pub subtype: Option<String>,
    /// The message in whatever shape the SDK has.
    pub json: Value,
}

impl Message {
    /// A message whose JSON has its type and subtype.
    pub fn tagged(json: Value) -> Message {
        let word = |name| json[name].as_str().map(String::from);
        Message { kind: word("type"), subtype: word("subtype"), json }
    }
}

/// An error of the SDK. Every error that can be printed becomes one with `?`.
#[derive(Default)]
pub struct Failure {
    pub text: String,
    pub exit_code: Option<i32>,
    pub stderr: Option<String>,
}

impl<E: std::fmt::Display> From<E> for Failure {
    fn from(e: E) -> Failure {
        Failure { text: e.to_string(), ..Failure::default() }
    }
}

/// What to start. What is absent or empty is left to the SDK.
pub struct Start {
    pub cli: PathBuf,
    pub cwd: PathBuf,
    pub env: BTreeMap<String, String>,
    /// Set: call the SDK's function for one prompt.
    pub prompt: Option<String>,
    pub model: Option<String>,
    pub permission_mode: Option<String>,
    pub include_partial_messages: bool,
    pub resume: Option<String>,
    pub system_prompt: Option<String>,
    pub max_turns: Option<u32>,
    pub can_use_tool: Option<Callback>,
    pub hooks: Vec<Hook>,
    pub mcp_servers: Vec<McpServer>,
}

pub struct Hook {
    pub event: String,
    pub matcher: Option<String>,
    pub callback: Callback,
}

pub struct McpServer {
    pub name: String,
    pub tools: Vec<McpTool>,
}

/// A tool with one argument, text.
pub struct McpTool {
    pub name: String,
    pub callback: Callback,
}

impl McpTool {
    /// The JSON Schema of the tool's input.
    pub fn schema() -> Value {
        json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
    }
}

/// What a callback of the scenario does. Drop the future that a call returns where the SDK says
/// that the call is cancelled: that is reported.
#[derive(Clone)]
pub struct Callback(Arc<(Value, Reporter)>);

/// What a callback returns; `None` is nothing, what a callback returns that forgot to decide. An
/// error is to be returned, or raised with a panic where the API has no errors.
pub type Answer<T> = Result<Option<T>, String>;

pub enum Decision {
    Allow { input: Option<Value>, permissions: Option<Value> },
    Deny(String),
}

impl Decision {
    /// The decision as it is on the wire, for types that can be read from JSON.
    pub fn json(self) -> Value {
        let (input, permissions) = match self {
            Decision::Deny(message) => return json!({"behavior": "deny", "message": message, "interrupt": false}),
            Decision::Allow { input, permissions } => (input, permissions),
        };
        let mut allow = json!({"behavior": "allow"});
        if let Some(input) = input {
            allow["updatedInput"] = input;
        }
        if let Some(permissions) = permissions {
            allow["updatedPermissions"] = permissions;
        }
        allow
    }
}

impl Callback {
    pub async fn permission(&self, tool: &str, input: &Value, suggestions: Option<Value>) -> Answer<Decision> {
        let mut call = json!({"kind": "can_use_tool", "name": tool, "input": input});
        if let Some(s) = &suggestions {
            call["suggestions"] = s.clone();
        }
        if !self.called(call).await? {
            return Ok(None);
        }
        let behavior = &self.0 .0;
        Ok(Some(match behavior["do"].as_str() {
            Some("deny") => Decision::Deny(text(behavior, "message").unwrap_or_default()),
            _ => Decision::Allow {
                input: behavior.get("updated_input").cloned(),
                permissions: suggestions.filter(|_| behavior["suggestions"] == true),
            },
        }))
    }

    /// Returns the output of the hook as it is on the wire.
    pub async fn hook(&self, event: &str, input: &Value) -> Answer<Value> {
        let goes_on = self.called(json!({"kind": "hook", "name": event, "input": input})).await?;
        Ok(goes_on.then(|| self.0 .0.get("output").cloned().unwrap_or_else(|| json!({}))))
    }

    /// Returns the text of the tool's result.
    pub async fn tool(&self, name: &str, arguments: &Value) -> Answer<String> {
        let goes_on = self.called(json!({"kind": "mcp_tool", "name": name, "input": arguments})).await?;
        Ok(goes_on.then(|| format!("echo: {}", arguments["text"].as_str().unwrap_or_default())))
    }

    /// Reports the call and does what all callbacks can do; false if it returns nothing.
    async fn called(&self, mut call: Value) -> Result<bool, String> {
        let (behavior, reporter) = &*self.0;
        let number = reporter.calls.fetch_add(1, Ordering::SeqCst) + 1;
        call["report"] = json!("callback");
        call["call"] = json!(number);
        reporter.report(call);
        let after = behavior["after_ms"].as_u64().unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(after)).await;
        match behavior["do"].as_str() {
            Some("nothing") => Ok(false),
            Some("raise") => Err(text(behavior, "message").unwrap_or_else(|| "raised".into())),
            Some("hang") => std::future::pending().await,
            Some("hang_until_cancelled") => {
                let _dropped = Cancelled(reporter, number);
                std::future::pending().await
            }
            _ => Ok(true),
        }
    }
}

struct Cancelled<'a>(&'a Reporter, u64);

impl Drop for Cancelled<'_> {
    fn drop(&mut self) {
        self.0.report(json!({"report": "cancelled", "call": self.1}));
    }
}

/// Lends a client, or a stream, as the borrow checker would: to one call at a time that takes
/// `&mut self`, to several that take `&self`. Whoever reads messages gives way to the others and
/// then reads on, so what reads must bear to be dropped while it waits.
pub struct Lend<C> {
    client: RwLock<C>,
    wanted: watch::Sender<Wanted>,
}

/// How many calls wait for the client.
#[derive(Default)]
struct Wanted {
    shared: usize,
    exclusive: usize,
}

impl<C: Send + Sync> Lend<C> {
    pub fn new(client: C) -> Lend<C> {
        Lend { client: RwLock::new(client), wanted: watch::Sender::default() }
    }

    /// For a call that takes `&self`.
    pub async fn shared(&self) -> RwLockReadGuard<'_, C> {
        self.wanted.send_modify(|w| w.shared += 1);
        let client = self.client.read().await;
        self.wanted.send_modify(|w| w.shared -= 1);
        client
    }

    /// For a call that takes `&mut self`.
    pub async fn exclusive(&self) -> RwLockWriteGuard<'_, C> {
        self.wanted.send_modify(|w| w.exclusive += 1);
        let client = self.client.write().await;
        self.wanted.send_modify(|w| w.exclusive -= 1);
        client
    }

    /// Waits for the next message where that takes `&self`: `next_shared(|c| Box::pin(c.next()))`.
    pub async fn next_shared<R>(&self, mut next: impl for<'a> FnMut(&'a C) -> Next<'a, R> + Send) -> R {
        let mut wanted = self.wanted.subscribe();
        loop {
            let _ = wanted.wait_for(|w| w.exclusive == 0).await;
            let client = self.client.read().await;
            tokio::select! {
                biased;
                r = next(&client) => return r,
                _ = wanted.wait_for(|w| w.exclusive > 0) => {}
            }
        }
    }

    /// Waits for the next message where that takes `&mut self`: `next(|c| Box::pin(c.next()))`.
    pub async fn next<R>(&self, mut next: impl for<'a> FnMut(&'a mut C) -> Next<'a, R> + Send) -> R {
        let mut wanted = self.wanted.subscribe();
        loop {
            let _ = wanted.wait_for(|w| w.exclusive + w.shared == 0).await;
            let mut client = self.client.write().await;
            tokio::select! {
                biased;
                r = next(&mut client) => return r,
                _ = wanted.wait_for(|w| w.exclusive + w.shared > 0) => {}
            }
        }
    }
}

pub type Next<'a, R> = Pin<Box<dyn Future<Output = R> + Send + 'a>>;

/// Serves on stdin and stdout until stdin ends, and ends the program. `start` starts a session and
/// waits until it is initialised, or begins a query and waits for nothing; it is dropped if the
/// session is closed before that.
pub fn serve<S: Session, F>(sdk: &str, version: &str, features: &[&str], start: fn(Start) -> F) -> !
where
    F: Future<Output = Result<S, Failure>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().expect("a runtime");
    let play = Arc::new(Play { reporter: Reporter::default(), session: Mutex::new(None), closing: watch::Sender::new(false), start });
    play.reporter.report(json!({"report": "ready", "sdk": sdk, "version": version, "features": features}));
    for line in std::io::stdin().lock().lines() {
        let command: Value = serde_json::from_str(&line.expect("a line")).expect("a command");
        let play = play.clone();
        runtime.spawn(async move {
            let id = command["id"].clone();
            let reporter = play.reporter.clone();
            let ended = tokio::spawn(async move { play.run(command).await }).await;
            let failure = match ended {
                Ok(Ok(Value::Null)) => return reporter.report(json!({"report": "done", "id": id})),
                Ok(Ok(value)) => return reporter.report(json!({"report": "done", "id": id, "value": value})),
                Ok(Err(failure)) => failure,
                Err(panic) => Failure::from(panic),
            };
            let mut report = json!({"report": "error", "id": id, "text": failure.text});
            if let Some(code) = failure.exit_code {
                report["exit_code"] = json!(code);
            }
            if let Some(stderr) = failure.stderr {
                report["stderr"] = json!(stderr);
            }
            reporter.report(report);
        });
    }
    std::process::exit(0)
}

/// One scenario: at most one session.
struct Play<S, F> {
    reporter: Reporter,
    session: Mutex<Option<Arc<S>>>,
    closing: watch::Sender<bool>,
    start: fn(Start) -> F,
}

impl<S: Session, F: Future<Output = Result<S, Failure>> + Send> Play<S, F> {
    async fn run(&self, command: Value) -> Result<Value, Failure> {
        let name = command["command"].as_str().unwrap_or_default();
        if name == "start" {
            let mut closing = self.closing.subscribe();
            let session = tokio::select! {
                session = (self.start)(self.reporter.clone().configured(&command)) => session?,
                _ = closing.wait_for(|c| *c) => return Err("driver: the start was given up".into()),
            };
            *self.session.lock().unwrap() = Some(Arc::new(session));
            return Ok(Value::Null);
        }
        let session = self.session.lock().unwrap().clone();
        if name == "close" {
            self.closing.send_replace(true);
            return match session {
                Some(session) => session.close().await.map(|()| Value::Null),
                None => Ok(Value::Null),
            };
        }
        let session = session.ok_or("driver: there is no session")?;
        let argument = |name| text(&command, name).ok_or("driver: an argument is missing");
        session.run(match name {
            "read" => return self.read(&*session, &command).await,
            "prompt" => Operation::Prompt(argument("text")?),
            "interrupt" => Operation::Interrupt,
            "set_model" => Operation::SetModel(argument("model")?),
            "set_permission_mode" => Operation::SetPermissionMode(argument("mode")?),
            "mcp_status" => Operation::McpStatus,
            "close_input" => Operation::CloseInput,
            _ => return Err(format!("driver: there is no command {name}").into()),
        }).await
    }

    async fn read(&self, session: &S, command: &Value) -> Result<Value, Failure> {
        let mut left = command["count"].as_u64().unwrap_or(u64::MAX);
        while left > 0 {
            left -= 1;
            let Some(message) = session.next().await? else {
                self.reporter.report(json!({"report": "end"}));
                break;
            };
            if message.kind.as_deref() == Some("result") && command["until"] == "result" {
                left = 0;
            }
            let mut report = json!({"report": "message", "message": message.json});
            if let Some(kind) = message.kind {
                report["type"] = json!(kind);
            }
            if let Some(subtype) = message.subtype {
                report["subtype"] = json!(subtype);
            }
            self.reporter.report(report);
        }
        Ok(Value::Null)
    }
}

#[derive(Clone, Default)]
struct Reporter {
    calls: Arc<AtomicU64>,
}

impl Reporter {
    fn report(&self, report: Value) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{report}").and_then(|()| out.flush()); // nobody is there to be told
    }

    fn configured(self, command: &Value) -> Start {
        let none = Map::new();
        let options = &command["options"];
        let env = command["env"].as_object().unwrap_or(&none);
        let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let callback = |behavior: &Value| Callback(Arc::new((behavior.clone(), self.clone())));
        Start {
            cli: text(command, "cli").unwrap_or_default().into(),
            cwd: text(command, "cwd").unwrap_or_default().into(),
            env: env.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().into())).collect(),
            prompt: text(command, "prompt"),
            model: text(options, "model"),
            permission_mode: text(options, "permission_mode"),
            include_partial_messages: options["include_partial_messages"] == true,
            resume: text(options, "resume"),
            system_prompt: text(options, "system_prompt"),
            max_turns: options["max_turns"].as_u64().map(|n| n as u32),
            can_use_tool: options.get("can_use_tool").map(callback),
            hooks: list(options, "hooks").iter().map(|h| Hook {
                event: text(h, "event").unwrap_or_default(),
                matcher: text(h, "matcher"),
                callback: callback(&h["behavior"]),
            }).collect(),
            mcp_servers: list(options, "mcp_servers").iter().map(|s| McpServer {
                name: text(s, "name").unwrap_or_default(),
                tools: list(s, "tools").iter().map(|t| McpTool {
                    name: text(t, "name").unwrap_or_default(),
                    callback: callback(&t["behavior"]),
                }).collect(),
            }).collect(),
        }
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value[name].as_str().map(String::from)
}

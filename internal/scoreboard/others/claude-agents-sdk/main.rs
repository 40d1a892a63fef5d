//! A driver of the crate claude-agents-sdk; docs/drivers.md has the protocol.

mod kit;

use claude_agents_sdk as sdk;
use futures::stream::{BoxStream, StreamExt};
use kit::{Callback, Decision, Failure, Lend, Message, Operation, Start};
use serde_json::{from_value, json, to_value, Value};
use std::sync::Arc;
use tokio::sync::Mutex;

type Stream = Mutex<Option<BoxStream<'static, sdk::Result<sdk::Message>>>>; // a Mutex is Sync

enum Session {
    Client(Lend<sdk::ClaudeClient>),
    Query(Lend<Stream>),
}

impl kit::Session for Session {
    async fn next(&self) -> Result<Option<Message>, Failure> {
        let message = match self {
            Session::Client(c) => c.next(|c| Box::pin(async { c.receive_messages().next().await })).await,
            Session::Query(q) => q.next(|q| Box::pin(async { q.get_mut().as_mut()?.next().await })).await,
        };
        Ok(message.transpose().map_err(failure)?.map(|m| Message::tagged(to_value(m).unwrap())))
    }

    async fn run(&self, operation: Operation) -> Result<Value, Failure> {
        let Session::Client(client) = self else { return Err("driver: a query has no operations".into()) };
        match operation {
            Operation::Prompt(text) => client.exclusive().await.query(&text).await.map_err(failure)?,
            Operation::Interrupt => client.shared().await.interrupt().await.map_err(failure)?,
            Operation::SetModel(model) => client.shared().await.set_model(model).await.map_err(failure)?,
            Operation::SetPermissionMode(mode) => client.shared().await.set_permission_mode(from_value(json!(mode))?).await.map_err(failure)?,
            Operation::McpStatus => return client.shared().await.get_mcp_status().await.map_err(failure),
            Operation::CloseInput => return Err("driver: the SDK does not have it".into()),
        }
        Ok(Value::Null)
    }

    async fn close(&self) -> Result<(), Failure> {
        match self {
            Session::Client(client) => client.exclusive().await.disconnect().await.map_err(failure),
            Session::Query(stream) => Ok(drop(stream.exclusive().await.get_mut().take())),
        }
    }
}

fn failure(e: sdk::ClaudeSDKError) -> Failure {
    let text = e.to_string();
    match e {
        sdk::ClaudeSDKError::Process { exit_code, stderr, .. } => Failure { text, exit_code, stderr },
        _ => text.into(),
    }
}

async fn start(s: Start) -> Result<Session, Failure> {
    let mut o = sdk::ClaudeAgentOptions { cli_path: Some(s.cli), cwd: Some(s.cwd), model: s.model, resume: s.resume, ..Default::default() };
    o.env = s.env.into_iter().collect();
    o.permission_mode = s.permission_mode.map(|mode| from_value(json!(mode))).transpose()?;
    o.include_partial_messages = s.include_partial_messages;
    o.system_prompt = s.system_prompt.map(sdk::SystemPromptConfig::Text);
    o.max_turns = s.max_turns;
    o.can_use_tool = s.can_use_tool.map(permission);
    for h in s.hooks {
        let matcher = sdk::HookMatcher { matcher: h.matcher, hooks: vec![hook(h.event.clone(), h.callback)], timeout: None };
        o.hooks.get_or_insert_default().entry(from_value(json!(h.event))?).or_default().push(matcher);
    }
    if let Some(prompt) = s.prompt {
        let messages = sdk::query(&prompt, Some(o)).await.map_err(failure)?;
        return Ok(Session::Query(Lend::new(Some(messages).into())));
    }
    let mut client = sdk::ClaudeClient::new(Some(o));
    client.connect().await.map_err(failure)?;
    Ok(Session::Client(Lend::new(client)))
}

fn permission(callback: Callback) -> sdk::CanUseTool {
    Arc::new(move |tool, input, context| {
        let callback = callback.clone();
        Box::pin(async move {
            match callback.permission(&tool, &input, to_value(&context.suggestions).ok()).await.unwrap() {
                Some(Decision::Deny(message)) => sdk::PermissionResult::Deny(sdk::PermissionResultDeny::with_message(message)),
                Some(Decision::Allow { input, permissions }) => sdk::PermissionResult::Allow(sdk::PermissionResultAllow {
                    behavior: "allow".into(),
                    updated_input: input,
                    updated_permissions: permissions.map(|p| from_value(p).unwrap()),
                }),
                None => panic!("the API has no callback that returns nothing"),
            }
        })
    })
}

fn hook(event: String, callback: Callback) -> sdk::HookCallback {
    Arc::new(move |input, _, _| {
        let (event, callback) = (event.clone(), callback.clone());
        Box::pin(async move {
            let output = callback.hook(&event, &to_value(input).unwrap()).await.unwrap();
            sdk::HookOutput::Sync(from_value(output.expect("the API has no callback that returns nothing")).unwrap())
        })
    })
}

fn main() {
    let features = ["session", "query", "can_use_tool", "hooks", "interrupt", "set_model", "set_permission_mode", "mcp_status", "resume",
        "include_partial_messages", "updated_input", "updated_permissions", "stderr", "exit_code"];
    kit::serve("claude-agents-sdk", "0.1.7", &features, start)
}

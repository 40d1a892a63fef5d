//! A driver of the crate claude-codes; docs/drivers.md has the protocol. The crate has no callbacks:
//! requests of the CLI come as messages, and the application answers them.

mod kit;

use claude_codes::io::{ClaudeInput, ClaudeOutput, ControlRequestPayload, ControlResponse, PermissionResult};
use claude_codes::{AsyncClient, ClaudeCliBuilder, Error, PermissionMode};
use kit::{Callback, Decision, Failure, Lend, Message, Operation, Start};
use serde_json::{from_value, to_value, Value};
use std::sync::Arc;

struct Session {
    client: Arc<Lend<Option<AsyncClient>>>, // None when it is closed
    can_use_tool: Option<Callback>,
}

impl kit::Session for Session {
    async fn next(&self) -> Result<Option<Message>, Failure> {
        loop {
            let output = self.client.next(|c| Box::pin(async { c.as_mut().ok_or(Error::ConnectionClosed)?.receive().await })).await;
            let output = match output {
                Err(Error::ConnectionClosed) => return Ok(None),
                output => output?,
            };
            if let (ClaudeOutput::ControlRequest(r), Some(callback)) = (&output, &self.can_use_tool) {
                if let ControlRequestPayload::CanUseTool(ask) = &r.request {
                    tokio::spawn(answer(self.client.clone(), callback.clone(), r.request_id.clone(), to_value(ask).unwrap()));
                    continue;
                }
            }
            return Ok(Some(Message::tagged(to_value(output)?)));
        }
    }

    async fn run(&self, operation: Operation) -> Result<Value, Failure> {
        let mut client = self.client.exclusive().await;
        let client = client.as_mut().ok_or("driver: the session is closed")?;
        match operation {
            Operation::Prompt(text) => client.send(&ClaudeInput::user_message(text, uuid::Uuid::new_v4())).await?,
            Operation::Interrupt => drop(client.interrupt().await?),
            _ => return Err("driver: the SDK does not have it".into()),
        }
        Ok(Value::Null)
    }

    async fn close(&self) -> Result<(), Failure> {
        match self.client.exclusive().await.take() {
            Some(client) => Ok(client.shutdown().await?),
            None => Ok(()),
        }
    }
}

/// What an application does that has been asked for a permission.
async fn answer(client: Arc<Lend<Option<AsyncClient>>>, callback: Callback, id: String, ask: Value) {
    let suggestions = ask.get("permission_suggestions").cloned();
    let decision = callback.permission(ask["tool_name"].as_str().unwrap_or_default(), &ask["input"], suggestions).await;
    let result = match decision {
        Ok(Some(Decision::Allow { input, permissions: None })) => PermissionResult::allow(input.unwrap_or(ask["input"].clone())),
        Ok(Some(Decision::Allow { input, permissions: Some(p) })) => {
            PermissionResult::allow_with_permissions(input.unwrap_or(ask["input"].clone()), from_value(p).unwrap())
        }
        Ok(Some(Decision::Deny(message))) => PermissionResult::deny(message),
        Ok(None) | Err(_) => return, // it does not answer
    };
    if let Some(client) = client.exclusive().await.as_mut() {
        if let Err(e) = client.send_control_response(ControlResponse::from_result(&id, result)).await {
            eprintln!("the answer was not sent: {e}");
        }
    }
}

async fn start(s: Start) -> Result<Session, Failure> {
    for (name, value) in &s.env {
        unsafe { std::env::set_var(name, value) }; // the crate has no option for it; nothing else runs yet
    }
    let mut builder = ClaudeCliBuilder::new().command(s.cli).working_directory(s.cwd).resume(s.resume);
    if let Some(model) = s.model {
        builder = builder.model(model);
    }
    if let Some(mode) = s.permission_mode {
        let modes = [PermissionMode::AcceptEdits, PermissionMode::BypassPermissions, PermissionMode::Default, PermissionMode::Plan];
        builder = builder.permission_mode(modes.into_iter().find(|m| m.as_str() == mode).ok_or("driver: no such mode")?);
    }
    if let Some(prompt) = s.system_prompt {
        builder = builder.append_system_prompt(prompt);
    }
    if s.can_use_tool.is_some() {
        builder = builder.permission_prompt_tool("stdio");
    }
    let mut client = AsyncClient::from_builder(builder).await?;
    if s.can_use_tool.is_some() {
        client.enable_tool_approval().await?;
    }
    Ok(Session { client: Arc::new(Lend::new(Some(client))), can_use_tool: s.can_use_tool })
}

fn main() {
    kit::serve("claude-codes", "2.1.316", &["session", "pull", "can_use_tool", "interrupt", "resume", "updated_input", "updated_permissions"], start)
}

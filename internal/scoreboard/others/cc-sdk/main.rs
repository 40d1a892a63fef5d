//! A driver of the crate cc-sdk; docs/drivers.md has the protocol. The crate has no option for the
//! path of the CLI: it takes the first one in PATH.

mod kit;

use async_trait::async_trait;
use futures::stream::{BoxStream, StreamExt};
use kit::{Callback, Decision, Failure, Lend, Message, Operation, Start};
use serde_json::{from_value, json, to_value, Value};
use std::sync::Arc;
use tokio::sync::Mutex;

struct Session {
    client: Option<Mutex<cc_sdk::ClaudeSDKClient>>,
    messages: Lend<Mutex<Option<BoxStream<'static, cc_sdk::Result<cc_sdk::Message>>>>>, // a Mutex is Sync
}

impl kit::Session for Session {
    async fn next(&self) -> Result<Option<Message>, Failure> {
        let message = self.messages.next(|m| Box::pin(async { m.get_mut().as_mut()?.next().await })).await;
        match message.transpose() {
            Ok(Some(cc_sdk::Message::Unknown { raw, .. })) => Ok(Some(Message::tagged(raw))), // it has no JSON of its own
            Ok(message) => Ok(message.map(|m| Message::tagged(to_value(m).unwrap()))),
            Err(cc_sdk::SdkError::ProcessExited { code }) => {
                Err(Failure { text: cc_sdk::SdkError::ProcessExited { code }.to_string(), exit_code: code, stderr: None })
            }
            Err(e) => Err(e.into()),
        }
    }

    async fn run(&self, operation: Operation) -> Result<Value, Failure> {
        let mut client = self.client.as_ref().ok_or("driver: a query has no operations")?.lock().await;
        match operation {
            Operation::Prompt(text) => client.send_user_message(text).await?,
            Operation::Interrupt => client.interrupt().await?,
            Operation::SetModel(model) => client.set_model(Some(model)).await?,
            Operation::SetPermissionMode(mode) => client.set_permission_mode(&mode).await?,
            Operation::McpStatus => return Ok(client.get_mcp_status().await?),
            Operation::CloseInput => return Err("driver: the SDK does not have it".into()),
        }
        Ok(Value::Null)
    }

    async fn close(&self) -> Result<(), Failure> {
        match &self.client {
            Some(client) => Ok(client.lock().await.disconnect().await?),
            None => Ok(drop(self.messages.exclusive().await.get_mut().take())),
        }
    }
}

async fn start(s: Start) -> Result<Session, Failure> {
    let path = format!("{}:{}", s.cli.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    unsafe { std::env::set_var("PATH", path) }; // nothing else runs yet
    let mut o = cc_sdk::ClaudeCodeOptions { cwd: Some(s.cwd), model: s.model, resume: s.resume, ..Default::default() };
    o.env = s.env.into_iter().collect();
    if let Some(mode) = s.permission_mode {
        o.permission_mode = from_value(json!(mode))?;
    }
    o.include_partial_messages = s.include_partial_messages;
    o.system_prompt_v2 = s.system_prompt.map(cc_sdk::SystemPrompt::String);
    o.max_turns = s.max_turns.map(|n| n as i32);
    o.can_use_tool = s.can_use_tool.map(|c| Arc::new(Called(String::new(), c)) as Arc<dyn cc_sdk::CanUseTool>);
    for h in s.hooks {
        let matcher = cc_sdk::HookMatcher { matcher: h.matcher.map(Value::String), hooks: vec![Arc::new(Called(h.event.clone(), h.callback))] };
        o.hooks.get_or_insert_default().entry(h.event).or_default().push(matcher);
    }
    for s in s.mcp_servers {
        let mut server = cc_sdk::SdkMcpServer::new(&s.name, "1.0.0");
        for t in s.tools {
            server.add_tool(cc_sdk::ToolDefinition {
                name: t.name.clone(),
                description: "A tool.".into(),
                input_schema: from_value(kit::McpTool::schema())?,
                handler: Arc::new(Called(t.name, t.callback)),
            });
        }
        o.mcp_servers.insert(s.name, server.to_config());
    }
    if let Some(prompt) = s.prompt {
        let messages = cc_sdk::query(prompt, Some(o)).await?.boxed();
        return Ok(Session { client: None, messages: Lend::new(Some(messages).into()) });
    }
    let mut client = cc_sdk::ClaudeSDKClient::new(o);
    client.connect(None).await?;
    let messages = client.receive_messages().await.boxed();
    Ok(Session { client: Some(client.into()), messages: Lend::new(Some(messages).into()) })
}

/// A callback and the name of its event or tool.
struct Called(String, Callback);

#[async_trait]
impl cc_sdk::CanUseTool for Called {
    async fn can_use_tool(&self, tool: &str, input: &Value, context: &cc_sdk::ToolPermissionContext) -> cc_sdk::PermissionResult {
        match self.1.permission(tool, input, to_value(&context.suggestions).ok()).await.unwrap() {
            Some(Decision::Deny(message)) => cc_sdk::PermissionResult::Deny(cc_sdk::PermissionResultDeny { message, interrupt: false }),
            Some(Decision::Allow { input, permissions }) => cc_sdk::PermissionResult::Allow(cc_sdk::PermissionResultAllow {
                updated_input: input,
                updated_permissions: permissions.map(|p| from_value(p).unwrap()),
            }),
            None => panic!("the API has no callback that returns nothing"),
        }
    }
}

#[async_trait]
impl cc_sdk::HookCallback for Called {
    async fn execute(&self, input: &cc_sdk::HookInput, _: Option<&str>, _: &cc_sdk::HookContext) -> cc_sdk::Result<cc_sdk::HookJSONOutput> {
        let output = self.1.hook(&self.0, &to_value(input).unwrap()).await.map_err(cc_sdk::SdkError::TransportError)?;
        Ok(from_value(output.expect("the API has no callback that returns nothing"))?)
    }
}

#[async_trait]
impl cc_sdk::ToolHandler for Called {
    async fn execute(&self, args: Value) -> cc_sdk::Result<cc_sdk::ToolResult> {
        let text = self.1.tool(&self.0, &args).await.map_err(cc_sdk::SdkError::TransportError)?.unwrap_or_default();
        Ok(cc_sdk::ToolResult { content: vec![cc_sdk::SdkToolResultContent::Text { text }], is_error: None })
    }
}

fn main() {
    let features = ["session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "mcp_status",
        "resume", "include_partial_messages", "raise", "updated_input", "updated_permissions", "exit_code"];
    kit::serve("cc-sdk", "0.8.1", &features, start)
}

//! A driver of the crate claude-agent-sdk-rs; docs/drivers.md has the protocol.

mod kit;

use claude_agent_sdk_rs as sdk;
use futures::future::BoxFuture;
use futures::stream::{BoxStream, StreamExt};
use kit::{Callback, Failure, Lend, Message, Operation, Start};
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
            Session::Client(c) => c.next_shared(|c| Box::pin(async { c.receive_messages().next().await })).await,
            Session::Query(q) => q.next(|q| Box::pin(async { q.get_mut().as_mut()?.next().await })).await,
        };
        Ok(message.transpose()?.map(|m| Message::tagged(to_value(m).unwrap())))
    }

    async fn run(&self, operation: Operation) -> Result<Value, Failure> {
        let Session::Client(client) = self else { return Err("driver: a query has no operations".into()) };
        match operation {
            Operation::Prompt(text) => client.exclusive().await.query(text).await?,
            Operation::Interrupt => client.shared().await.interrupt().await?,
            Operation::SetModel(model) => client.shared().await.set_model(Some(&model)).await?,
            Operation::SetPermissionMode(mode) => client.shared().await.set_permission_mode(from_value(json!(mode))?).await?,
            _ => return Err("driver: the SDK does not have it".into()),
        }
        Ok(Value::Null)
    }

    async fn close(&self) -> Result<(), Failure> {
        match self {
            Session::Client(client) => Ok(client.exclusive().await.disconnect().await?),
            Session::Query(stream) => Ok(drop(stream.exclusive().await.get_mut().take())),
        }
    }
}

async fn start(s: Start) -> Result<Session, Failure> {
    let mut o = sdk::ClaudeAgentOptions::builder().cli_path(s.cli).cwd(s.cwd).build();
    o.env = s.env.into_iter().collect();
    o.model = s.model;
    o.permission_mode = s.permission_mode.map(|mode| from_value(json!(mode))).transpose()?;
    o.include_partial_messages = s.include_partial_messages;
    o.resume = s.resume;
    o.system_prompt = s.system_prompt.map(sdk::SystemPrompt::Text);
    o.max_turns = s.max_turns;
    o.can_use_tool = s.can_use_tool.map(permission);
    for h in s.hooks {
        let mut matcher = sdk::HookMatcher::builder().hooks(vec![hook(h.event.clone(), h.callback)]).build();
        matcher.matcher = h.matcher;
        o.hooks.get_or_insert_default().entry(from_value(json!(h.event))?).or_default().push(matcher);
    }
    if !s.mcp_servers.is_empty() {
        let server = |s: kit::McpServer| (s.name.clone(), sdk::McpServerConfig::Sdk(server(s)));
        o.mcp_servers = sdk::McpServers::Dict(s.mcp_servers.into_iter().map(server).collect());
    }
    if let Some(prompt) = s.prompt {
        return Ok(Session::Query(Lend::new(Some(sdk::query_stream(prompt, Some(o)).await?).into())));
    }
    let mut client = sdk::ClaudeClient::new(o);
    client.connect().await?;
    Ok(Session::Client(Lend::new(client)))
}

fn permission(callback: Callback) -> sdk::CanUseToolCallback {
    Arc::new(move |tool, input, context| {
        let callback = callback.clone();
        Box::pin(async move {
            let decision = callback.permission(&tool, &input, to_value(&context.suggestions).ok()).await.unwrap();
            from_value(decision.expect("the API has no callback that returns nothing").json()).unwrap()
        })
    })
}

fn hook(event: String, callback: Callback) -> sdk::HookCallback {
    Arc::new(move |input, _, _| {
        let (event, callback) = (event.clone(), callback.clone());
        Box::pin(async move {
            let output = callback.hook(&event, &to_value(input).unwrap()).await.unwrap();
            from_value(output.expect("the API has no callback that returns nothing")).unwrap()
        })
    })
}

struct Tool(String, Callback);

impl sdk::ToolHandler for Tool {
    fn handle(&self, args: Value) -> BoxFuture<'static, sdk::Result<sdk::ToolResult>> {
        let (name, callback) = (self.0.clone(), self.1.clone());
        Box::pin(async move {
            let text = callback.tool(&name, &args).await.map_err(sdk::ClaudeError::Transport)?.unwrap_or_default();
            Ok(sdk::ToolResult { content: vec![sdk::McpToolResultContent::Text { text }], is_error: false })
        })
    }
}

fn server(s: kit::McpServer) -> sdk::types::mcp::McpSdkServerConfig {
    let tool = |t: kit::McpTool| sdk::SdkMcpTool {
        name: t.name.clone(),
        description: "A tool.".into(),
        input_schema: kit::McpTool::schema(),
        handler: Arc::new(Tool(t.name, t.callback)),
    };
    sdk::create_sdk_mcp_server(s.name, "1.0.0", s.tools.into_iter().map(tool).collect())
}

fn main() {
    let features = ["session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "resume",
        "include_partial_messages", "updated_input", "updated_permissions", "stderr", "exit_code"];
    kit::serve("claude-agent-sdk-rs", "0.6.4", &features, start)
}

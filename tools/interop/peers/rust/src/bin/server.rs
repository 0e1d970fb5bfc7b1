//! The Rust peer of the interop suite: a server with the official Rust SDK.
// Sampling is deprecated in 2026-07-28, and still a part of every revision.
#![allow(deprecated)]

use std::{env, error::Error, fs, io::Write, sync::Arc, time::Duration};

use rmcp::{
    ErrorData, ServerHandler, ServiceExt,
    model::*,
    service::{RequestContext, RoleServer},
    task_manager::{TaskExit, TaskManager, TaskOptions},
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use serde_json::{Value, json};

#[derive(Clone)]
struct InteropServer {
    tasks: TaskManager,
}

fn text(value: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(value.into())]).into()
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn schema(properties: Value) -> JsonObject {
    match json!({ "type": "object", "properties": properties }) {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

fn cancelled_file() -> Result<String, ErrorData> {
    env::var("INTEROP_CANCELLED").map_err(internal)
}

fn name_question() -> Result<ElicitRequestParams, ErrorData> {
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "What is your name?".into(),
        requested_schema: serde_json::from_value(json!({
            "type": "object",
            "properties": { "name": { "type": "string" } },
            "required": ["name"]
        }))
        .map_err(internal)?,
    })
}

fn model_question() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![SamplingMessage::user_text("What is two and two?")], 16)
}

/// Revisions since 2026-07-28 return questions; the older ones ask them while the call runs.
fn returns_questions(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn question(request: InputRequest) -> CallToolResponse {
    InputRequiredResult::new(Some(InputRequests::from([("answer".to_string(), request)])), None).into()
}

impl InteropServer {
    async fn progress(&self, context: &RequestContext<RoleServer>, done: f64, total: f64) -> Result<(), ErrorData> {
        let Some(token) = context.meta.get_progress_token() else { return Ok(()) };
        let notification = ProgressNotificationParam::new(token, done).with_total(total);
        context.peer.notify_progress(notification).await.map_err(internal)
    }

    async fn count(&self, steps: i64, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        for step in 1..=steps {
            self.progress(context, step as f64, steps as f64).await?;
        }
        Ok(text(format!("counted to {steps}")))
    }

    /// Ends when it is cancelled. The mark goes to a file: a client may have several processes of one server.
    async fn wait(&self, mark: &str, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        self.progress(context, 1.0, 2.0).await?;
        context.ct.cancelled().await;
        let mut file = fs::OpenOptions::new().append(true).create(true).open(cancelled_file()?).map_err(internal)?;
        writeln!(file, "{mark}").map_err(internal)?;
        Err(internal("cancelled"))
    }

    async fn ask_name(
        &self,
        responses: Option<InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let content = if let Some(answer) = responses.as_ref().and_then(|answers| answers.get("answer")) {
            answer["content"].clone()
        } else if returns_questions(context) {
            return Ok(question(InputRequest::Elicitation(ElicitRequest::new(name_question()?))));
        } else {
            context.peer.create_elicitation(name_question()?).await.map_err(internal)?.content.unwrap_or_default()
        };
        Ok(text(format!("hello {}", content["name"].as_str().unwrap_or_default())))
    }

    async fn ask_model(
        &self,
        responses: Option<InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let message = if let Some(answer) = responses.as_ref().and_then(|answers| answers.get("answer")) {
            answer.clone()
        } else if returns_questions(context) {
            return Ok(question(InputRequest::CreateMessage(CreateMessageRequest::new(model_question()))));
        } else {
            let result = context.peer.create_message(model_question()).await.map_err(internal)?;
            serde_json::to_value(result).map_err(internal)?
        };
        Ok(text(format!("the model said {}", message["content"]["text"].as_str().unwrap_or_default())))
    }

    /// Becomes a task where the client has the extension.
    fn slow_add(&self, sum: i64, context: &RequestContext<RoleServer>) -> CallToolResponse {
        if !context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks()) {
            return text(sum.to_string());
        }
        let task = self.tasks.spawn(TaskOptions::new().with_poll_interval_ms(100), move |task| {
            Box::pin(async move {
                tokio::select! {
                    _ = task.cancelled() => Err(TaskExit::Cancelled),
                    _ = tokio::time::sleep(Duration::from_millis(300)) =>
                        Ok(CallToolResult::success(vec![ContentBlock::text(sum.to_string())])),
                }
            })
        });
        CallToolResponse::Task(CreateTaskResult::new(task))
    }
}

impl ServerHandler for InteropServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().enable_tasks().build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let integer = json!({ "type": "integer" });
        let mark = json!({ "mark": { "type": "string" } });
        let numbers = json!({ "a": integer, "b": integer });
        let tool = |name: &'static str, properties: Value| {
            Tool::new(name, "A tool of the interop suite", Arc::new(schema(properties)))
        };
        Ok(ListToolsResult::with_all_items(vec![
            tool("add", numbers.clone()),
            tool("fail", json!({})),
            tool("count", json!({ "steps": integer })),
            tool("wait", mark.clone()),
            tool("was_cancelled", mark),
            tool("ask_name", json!({})),
            tool("ask_model", json!({})),
            tool("slow_add", numbers),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let number = |name: &str| arguments[name].as_i64().unwrap_or_default();
        let mark = arguments["mark"].as_str().unwrap_or_default();
        match &*request.name {
            "add" => Ok(text((number("a") + number("b")).to_string())),
            "fail" => Ok(CallToolResult::error(vec![ContentBlock::text("this tool fails")]).into()),
            "count" => self.count(number("steps"), &context).await,
            "wait" => self.wait(mark, &context).await,
            "was_cancelled" => {
                let marks = fs::read_to_string(cancelled_file()?).unwrap_or_default();
                Ok(text(if marks.lines().any(|line| line == mark) { "yes" } else { "no" }))
            }
            "ask_name" => self.ask_name(request.input_responses, &context).await,
            "ask_model" => self.ask_model(request.input_responses, &context).await,
            "slow_add" => Ok(self.slow_add(number("a") + number("b"), &context)),
            name => Err(ErrorData::invalid_params(format!("unknown tool {name}"), None)),
        }
    }

    async fn get_task(&self, request: GetTaskParams, _: RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("interop://greeting", "greeting")]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(ReadResourceResult::new(vec![ResourceContents::text("hello from rust", request.uri)]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let name = PromptArgument::new("name").with_required(true);
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("greet", Some("A greeting"), Some(vec![name]))]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let greeting = format!("Greet {}", arguments["name"].as_str().unwrap_or_default());
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, greeting)]).into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = InteropServer { tasks: TaskManager::new() };
    if env::args().nth(1).as_deref() != Some("--http") {
        server.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}

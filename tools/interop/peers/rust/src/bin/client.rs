//! The Rust peer of the interop suite: a client with the official Rust SDK.
//!
//! Usage: client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE... It prints one line of JSON for each feature.
// Sampling is deprecated in 2026-07-28, and still a part of every revision.
#![allow(deprecated)]

use std::{
    env,
    error::Error,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient,
    model::*,
    service::{NotificationContext, RequestContext, RunningService},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};
use tokio::{sync::watch, time::timeout};

type Checked = Result<(), Box<dyn Error>>;

/// Counts the notifications of progress, and answers the questions of servers.
struct Handler {
    config: ClientConfig,
    progress: watch::Sender<u32>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ada" })))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text("four"), "interop".to_string()))
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.send_modify(|seen| *seen += 1);
    }
}

struct Checks {
    client: RunningService<RoleClient, Handler>,
    progress: watch::Receiver<u32>,
    version: String,
    backend: String,
}

fn expect(what: &str, want: impl Into<Value>, got: impl Into<Value>) -> Checked {
    let (want, got) = (want.into(), got.into());
    if want == got { Ok(()) } else { Err(format!("{what}: expected {want}, got {got}").into()) }
}

fn text(result: &CallToolResult) -> String {
    result.content.first().and_then(|content| content.as_text()).map(|content| content.text.clone()).unwrap_or_default()
}

impl Checks {
    fn request(&self, tool: &str, arguments: Value) -> CallToolRequestParams {
        let request = CallToolRequestParams::new(format!("{}__{tool}", self.backend));
        match arguments {
            Value::Object(arguments) => request.with_arguments(arguments),
            _ => request,
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<String, Box<dyn Error>> {
        Ok(text(&self.client.call_tool(self.request(tool, arguments)).await?))
    }

    async fn check(&mut self, feature: &str) -> Checked {
        match feature {
            "revision" => {
                let negotiated = self.client.peer_info().map(|info| info.protocol_version.to_string());
                expect("revision", self.version.as_str(), negotiated)
            }
            "tools" => self.tools().await,
            "resources" => self.resources().await,
            "prompts" => self.prompts().await,
            "progress" => self.counts().await,
            "cancellation" => self.cancellation().await,
            "elicitation" => expect("ask_name", "hello Ada", self.call("ask_name", json!({})).await?),
            "sampling" => expect("ask_model", "the model said four", self.call("ask_model", json!({})).await?),
            "tasks" => self.task().await,
            _ => Err(format!("this client has no check for {feature}").into()),
        }
    }

    async fn tools(&self) -> Checked {
        let name = format!("{}__add", self.backend);
        let listed = self.client.list_all_tools().await?.iter().any(|tool| tool.name == name);
        expect("tools/list names add", true, listed)?;
        expect("add", "5", self.call("add", json!({ "a": 2, "b": 3 })).await?)?;
        let failed = self.client.call_tool(self.request("fail", json!({}))).await?;
        expect("fail", true, failed.is_error)
    }

    async fn resources(&self) -> Checked {
        let uri = format!("{}+interop://greeting", self.backend);
        let listed = self.client.list_all_resources().await?.iter().any(|resource| resource.uri == uri);
        expect("resources/list names the greeting", true, listed)?;
        let read = self.client.read_resource(ReadResourceRequestParams::new(&uri)).await?;
        let contents = serde_json::to_value(&read.contents[0])?;
        expect("uri", uri, contents["uri"].clone())?;
        let greeting = contents["text"].as_str().unwrap_or_default();
        expect("greeting", true, greeting.starts_with("hello from "))
    }

    async fn prompts(&self) -> Checked {
        let name = format!("{}__greet", self.backend);
        let listed = self.client.list_all_prompts().await?.iter().any(|prompt| prompt.name == name);
        expect("prompts/list names greet", true, listed)?;
        let arguments = JsonObject::from_iter([("name".to_string(), json!("Ada"))]);
        let result = self.client.get_prompt(GetPromptRequestParams::new(name).with_arguments(arguments)).await?;
        let message = serde_json::to_value(&result.messages[0])?;
        expect("greet", "Greet Ada", message["content"]["text"].clone())
    }

    async fn counts(&mut self) -> Checked {
        let before = *self.progress.borrow_and_update();
        expect("count", "counted to 3", self.call("count", json!({ "steps": 3 })).await?)?;
        timeout(Duration::from_secs(2), self.progress.wait_for(|seen| *seen == before + 3)).await??;
        Ok(())
    }

    async fn cancellation(&mut self) -> Checked {
        let mark = format!("rust-{}", SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos());
        let before = *self.progress.borrow_and_update();
        // A call that is dropped is cancelled.
        tokio::select! {
            result = self.client.call_tool(self.request("wait", json!({ "mark": mark }))) => {
                return Err(format!("wait: expected a call that does not end, got {result:?}").into());
            }
            begun = async { timeout(Duration::from_secs(10), self.progress.clone().wait_for(|seen| *seen > before)).await.map(drop) } => begun?,
        }
        for _ in 0..50 {
            if self.call("was_cancelled", json!({ "mark": mark })).await? == "yes" {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err("the server did not see the cancellation within five seconds".into())
    }

    async fn task(&self) -> Checked {
        let request = self.request("slow_add", json!({ "a": 2, "b": 3 }));
        let CallToolResponse::Task(created) = self.client.call_tool_once(request).await? else {
            return Err("slow_add: expected a task".into());
        };
        let created = serde_json::to_value(&created)?;
        let task_id = created["taskId"].as_str().unwrap_or_default();
        for _ in 0..50 {
            let params = serde_json::from_value(json!({ "taskId": task_id }))?;
            let task = serde_json::to_value(self.client.get_task(params).await?)?;
            match task["status"].as_str() {
                Some("working") => tokio::time::sleep(Duration::from_millis(100)).await,
                Some("completed") => return expect("task", "5", task["result"]["content"][0]["text"].clone()),
                _ => return Err(format!("expected a task that completes, got {task}").into()),
            }
        }
        Err("the task did not complete within five seconds".into())
    }
}

fn report(feature: &str, outcome: &str, detail: &str) {
    println!("{}", json!({ "feature": feature, "outcome": outcome, "detail": detail }));
}

/// `takes_tasks`: a server may answer any call with a task, which `call_tool` of the SDK does not expect.
async fn connect(endpoint: &str, version: &str, backend: &str, takes_tasks: bool) -> Result<Checks, Box<dyn Error>> {
    let (sender, progress) = watch::channel(0);
    let capabilities = ClientCapabilities::builder().enable_elicitation().enable_sampling();
    let revision: ProtocolVersion = serde_json::from_value(json!(version))?;
    let stateless = revision >= ProtocolVersion::V_2026_07_28;
    let mut config = ClientConfig::new(
        if takes_tasks { capabilities.enable_tasks().build() } else { capabilities.build() },
        Implementation::new("interop-rust", "1.0.0"),
    );
    config.protocol_version = revision.clone();
    let lifecycle = if stateless {
        ClientLifecycleMode::Discover { preferred_versions: vec![revision] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let transport = StreamableHttpClientTransport::from_uri(endpoint);
    let client = Handler { config, progress: sender }.serve_with_lifecycle(transport, lifecycle).await?;
    Ok(Checks { client, progress, version: version.into(), backend: backend.into() })
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, endpoint, version, backend, features @ ..] = arguments.as_slice() else {
        eprintln!("usage: client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE...");
        std::process::exit(2);
    };
    let mut checks = match connect(endpoint, version, backend, false).await {
        Ok(checks) => checks,
        Err(error) => return report("connection", "failed", &error.to_string()),
    };
    for feature in features {
        if feature == "tasks" {
            match connect(endpoint, version, backend, true).await {
                Ok(taking) => checks = taking,
                Err(error) => return report("connection", "failed", &error.to_string()),
            }
        }
        match timeout(Duration::from_secs(20), checks.check(feature)).await {
            Ok(Ok(())) => report(feature, "passed", ""),
            Ok(Err(error)) => report(feature, "failed", &error.to_string()),
            Err(_) => report(feature, "failed", "no answer within twenty seconds"),
        }
    }
}

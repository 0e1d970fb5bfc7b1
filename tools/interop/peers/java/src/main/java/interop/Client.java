package interop;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The Java peer of the interop suite: a client with the official Java SDK.
 *
 * <p>Usage: Client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE... It prints one line of JSON for each feature.
 */
public final class Client {
  private final CountDownLatch progress = new CountDownLatch(3);
  private final String version;
  private final String backend;
  private final McpSyncClient client;

  private Client(String endpoint, String version, String backend) {
    this.version = version;
    this.backend = backend;
    var url = URI.create(endpoint);
    var transport =
        HttpClientStreamableHttpTransport.builder(url.getScheme() + "://" + url.getAuthority())
            .endpoint(url.getPath())
            .supportedProtocolVersions(List.of(version))
            .build();
    this.client =
        McpClient.sync(transport)
            .clientInfo(new Implementation("interop-java", "1.0.0"))
            .capabilities(ClientCapabilities.builder().elicitation().sampling().build())
            .elicitation(request -> new ElicitResult(ElicitResult.Action.ACCEPT, Map.of("name", "Ada")))
            .sampling(request -> CreateMessageResult.builder(Role.ASSISTANT, "four", "interop").build())
            .progressConsumer(notification -> progress.countDown())
            .requestTimeout(Duration.ofSeconds(20))
            .build();
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 4) {
      System.err.println("usage: Client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE...");
      System.exit(2);
    }
    try {
      var client = new Client(arguments[0], arguments[1], arguments[2]);
      client.client.initialize();
      for (var feature : List.of(arguments).subList(3, arguments.length)) client.check(feature);
      client.client.closeGracefully();
    } catch (Exception error) {
      report("connection", "failed", String.valueOf(error));
    }
    System.exit(0);
  }

  private static void report(String feature, String outcome, String detail) throws Exception {
    var line = Map.of("feature", feature, "outcome", outcome, "detail", detail);
    System.out.println(McpJsonDefaults.getMapper().writeValueAsString(line));
  }

  private void check(String feature) throws Exception {
    try {
      run(feature);
      report(feature, "passed", "");
    } catch (Exception error) {
      report(feature, "failed", String.valueOf(error));
    }
  }

  private void run(String feature) throws Exception {
    switch (feature) {
      case "revision" -> expect("revision", version, client.getCurrentInitializationResult().protocolVersion());
      case "tools" -> tools();
      case "resources" -> resources();
      case "prompts" -> prompts();
      case "progress" -> progress();
      case "elicitation" -> expect("ask_name", "hello Ada", text(call("ask_name", Map.of())));
      case "sampling" -> expect("ask_model", "the model said four", text(call("ask_model", Map.of())));
      default -> throw new IllegalArgumentException("this client has no check for " + feature);
    }
  }

  private static void expect(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new IllegalStateException(what + ": expected " + expected + ", got " + actual);
    }
  }

  private CallToolResult call(String tool, Map<String, Object> arguments) {
    return client.callTool(CallToolRequest.builder(backend + "__" + tool).arguments(arguments).build());
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().get(0)).text();
  }

  private void tools() {
    var listed = client.listTools().tools().stream().anyMatch(tool -> tool.name().equals(backend + "__add"));
    expect("tools/list names add", true, listed);
    expect("add", "5", text(call("add", Map.of("a", 2, "b", 3))));
    expect("fail", true, call("fail", Map.of()).isError());
  }

  private void resources() {
    var uri = backend + "+interop://greeting";
    var listed = client.listResources().resources().stream().anyMatch(resource -> resource.uri().equals(uri));
    expect("resources/list names the greeting", true, listed);
    var contents = (TextResourceContents) client.readResource(new ReadResourceRequest(uri)).contents().get(0);
    expect("uri", uri, contents.uri());
    expect("greeting", true, contents.text().startsWith("hello from "));
  }

  private void prompts() {
    var name = backend + "__greet";
    var listed = client.listPrompts().prompts().stream().anyMatch(prompt -> prompt.name().equals(name));
    expect("prompts/list names greet", true, listed);
    var result = client.getPrompt(new GetPromptRequest(name, Map.of("name", "Ada")));
    expect("greet", "Greet Ada", ((TextContent) result.messages().get(0).content()).text());
  }

  private void progress() throws InterruptedException {
    var request =
        CallToolRequest.builder(backend + "__count").arguments(Map.of("steps", 3)).progressToken("token-count").build();
    expect("count", "counted to 3", text(client.callTool(request)));
    expect("three notifications of progress", true, progress.await(2, TimeUnit.SECONDS));
  }
}

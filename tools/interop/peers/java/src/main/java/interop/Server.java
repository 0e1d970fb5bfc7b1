package interop;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServer.SyncSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ServerConnector;

/** The Java peer of the interop suite: a server with the official Java SDK. */
public final class Server {
  private static final Map<String, Object> NO_ARGUMENTS = Map.of("type", "object");

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("--http")) serveHttp();
    else withFeatures(McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))).build();
  }

  private static void serveHttp() throws Exception {
    var transport = HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
    withFeatures(McpServer.sync(transport)).build();
    var http = new org.eclipse.jetty.server.Server();
    var connector = new ServerConnector(http);
    connector.setHost("127.0.0.1");
    http.addConnector(connector);
    var context = new ServletContextHandler();
    var holder = new ServletHolder(transport);
    holder.setAsyncSupported(true);
    context.addServlet(holder, "/mcp/*");
    http.setHandler(context);
    http.start();
    System.out.println("http://127.0.0.1:" + connector.getLocalPort() + "/mcp");
    http.join();
  }

  private static SyncSpecification<?> withFeatures(SyncSpecification<?> server) {
    var numbers = Map.<String, Object>of("a", Map.of("type", "integer"), "b", Map.of("type", "integer"));
    server.serverInfo("interop-java", "1.0.0");
    server.capabilities(ServerCapabilities.builder().tools(true).resources(false, true).prompts(true).build());
    tool(server, "add", Map.of("type", "object", "properties", numbers), Server::add);
    tool(server, "fail", NO_ARGUMENTS, (exchange, request) ->
        CallToolResult.builder().addTextContent("this tool fails").isError(true).build());
    tool(server, "count", Map.of("type", "object", "properties", Map.of("steps", Map.of("type", "integer"))), Server::count);
    tool(server, "ask_name", NO_ARGUMENTS, Server::askName);
    tool(server, "ask_model", NO_ARGUMENTS, Server::askModel);
    server.resources(greeting());
    server.prompts(greet());
    return server;
  }

  private static void tool(
      SyncSpecification<?> server,
      String name,
      Map<String, Object> schema,
      BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
    server.toolCall(Tool.builder(name, schema).description("A tool of the interop suite").build(), handler);
  }

  private static CallToolResult text(String value) {
    return CallToolResult.builder().addTextContent(value).isError(false).build();
  }

  private static int number(CallToolRequest request, String name) {
    return ((Number) request.arguments().get(name)).intValue();
  }

  private static CallToolResult add(McpSyncServerExchange exchange, CallToolRequest request) {
    return text(String.valueOf(number(request, "a") + number(request, "b")));
  }

  private static CallToolResult count(McpSyncServerExchange exchange, CallToolRequest request) {
    var steps = number(request, "steps");
    var token = request.progressToken();
    for (var step = 1; token != null && step <= steps; step++) {
      exchange.progressNotification(new ProgressNotification(token, step, (double) steps, null));
    }
    return text("counted to " + steps);
  }

  private static CallToolResult askName(McpSyncServerExchange exchange, CallToolRequest request) {
    Map<String, Object> schema =
        Map.of("type", "object", "properties", Map.of("name", Map.of("type", "string")), "required", List.of("name"));
    var answer = exchange.createElicitation(ElicitRequest.builder("What is your name?", schema).build());
    return text("hello " + answer.content().get("name"));
  }

  private static CallToolResult askModel(McpSyncServerExchange exchange, CallToolRequest request) {
    var message = new SamplingMessage(Role.USER, new TextContent("What is two and two?"));
    var question = new CreateMessageRequest.Builder().messages(List.of(message)).maxTokens(16).build();
    return text("the model said " + ((TextContent) exchange.createMessage(question).content()).text());
  }

  private static SyncResourceSpecification greeting() {
    var resource = Resource.builder("interop://greeting", "greeting").mimeType("text/plain").build();
    return new SyncResourceSpecification(resource, (exchange, request) ->
        new ReadResourceResult(List.of(new TextResourceContents(request.uri(), "text/plain", "hello from java"))));
  }

  private static SyncPromptSpecification greet() {
    var prompt = Prompt.builder("greet").arguments(List.of(new PromptArgument("name", "Who to greet", true))).build();
    return new SyncPromptSpecification(prompt, (exchange, request) -> {
      var content = new TextContent("Greet " + request.arguments().get("name"));
      return new GetPromptResult("A greeting", List.of(new PromptMessage(Role.USER, content)));
    });
  }
}

// Command client is the Go peer of the interop suite: a client with the official Go SDK.
//
// Usage: client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE... It prints one line of JSON for each feature.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type client struct {
	session  *mcp.ClientSession
	backend  string
	progress atomic.Pointer[func()]
}

func report(feature, outcome, detail string) {
	line, _ := json.Marshal(map[string]string{"feature": feature, "outcome": outcome, "detail": detail})
	fmt.Println(string(line))
}

func expect(what, want, got string) error {
	if want != got {
		return fmt.Errorf("%s: expected %q, got %q", what, want, got)
	}
	return nil
}

func (c *client) call(ctx context.Context, tool string, arguments map[string]any) (string, bool, error) {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: c.backend + "__" + tool, Arguments: arguments})
	if err != nil {
		return "", false, err
	}
	return textOf(result), result.IsError, nil
}

func textOf(result *mcp.CallToolResult) string {
	if len(result.Content) == 0 {
		return ""
	}
	if content, ok := result.Content[0].(*mcp.TextContent); ok {
		return content.Text
	}
	return fmt.Sprintf("%T", result.Content[0])
}

func (c *client) expectCall(ctx context.Context, tool string, arguments map[string]any, want string) error {
	got, _, err := c.call(ctx, tool, arguments)
	if err != nil {
		return err
	}
	return expect(tool, want, got)
}

func (c *client) tools(ctx context.Context) error {
	found := false
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		found = found || tool.Name == c.backend+"__add"
	}
	if !found {
		return errors.New("tools/list does not name " + c.backend + "__add")
	}
	if err := c.expectCall(ctx, "add", map[string]any{"a": 2, "b": 3}, "5"); err != nil {
		return err
	}
	_, failed, err := c.call(ctx, "fail", nil)
	if err != nil || !failed {
		return fmt.Errorf("fail: expected a result with isError, got error %v", err)
	}
	return nil
}

func (c *client) resources(ctx context.Context) error {
	for resource, err := range c.session.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		if resource.URI != c.backend+"+interop://greeting" {
			continue
		}
		result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: resource.URI})
		if err != nil {
			return err
		}
		if !strings.HasPrefix(result.Contents[0].Text, "hello from ") {
			return fmt.Errorf("expected a greeting, got %q", result.Contents[0].Text)
		}
		return expect("uri", resource.URI, result.Contents[0].URI)
	}
	return errors.New("resources/list does not name " + c.backend + "+interop://greeting")
}

func (c *client) prompts(ctx context.Context) error {
	for prompt, err := range c.session.Prompts(ctx, nil) {
		if err != nil {
			return err
		}
		if prompt.Name != c.backend+"__greet" {
			continue
		}
		result, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompt.Name, Arguments: map[string]string{"name": "Ada"}})
		if err != nil {
			return err
		}
		content, ok := result.Messages[0].Content.(*mcp.TextContent)
		if !ok {
			return fmt.Errorf("expected text, got %T", result.Messages[0].Content)
		}
		return expect("greet", "Greet Ada", content.Text)
	}
	return errors.New("prompts/list does not name " + c.backend + "__greet")
}

func (c *client) withProgress(tool string, arguments map[string]any) *mcp.CallToolParams {
	params := &mcp.CallToolParams{Name: c.backend + "__" + tool, Arguments: arguments}
	params.SetProgressToken("token-" + tool)
	return params
}

func (c *client) counts(ctx context.Context) error {
	var seen atomic.Int32
	arrived := make(chan struct{}, 8)
	listener := func() { seen.Add(1); arrived <- struct{}{} }
	c.progress.Store(&listener)
	result, err := c.session.CallTool(ctx, c.withProgress("count", map[string]any{"steps": 3}))
	if err != nil {
		return err
	}
	for seen.Load() < 3 {
		select {
		case <-arrived:
		case <-time.After(2 * time.Second):
			return fmt.Errorf("expected 3 notifications of progress, got %d", seen.Load())
		}
	}
	return expect("count", "counted to 3", textOf(result))
}

func (c *client) cancellation(ctx context.Context) error {
	mark := fmt.Sprintf("go-%d", time.Now().UnixNano())
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	listener := func() { cancel() }
	c.progress.Store(&listener)
	if _, err := c.session.CallTool(waiting, c.withProgress("wait", map[string]any{"mark": mark})); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("wait: expected a cancelled call, got %v", err)
	}
	for range 50 {
		answer, _, err := c.call(ctx, "was_cancelled", map[string]any{"mark": mark})
		if err != nil || answer == "yes" {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the server did not see the cancellation within five seconds")
}

func (c *client) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "interop", Content: &mcp.TextContent{Text: "four"}}, nil
		},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			if listener := c.progress.Load(); listener != nil {
				(*listener)()
			}
		},
	}
}

func run(endpoint, version, backend string, features []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	c := &client{backend: backend}
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint}
	implementation := &mcp.Implementation{Name: "interop-go", Version: "1.0.0"}
	session, err := mcp.NewClient(implementation, c.options()).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer session.Close()
	c.session = session
	checks := map[string]func(context.Context) error{
		"revision": func(context.Context) error {
			return expect("revision", version, session.InitializeResult().ProtocolVersion)
		},
		"tools":        c.tools,
		"resources":    c.resources,
		"prompts":      c.prompts,
		"progress":     c.counts,
		"cancellation": c.cancellation,
		"elicitation":  func(ctx context.Context) error { return c.expectCall(ctx, "ask_name", nil, "hello Ada") },
		"sampling":     func(ctx context.Context) error { return c.expectCall(ctx, "ask_model", nil, "the model said four") },
	}
	for _, feature := range features {
		check, known := checks[feature]
		if !known {
			report(feature, "failed", "this client has no check for it")
		} else if err := check(ctx); err != nil {
			report(feature, "failed", err.Error())
		} else {
			report(feature, "passed", "")
		}
	}
	return nil
}

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: client ENDPOINT PROTOCOL_VERSION BACKEND FEATURE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		report("connection", "failed", err.Error())
	}
}

// Command server is the Go peer of the interop suite: a server with the official Go SDK.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

type steps struct {
	Steps int `json:"steps"`
}

type mark struct {
	Mark string `json:"mark"`
}

type nothing struct{}

func text(value string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: value}}}
}

func progress(ctx context.Context, request *mcp.CallToolRequest, done, total float64) error {
	token := request.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total})
}

func count(ctx context.Context, request *mcp.CallToolRequest, in steps) (*mcp.CallToolResult, any, error) {
	for step := 1; step <= in.Steps; step++ {
		if err := progress(ctx, request, float64(step), float64(in.Steps)); err != nil {
			return nil, nil, err
		}
	}
	return text(fmt.Sprintf("counted to %d", in.Steps)), nil, nil
}

// wait ends when it is cancelled. The mark goes to a file, because a client may have several processes of one server.
func wait(ctx context.Context, request *mcp.CallToolRequest, in mark) (*mcp.CallToolResult, any, error) {
	if err := progress(ctx, request, 1, 2); err != nil {
		return nil, nil, err
	}
	<-ctx.Done()
	file, err := os.OpenFile(os.Getenv("INTEROP_CANCELLED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	_, err = fmt.Fprintln(file, in.Mark)
	return nil, nil, errors.Join(ctx.Err(), err)
}

func wasCancelled(_ context.Context, _ *mcp.CallToolRequest, in mark) (*mcp.CallToolResult, any, error) {
	marks, err := os.ReadFile(os.Getenv("INTEROP_CANCELLED"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	if slices.Contains(strings.Split(string(marks), "\n"), in.Mark) {
		return text("yes"), nil, nil
	}
	return text("no"), nil, nil
}

// askName returns the question; the SDK asks it in both eras.
func askName(_ context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	answer, answered := request.Params.InputResponses["name"].(*mcp.ElicitResult)
	if !answered {
		schema := map[string]any{
			"type":       "object",
			"properties": map[string]any{"name": map[string]any{"type": "string"}},
			"required":   []string{"name"},
		}
		question := &mcp.ElicitParams{Message: "What is your name?", RequestedSchema: schema}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"name": question}}, nil, nil
	}
	return text(fmt.Sprintf("hello %v", answer.Content["name"])), nil, nil
}

func askModel(_ context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	response, answered := request.Params.InputResponses["sum"]
	if !answered {
		question := &mcp.CreateMessageParams{
			MaxTokens: 16,
			Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "What is two and two?"}}},
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"sum": question}}, nil, nil
	}
	switch answer := response.(type) {
	case *mcp.CreateMessageResult:
		if content, ok := answer.Content.(*mcp.TextContent); ok {
			return text("the model said " + content.Text), nil, nil
		}
	case *mcp.CreateMessageWithToolsResult:
		if content, ok := answer.Content[0].(*mcp.TextContent); ok {
			return text("the model said " + content.Text), nil, nil
		}
	}
	return nil, nil, fmt.Errorf("expected a message with text, got %T", response)
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "interop-go", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, any, error) {
		return text(fmt.Sprint(in.A + in.B)), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("this tool fails")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "count"}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, wait)
	mcp.AddTool(server, &mcp.Tool{Name: "was_cancelled"}, wasCancelled)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_name"}, askName)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_model"}, askModel)
	server.AddResource(&mcp.Resource{Name: "greeting", URI: "interop://greeting", MIMEType: "text/plain"},
		func(_ context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			contents := &mcp.ResourceContents{URI: request.Params.URI, MIMEType: "text/plain", Text: "hello from go"}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
		})
	greet := &mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name", Required: true}}}
	server.AddPrompt(greet, func(_ context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		content := &mcp.TextContent{Text: "Greet " + request.Params.Arguments["name"]}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: content}}}, nil
	})
	return server
}

func main() {
	server := newServer()
	if len(os.Args) < 2 || os.Args[1] != "--http" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	// The SDK serves 2026-07-28 over HTTP only where it keeps no sessions.
	options := &mcp.StreamableHTTPOptions{Stateless: slices.Contains(os.Args, "stateless")}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	log.Fatal(http.Serve(listener, handler))
}

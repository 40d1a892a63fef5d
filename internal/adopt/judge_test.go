package adopt

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/conformance"
	"github.com/ccwire/ccwire/conformance/driver"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/adopt/after"
)

// driverOf drives an SDK in the scenarios for SDKs. It starts the CLI itself, which is no business
// of the SDKs here.
func driverOf(s sdk) *driver.SDK {
	return &driver.SDK{
		Name: s.name,
		Features: []string{driver.CanUseTool, driver.Hooks, driver.MCPServers, driver.Interrupt, driver.SetModel, driver.IncludePartialMessages,
			driver.Resume, driver.CloseInput, driver.Nothing, driver.Raise, driver.UpdatedInput, driver.Cancel, driver.AllowedTools, driver.DisallowedTools, driver.CLIPath, driver.Sessions},
		Open: func(ctx context.Context, o *driver.Options) (driver.Session, error) { return openCLI(ctx, s, o) },
	}
}

// A conversation is a CLI with its client.
type conversation struct {
	client
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	messages chan any
}

func openCLI(ctx context.Context, s sdk, o *driver.Options) (driver.Session, error) {
	cmd := exec.Command(o.CLI, arguments(o)...)
	cmd.Dir, cmd.Env = o.Dir, append(os.Environ(), o.Env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &conversation{s.open(stdout, stdin, hostOf(o)), cmd, stdin, make(chan any, 1000)}
	go func() { // ends with the output of the CLI
		defer close(c.messages)
		c.each(func(msg any) { c.messages <- msg })
	}()
	if _, err := c.Initialize(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// arguments returns the flags of the CLI.
func arguments(o *driver.Options) []string {
	args := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	for _, f := range []struct{ flag, value string }{{"--model", o.Model}, {"--permission-mode", o.PermissionMode}, {"--resume", o.Resume}, {"--system-prompt", o.SystemPrompt}} {
		if f.value != "" {
			args = append(args, f.flag, f.value)
		}
	}
	if o.MaxTurns > 0 {
		args = append(args, "--max-turns", fmt.Sprint(o.MaxTurns))
	}
	if o.IncludePartialMessages {
		args = append(args, "--include-partial-messages")
	}
	if o.CanUseTool != nil {
		args = append(args, "--permission-prompt-tool", "stdio")
	}
	for _, rule := range o.AllowedTools {
		args = append(args, "--allowedTools", rule)
	}
	for _, rule := range o.DisallowedTools {
		args = append(args, "--disallowedTools", rule)
	}
	servers := map[string]any{}
	for _, m := range o.MCPServers {
		servers[m.Name] = map[string]any{"type": "sdk", "name": m.Name}
	}
	if len(servers) > 0 {
		config, err := json.Marshal(map[string]any{"mcpServers": servers})
		if err != nil {
			panic(err) // it is made of strings
		}
		args = append(args, "--mcp-config", string(config))
	}
	return args
}

// hostOf returns the callbacks of a scenario.
func hostOf(o *driver.Options) host {
	h := host{mcp: map[string]mcpServer{}}
	if o.CanUseTool != nil {
		h.canUseTool = func(ctx context.Context, tool string, input map[string]any) (p permission, err error) {
			raw, err := json.Marshal(input)
			if err != nil {
				return p, err
			}
			d, err := o.CanUseTool(ctx, driver.PermissionRequest{Tool: tool, Input: raw})
			if err != nil || d == nil {
				return p, err
			}
			p.allow, p.message = d.Allow, d.Message
			if d.UpdatedInput != nil {
				err = json.Unmarshal(d.UpdatedInput, &p.updated)
			}
			return p, err
		}
	}
	for _, k := range o.Hooks {
		h.hooks = append(h.hooks, hook{k.Event, k.Matcher, func(ctx context.Context, input map[string]any) (output map[string]any, err error) {
			raw, err := json.Marshal(input)
			if err != nil {
				return nil, err
			}
			text, err := k.Call(ctx, raw)
			if err == nil && text != nil {
				err = json.Unmarshal(text, &output)
			}
			return output, err
		}})
	}
	for _, m := range o.MCPServers {
		h.mcp[m.Name] = func(ctx context.Context, method string, params map[string]any) (any, error) {
			return callTool(ctx, &m, method, params)
		}
	}
	return h
}

// callTool is an MCP server.
func callTool(ctx context.Context, m *driver.MCPServer, method string, params map[string]any) (any, error) {
	switch method {
	case "initialize":
		return map[string]any{"protocolVersion": "2024-11-05", "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": m.Name, "version": "1"}}, nil
	case "tools/list":
		var tools []any
		for _, t := range m.Tools {
			tools = append(tools, map[string]any{"name": t.Name, "inputSchema": map[string]any{"type": "object",
				"properties": map[string]any{"text": map[string]any{"type": "string"}}}})
		}
		return map[string]any{"tools": tools}, nil
	case "tools/call":
		i := slices.IndexFunc(m.Tools, func(t driver.MCPTool) bool { return t.Name == params["name"] })
		if i < 0 {
			return nil, fmt.Errorf("there is no tool %v", params["name"])
		}
		arguments, _ := params["arguments"].(map[string]any)
		text, _ := arguments["text"].(string)
		text, err := m.Tools[i].Call(ctx, text)
		if err != nil {
			return map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": err.Error()}}}, nil
		}
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}, nil
	}
	if strings.HasPrefix(method, "notifications/") {
		return map[string]any{}, nil
	}
	return nil, fmt.Errorf("there is no method %s", method)
}

func (c *conversation) Prompt(_ context.Context, text string) error { return c.client.Prompt(text) }

func (c *conversation) Interrupt(ctx context.Context) (any, error) {
	return nil, c.client.Interrupt(ctx)
}

func (c *conversation) SetModel(ctx context.Context, model string) (any, error) {
	return nil, c.client.SetModel(ctx, model)
}

func (c *conversation) CloseInput(context.Context) error { return c.stdin.Close() }

func (c *conversation) Next() (m driver.Message, err error) {
	msg, ok := <-c.messages
	if !ok {
		return m, io.EOF
	}
	if other, ok := msg.(*after.OtherMessage); ok {
		m.JSON, err = other.Frame.AppendJSON(nil)
		if unreadable, ok := other.Frame.(*wire.UnknownFrame); ok && err != nil {
			m.JSON, err = json.Marshal(string(unreadable.Raw)) // not JSON
		}
	} else {
		m.JSON, err = json.Marshal(msg)
	}
	m.Type = msg.(interface{ Type() string }).Type()
	if subtype := reflect.ValueOf(msg).Elem().FieldByName("Subtype"); subtype.IsValid() {
		m.Subtype = subtype.String()
	}
	return m, err
}

func (c *conversation) Close() error {
	c.stdin.Close()
	kill := time.AfterFunc(5*time.Second, func() { c.cmd.Process.Kill() })
	defer kill.Stop()
	for range c.messages {
	}
	return c.cmd.Wait()
}

// notHeld are scenarios that the twin does not hold, with the reason.
var notHeld = map[string]string{
	"end/close-in-turn":         process,
	"end/close-while-reading":   process,
	"end/stays":                 process,
	"surface/exit-is-an-error":  process,
	"surface/killed":            process,
	"surface/tail-before-error": process,
}

const process = "the process is the driver's, which is a simple one"

// TestTheTwinHoldsTheScenariosForSDKs lets the judge of SDKs play all scenarios with the twin.
func TestTheTwinHoldsTheScenariosForSDKs(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all scenarios for SDKs; make test-all runs it")
	}
	report, err := conformance.RunSDK(t.Context(), conformance.Driver(driverOf(twin)), &conformance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, r := range report.Results {
		switch reason, open := notHeld[r.Scenario]; {
		case r.Status == conformance.Fail && !open:
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		case r.Status == conformance.Pass && open:
			t.Errorf("%s holds; it is listed since %s", r.Scenario, reason)
		case r.Status == conformance.Pass:
			held++
		}
	}
	if held < 100 {
		t.Errorf("only %d scenarios hold", held)
	}
}

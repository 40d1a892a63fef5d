package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
)

// sdk is the SDK's end: it answers the messages to a server that has one tool.
type sdk struct {
	mu     sync.Mutex
	heard  []string
	answer func(method string, id any) (object.Object, bool) // nil: the usual
	fail   map[string]string                                 // control errors by method
	mute   map[string]bool                                   // answers without a response, by method
	hold   map[string]chan struct{}                          // methods whose answers wait
	change chan string
}

func value(t testing.TB, text string) object.Object {
	t.Helper()
	v, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(object.Object)
}

func (s *sdk) host(t testing.TB) Host {
	s.change = make(chan string, 8)
	results := map[string]object.Object{
		"initialize": value(t, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"srv","version":"1.0.0"}}`),
		"tools/list": value(t, `{"tools":[{"name":"echo","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`),
		"tools/call": value(t, `{"content":[{"type":"text","text":"hi"}],"x":1}`),
	}
	dir := t.TempDir()
	f := fence.New(fence.Options{Dir: dir, Env: os.Environ(), Open: true})
	t.Cleanup(func() { f.Close() })
	return Host{
		Version: "9.9.9", Cwd: dir, Fence: f,
		Send: func(server string, m object.Object) func(context.Context) (Answer, error) {
			s.mu.Lock()
			s.heard = append(s.heard, server+" "+object.Text(m))
			s.mu.Unlock()
			method := m.Text("method")
			return func(ctx context.Context) (Answer, error) {
				if held := s.hold[method]; held != nil {
					select {
					case <-held:
					case <-ctx.Done():
						return Answer{}, ctx.Err()
					}
				}
				if text, ok := s.fail[method]; ok {
					return Answer{}, errors.New(text)
				}
				if s.mute[method] {
					return Answer{}, nil
				}
				reply := object.Of("jsonrpc", "2.0", "id", m.Get("id"), "result", results[method])
				if s.answer != nil {
					if r, ok := s.answer(method, m.Get("id")); ok {
						reply = r
					}
				}
				return Answer{Body: object.Of("mcp_response", reply), Present: true}, nil
			}
		},
		Elicit: func(_ context.Context, server string, params object.Object) (object.Object, error) {
			return object.Of("action", "accept", "content", object.Of("asked", params.Text("message"))), nil
		},
		Changed: func(server string) { s.change <- server },
	}
}

func (s *sdk) messages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.heard...)
}

// connect returns a set with the SDK's server srv.
func connect(t testing.TB, s *sdk) *Set {
	t.Helper()
	set := New(s.host(t))
	t.Cleanup(set.Close)
	set.AddSDK([]string{"srv"}, nil)
	set.Wait(t.Context())
	return set
}

const (
	hello = `srv {"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","title":"Claude Code",` +
		`"description":"Anthropic's agentic coding tool","websiteUrl":"https://claude.com/claude-code","version":"9.9.9"}},"jsonrpc":"2.0","id":0}`
	ready = `srv {"jsonrpc":"2.0","method":"notifications/initialized"}`
	list  = `srv {"method":"tools/list","jsonrpc":"2.0","id":1}`
	call  = `srv {"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{"claudecode/toolUseId":"toolu_1","progressToken":2}},"jsonrpc":"2.0","id":2}`
)

func echo(t testing.TB, set *Set, ctx context.Context) (*Result, error) {
	t.Helper()
	tool, ok := set.Tool("mcp__srv__echo")
	if !ok {
		t.Fatalf("there is no tool: %s", object.Text(set.Status()))
	}
	return set.Call(ctx, tool, value(t, `{"text":"x"}`), "toolu_1")
}

func TestMessagesToAServerOfTheSDKAreThoseOfTheCLI(t *testing.T) {
	s := &sdk{}
	set := connect(t, s)
	r, err := echo(t, set, t.Context())
	if err != nil || object.Text(r.Content) != `[{"type":"text","text":"hi"}]` || r.IsError {
		t.Errorf("the call: %v, %v", r, err)
	}
	if diff := cmp.Diff([]string{hello, ready, list, call}, s.messages()); diff != "" {
		t.Error(diff)
	}
	want := `{"mcpServers":[{"name":"srv","status":"connected","serverInfo":{"name":"srv","version":"1.0.0"},"transport":"sdk","scope":"dynamic","source":"sdk","tools":[{"name":"echo","annotations":{"readOnly":true}}]}]}`
	if diff := cmp.Diff(want, object.Text(set.Status())); diff != "" {
		t.Error(diff)
	}
	if tool, _ := set.Tool("mcp__srv__echo"); tool.Title != "Echo" || !tool.ReadOnly || tool.Source != "sdk" {
		t.Errorf("the tool: %+v", tool)
	}
}

func TestAManifestTakesThePlaceOfTheHandshake(t *testing.T) {
	s := &sdk{}
	set := New(s.host(t))
	defer set.Close()
	set.AddSDK([]string{"srv"}, value(t, `{"srv":{"initializeResult":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"srv","version":"1"}},"toolsListResult":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}}`))
	set.Wait(t.Context())
	if _, err := echo(t, set, t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{call}, s.messages()); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsOfACallAreTold(t *testing.T) {
	for name, s := range map[string]*sdk{
		"control error": {fail: map[string]string{"tools/call": "paper jam"}},
		"rpc error": {answer: func(method string, id any) (object.Object, bool) {
			return object.Of("id", id, "error", object.Of("code", -32000, "message", "paper jam")), method == "tools/call"
		}},
	} {
		if _, err := echo(t, connect(t, s), t.Context()); err == nil || err.Error() != "paper jam" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestACallThatIsCancelledTellsTheServer(t *testing.T) {
	s := &sdk{hold: map[string]chan struct{}{"tools/call": make(chan struct{})}}
	set := connect(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := echo(t, set, ctx)
		done <- err
	}()
	for len(s.messages()) < 4 {
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	all := s.messages()
	if got := all[len(all)-1]; got != `srv {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"AbortError: remote-cancel"}}` {
		t.Errorf("the last message is %s", got)
	}
}

func TestAHandshakeThatFailsIsTriedAgain(t *testing.T) {
	for name, test := range map[string]struct {
		sdk  *sdk
		want []string
	}{
		"refused":                       {&sdk{fail: map[string]string{"initialize": "closed"}}, []string{hello, hello}},
		"notification not acknowledged": {&sdk{mute: map[string]bool{"notifications/initialized": true}}, []string{hello, ready, hello, ready}},
	} {
		t.Run(name, func(t *testing.T) {
			set := connect(t, test.sdk)
			if diff := cmp.Diff(test.want, test.sdk.messages()); diff != "" {
				t.Error(diff)
			}
			if got := object.Text(set.Init()); got != `[{"name":"srv","status":"failed","source":"sdk"}]` {
				t.Error(got)
			}
		})
	}
}

func TestAServerOfTheSDKCanSpeak(t *testing.T) {
	s := &sdk{}
	set := connect(t, s)
	set.Message("nobody", value(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
	set.Message("srv", value(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
	if got := <-s.change; got != "srv" {
		t.Errorf("%s has changed", got)
	}
	set.Message("srv", value(t, `{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"?"}}`))
	set.Message("srv", value(t, `{"jsonrpc":"2.0","id":"p1","method":"ping"}`))
	for len(s.messages()) < 6 {
	}
	want := []string{
		`srv {"method":"tools/list","jsonrpc":"2.0","id":2}`,
		`srv {"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"Method not found"}}`,
		`srv {"result":{},"jsonrpc":"2.0","id":"p1"}`,
	}
	if diff := cmp.Diff(want, s.messages()[3:]); diff != "" {
		t.Error(diff)
	}
}

func TestToggledAndRemovedServers(t *testing.T) {
	s := &sdk{}
	set := connect(t, s)
	status := func(want string) {
		t.Helper()
		if got := object.Text(set.Init()); got != want {
			t.Errorf("the servers are %s, want %s", got, want)
		}
	}
	for _, step := range []struct {
		on   bool
		want string
	}{{false, "disabled"}, {true, "connected"}} {
		if err := set.Toggle(t.Context(), "srv", step.on); err != nil {
			t.Fatal(err)
		}
		status(`[{"name":"srv","status":"` + step.want + `","source":"sdk"}]`)
	}
	reply, err := set.SetServers(t.Context(), value(t, `{"other":{"type":"sdk","name":"other"}}`))
	if err != nil || object.Text(reply) != `{"added":["other"],"removed":["srv"],"errors":{}}` {
		t.Errorf("%s, %v", object.Text(reply), err)
	}
	if reply, err = set.SetServers(t.Context(), object.Object{}); err != nil || object.Text(reply) != `{"added":[],"removed":["other"],"errors":{}}` {
		t.Errorf("%s, %v", object.Text(reply), err)
	}
	if _, err := set.SetServers(t.Context(), nil); err == nil {
		t.Error("no servers are taken")
	}
	for _, err := range []error{set.Toggle(t.Context(), "nobody", true), set.Reconnect(t.Context(), "nobody")} {
		if err == nil || err.Error() != "Server not found: nobody" {
			t.Error(err)
		}
	}
}

// program is a server on stdio that asks the user its name.
const program = `#!/bin/sh
while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case $line in
	*'"method":"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"local","version":"1.0.0"}}}' ;;
	*'"method":"tools/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"ask","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}]}}' ;;
	*'"method":"prompts/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"prompts":[{"name":"greet","arguments":[{"name":"who"}]}]}}' ;;
	*'"method":"prompts/get"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}}' ;;
	*'"method":"resources/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"resources":[{"uri":"note://1","name":"note","mimeType":"text/plain"}]}}' ;;
	*'"method":"resources/read"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"contents":[{"uri":"note://1","text":"milk"}]}}' ;;
	*'"name":"die"'*) exit 1 ;;
	*'"method":"tools/call"'*) call=$id; echo '{"jsonrpc":"2.0","id":900,"method":"elicitation/create","params":{"message":"name","requestedSchema":{"type":"object","properties":{}}}}' ;;
	*'"action":'*) echo '{"jsonrpc":"2.0","id":'"$call"',"result":{"content":[{"type":"text","text":"told"}]}}' ;;
	esac
done
`

func TestAProgramIsServed(t *testing.T) {
	s := &sdk{}
	host := s.host(t)
	path := filepath.Join(host.Cwd, "server.sh")
	if err := os.WriteFile(path, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	set := New(host)
	defer set.Close()
	reply, err := set.SetServers(t.Context(), object.Of("local", object.Of("command", path), "bad", object.Of("type", "stdio", "command", "/no/such/program")))
	if err != nil || object.Text(reply) != `{"added":["local","bad"],"removed":[],"errors":{"bad":"ENOENT: no such file or directory, posix_spawn 'stdio'"}}` {
		t.Fatalf("%s, %v", object.Text(reply), err)
	}
	if r, err := set.CallDirect(t.Context(), "mcp__local__ask", nil); err != nil || object.Text(r) != `{"content":[{"type":"text","text":"told"}]}` {
		t.Errorf("the call: %s, %v", object.Text(r), err)
	}
	if list, err := set.Resources(t.Context(), "local"); err != nil || object.Text(list) != `[{"name":"note","uri":"note://1","mimeType":"text/plain","server":"local"}]` {
		t.Errorf("the resources: %s, %v", object.Text(list), err)
	}
	if r, err := set.ReadResource(t.Context(), "local", "note://1"); err != nil || object.Text(r) != `{"contents":[{"uri":"note://1","text":"milk"}]}` {
		t.Errorf("the resource: %s, %v", object.Text(r), err)
	}
	prompts := set.Prompts()
	if len(prompts) != 1 || prompts[0].Command != "mcp__local__greet" {
		t.Fatalf("the prompts: %v", prompts)
	}
	if m, err := set.Prompt(t.Context(), prompts[0], []string{"Ada"}); err != nil || !strings.Contains(object.Text(m), "hello") {
		t.Errorf("the prompt: %s, %v", object.Text(m), err)
	}
	if _, err := set.CallDirect(t.Context(), "mcp__local__die", nil); err == nil || err.Error() != "Connection closed" {
		t.Errorf("the server that dies: %v", err)
	}
	if err := set.Reconnect(t.Context(), "local"); err != nil {
		t.Error(err)
	}
	if len(s.messages()) > 0 {
		t.Errorf("the SDK has heard %s", s.messages())
	}
}

func TestAServerOnHTTPIsServedOnThisMachineOnly(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "pong"}}}, nil, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer web.Close()
	set := New((&sdk{}).host(t))
	defer set.Close()
	reply, err := set.SetServers(t.Context(), object.Of("web", object.Of("type", "http", "url", web.URL), "far", object.Of("type", "http", "url", "http://192.0.2.1/mcp")))
	if err != nil || !strings.Contains(reply.Object("errors").Text("far"), "this machine only") || reply.Object("errors").Has("web") {
		t.Fatalf("%s, %v", object.Text(reply), err)
	}
	if r, err := set.CallDirect(t.Context(), "mcp__web__echo", nil); err != nil || !strings.Contains(object.Text(r), "pong") {
		t.Errorf("the call: %s, %v", object.Text(r), err)
	}
}

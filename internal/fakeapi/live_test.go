//go:build live

package fakeapi

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// startLive starts a server with the script and the CLI that talks to it.
func startLive(t *testing.T, script string) (*Server, *liveCLI) {
	t.Helper()
	srv, err := Start(t.Context(), mustScript(t, script))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		srv.Close()
		if t.Failed() {
			for _, q := range srv.Requests() {
				t.Logf("%+v", q)
			}
		}
	})
	return srv, startCLI(t, srv)
}

// waitLive is Wait with an end.
func waitLive(t *testing.T, srv *Server, cond func([]Request) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := srv.Wait(ctx, cond); err != nil {
		t.Fatal(err)
	}
}

// checkNoRest reports turns that were not taken and requests that had none.
func checkNoRest(t *testing.T, srv *Server) {
	t.Helper()
	if got := srv.Unused(); len(got) > 0 {
		t.Errorf("turns %v were not taken", got)
	}
	for _, q := range srv.Requests() {
		if q.Answer == Exhausted {
			t.Errorf("no turn was left for %+v", q)
		}
	}
}

func TestLiveTextAndTool(t *testing.T) {
	srv, cli := startLive(t, `{"turns":[
		{"content":[{"type":"thinking","thinking":"A greeting.","signature":"c2ln"},{"type":"text","text":"Hello."}]},
		{"content":[{"type":"text","text":"I write it."},{"type":"tool_use","name":"Write","input":{"file_path":"a.txt","content":"hi"}}],"pace":{"chunk":3}},
		{"text":"Written."}]}`)
	cli.say("greet me")
	if r := cli.result(); r.Result != "Hello." || r.IsError {
		t.Errorf("got %+v", r)
	}
	cli.say("write a file")
	if r := cli.result(); r.Result != "Written." || r.IsError {
		t.Errorf("got %+v", r)
	}
	if data, err := os.ReadFile(filepath.Join(cli.dir, "a.txt")); err != nil || string(data) != "hi" {
		t.Errorf("the file has %q, %v", data, err)
	}
	checkNoRest(t, srv)
	var got []string
	for _, q := range srv.Requests() {
		if q.From != Main {
			continue
		}
		s := q.Text
		for _, r := range q.ToolResults {
			s += r.ToolUseID + " " + r.Tool
		}
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{"greet me", "write a file", "toolu_0002_1 Write"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestLiveErrors(t *testing.T) {
	srv, cli := startLive(t, `{"turns":[
		{"error":{"status":529,"message":"Overloaded","retry_after":0}},
		{"text":"After a retry."},
		{"error":{"status":500,"message":"Broken"},"header":{"x-should-retry":"false"},"retries":true},
		{"error":{"status":400,"message":"Bad"},"retries":true},
		{"text":"Fine again."}]}`)
	for _, want := range []struct {
		text    string
		isError bool
	}{{"After a retry.", false}, {"", true}, {"", true}, {"Fine again.", false}} {
		cli.say("go")
		if r := cli.result(); r.IsError != want.isError || (want.text != "" && r.Result != want.text) {
			t.Errorf("got %+v, want %+v", r, want)
		}
	}
	checkNoRest(t, srv)
}

func TestLiveInterruptOfAStalledStream(t *testing.T) {
	srv, cli := startLive(t, `{"turns":[{"text":"I begin and","cut":{"how":"stall"}},{"text":"Next."}]}`)
	cli.say("talk")
	waitLive(t, srv, outcomeOfTurn(1, Stalled))
	cli.write(map[string]any{"type": "control_request", "request_id": "stop", "request": map[string]any{"subtype": "interrupt"}})
	if r := cli.result(); r.Subtype != "error_during_execution" {
		t.Errorf("got %+v", r)
	}
	waitLive(t, srv, outcomeOfTurn(1, ClientGone))
	cli.say("go on")
	if r := cli.result(); r.Result != "Next." {
		t.Errorf("got %+v", r)
	}
	checkNoRest(t, srv)
}

func TestLiveDroppedConnection(t *testing.T) {
	srv, cli := startLive(t, `{"turns":[{"text":"I begin and","cut":{"how":"drop"}},{"text":"Again."}]}`)
	cli.say("talk")
	if r := cli.result(); r.Result != "Again." {
		t.Errorf("got %+v", r)
	}
	checkNoRest(t, srv)
}

func TestLiveSubagent(t *testing.T) {
	srv, cli := startLive(t, `{"turns":[
		{"content":[{"type":"tool_use","name":"Task","input":{"description":"look","prompt":"look around","subagent_type":"general-purpose","run_in_background":false}}]},
		{"text":"The agent is back."},
		{"content":[{"type":"tool_use","name":"Bash","input":{"command":"echo here","description":"say here"}}],"match":{"from":"subagent","text":"look around"}},
		{"text":"I saw nothing.","match":{"from":"subagent","tool_result":"toolu_0003_0"}}]}`)
	cli.say("send an agent")
	if r := cli.result(); r.Result != "The agent is back." {
		t.Errorf("got %+v", r)
	}
	waitLive(t, srv, outcomeOfTurn(4, Complete))
	checkNoRest(t, srv)
}

// outcomeOfTurn is a condition for Wait: a request that the turn answers has the outcome.
func outcomeOfTurn(turn int, o Outcome) func([]Request) bool {
	return func(list []Request) bool {
		for _, q := range list {
			if q.Turn == turn && q.Outcome == o {
				return true
			}
		}
		return false
	}
}

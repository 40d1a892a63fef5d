//go:build live

package main

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/livetest"
	"github.com/ccwire/ccwire/transport"
)

func TestLiveHooks(t *testing.T) {
	opts, api := livetest.Start(t, `{"turns":[
		{"content":[{"type":"tool_use","name":"Read","input":{"file_path":"hello.txt"}}]},
		{"content":[{"type":"tool_use","name":"Bash","input":{"command":"rm -rf hello.txt","description":"delete a file"}}]},
		{"text":"Done."}]}`)
	var out strings.Builder
	if err := run(t.Context(), "delete it", opts, &out); err != nil {
		t.Fatal(err)
	}
	results := livetest.ToolResults(api)
	if len(results) != 2 || results[0].IsError || !strings.Contains(results[1].Text, "this command is not allowed here") {
		t.Errorf("the model got %+v", results)
	}
	got := out.String()
	if !strings.HasPrefix(got, "used: Read ") || !strings.Contains(got, "\nblocked: rm -rf hello.txt\n") || !strings.HasSuffix(got, "Done.\n") {
		t.Errorf("printed %q", got)
	}
}

func TestLiveHooksFailsWhenTheAPIRefuses(t *testing.T) {
	var out strings.Builder
	livetest.Refused(t, func(opts *transport.Options) error { return run(t.Context(), "delete it", opts, &out) })
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
}

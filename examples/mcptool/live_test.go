//go:build live

package main

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/livetest"
	"github.com/ccwire/ccwire/transport"
)

func TestLiveMCPTool(t *testing.T) {
	opts, api := livetest.Start(t, `{"turns":[
		{"content":[{"type":"tool_use","name":"mcp__calc__multiply","input":{"a":"123456789","b":"987654321"}}]},
		{"content":[{"type":"tool_use","name":"mcp__calc__multiply","input":{"a":"one","b":"2"}}]},
		{"text":"It is 121932631112635269."}]}`)
	var out strings.Builder
	if err := run(t.Context(), "multiply", opts, &out); err != nil {
		t.Fatal(err)
	}
	results := livetest.ToolResults(api)
	if len(results) != 2 || results[0].Text != "121932631112635269" || results[0].IsError || !results[1].IsError {
		t.Errorf("the model got %+v", results)
	}
	if out.String() != "It is 121932631112635269.\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestLiveMCPToolFailsWhenTheAPIRefuses(t *testing.T) {
	var out strings.Builder
	livetest.Refused(t, func(opts *transport.Options) error { return run(t.Context(), "multiply", opts, &out) })
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
}

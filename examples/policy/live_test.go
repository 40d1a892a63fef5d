//go:build live

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/livetest"
	"github.com/ccwire/ccwire/transport"
)

func TestLivePolicy(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "b.txt")
	opts, api := livetest.Start(t, `{"turns":[
		{"content":[{"type":"tool_use","name":"Read","input":{"file_path":"hello.txt"}}]},
		{"content":[{"type":"tool_use","name":"Write","input":{"file_path":"a.txt","content":"in"}}]},
		{"content":[{"type":"tool_use","name":"Write","input":{"file_path":"`+outside+`","content":"out"}}]},
		{"content":[{"type":"tool_use","name":"Bash","input":{"command":"touch c.txt","description":"make a file"}}]},
		{"text":"Done."}]}`)
	var out strings.Builder
	if err := run(t.Context(), "write", opts, &out); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(opts.Dir, "a.txt")); err != nil || string(data) != "in" {
		t.Errorf("a.txt has %q, %v", data, err)
	}
	for _, path := range []string{outside, filepath.Join(opts.Dir, "c.txt")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	var failed []bool
	for _, result := range livetest.ToolResults(api) {
		failed = append(failed, result.IsError)
	}
	if len(failed) != 4 || failed[0] || failed[1] || !failed[2] || !failed[3] {
		t.Errorf("the tools failed: %v", failed)
	}
	if got := out.String(); strings.Count(got, "denied:") != 2 || !strings.HasSuffix(got, "Done.\n") {
		t.Errorf("printed %q", got)
	}
}

func TestLivePolicyFailsWhenTheAPIRefuses(t *testing.T) {
	var out strings.Builder
	livetest.Refused(t, func(opts *transport.Options) error { return run(t.Context(), "write", opts, &out) })
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
}

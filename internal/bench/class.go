package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// A class is lines of one sort.
type class struct {
	name  string
	lines []line
}

// classes returns the lines to decode by class: the mix, all recorded lines, and then sorts of
// lines each on its own. Recorded sorts are those of the newest CLI.
func classes() ([]class, error) {
	all, err := recorded(corpus.Versions()...)
	if err != nil {
		return nil, err
	}
	newest, err := recorded(corpus.Newest())
	if err != nil {
		return nil, err
	}
	a, b := newAgent(session), newAgent("7be2f0ac-51c5-4d3e-9a0f-0d6c1f1f6a55")
	made := func(n int, text func(i int) string) []line {
		lines := make([]line, n)
		for i := range lines {
			lines[i] = store([]byte(text(i)))
		}
		return lines
	}
	return []class{
		{"agentic", agentic()},
		{"recorded", all},
		{"init", ofKind(newest, "system:init")},
		{"assistant-tool-use", having(ofKind(newest, "assistant"), `"type":"tool_use"`)},
		{"result", ofKind(newest, "result:success")},
		{"can-use-tool", ofKind(newest, "control_request:can_use_tool")},
		{"hook-callback", ofKind(newest, "control_request:hook_callback")},
		{"mcp-message", ofKind(newest, "control_request:mcp_message")},
		{"control-response", ofKind(newest, "control_response")},
		{"text-delta", made(4000, func(int) string { return a.textDelta() })},
		{"thinking-delta", made(4000, func(int) string { return a.thinkingDelta() })},
		{"input-json-delta", made(4000, func(int) string { return a.inputDelta() })},
		{"two-sessions", made(4000, func(i int) string { return []*agent{a, b}[i&1].textDelta() })},
		{"tool-result-1mb", made(2, func(int) string { return a.toolResult(a.code(1 << 20)) })},
		{"tool-result-20kb", made(60, func(int) string { return a.toolResult(a.code(20 << 10)) })},
		{"assistant-write-8kb", made(100, func(int) string { return a.toolUse(a.code(8 << 10)) })},
	}, nil
}

// having returns the lines that contain a text.
func having(lines []line, text string) []line {
	return slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !bytes.Contains(l.text(), []byte(text)) })
}

func newAgent(session string) *agent {
	return &agent{maker: &maker{Rand: rand.New(rand.NewPCG(7, 8))}, session: session, id: fmt.Sprintf("msg_01%022d", 7)}
}

// recorded returns the lines that CLIs of some versions wrote, but for those that are no frames.
func recorded(versions ...string) ([]line, error) {
	var out []line
	for _, v := range versions {
		files, err := corpus.FS(v)
		if err != nil {
			return nil, err
		}
		names, err := fs.Glob(files, "*/*.ndjson")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			entries, err := recording.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			lines, err := recording.Lines(entries)
			if err != nil {
				return nil, err
			}
			for _, l := range lines {
				if _, err := wire.Decode(l.Text); err == nil && l.Dir == recording.ToSDK {
					out = append(out, store(l.Text))
				}
			}
		}
	}
	return out, nil
}

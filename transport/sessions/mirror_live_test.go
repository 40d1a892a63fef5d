//go:build live

package sessions_test

import (
	"context"
	"log/slog"
	"os"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/sessions"
)

// The real CLI resumes a session of which nothing is left but what a Mirror has written, with its
// subagent, and tells the model the whole conversation.
func TestLiveSessionIsResumedFromABackend(t *testing.T) {
	h := newHouse(t)
	api, err := fakeapi.Start(t.Context(), fakeapi.Script{Turns: []fakeapi.Turn{
		{Content: []fakeapi.Block{fakeapi.ToolUse("Task", `{"description":"small job","prompt":"the small job","subagent_type":"general-purpose"}`)}},
		{Match: &fakeapi.Match{From: fakeapi.Subagent, Prompt: "the small job"}, Text: "Sub done."},
		{Text: "It is blue.", Times: -1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	options := &transport.Options{CLI: h.cli, Dir: h.Cwd, Env: h.Env(api.URL(), nil), CleanEnv: true, Logger: slog.New(slog.DiscardHandler)}
	options.Flags.AllowedTools = []string{"Task", "Agent"}

	var b memory
	m := sessions.NewMirror(&b, &sessions.MirrorOptions{OnError: func(err error) { t.Error(err) }})
	first := *options
	first.OnTranscript = m.Add
	result, err := transport.Query(ctx, "what colour is the door?", &first).Result()
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	id := result.Session()
	if below, _ := b.Subpaths(ctx, sessions.Key{Project: projectOf(t, &b), Session: id}); len(below) == 0 {
		t.Error("nothing of the subagent was written")
	}

	if err := os.RemoveAll(h.Config); err != nil {
		t.Fatal(err)
	}
	restored, err := sessions.At(h.Config).Restore(ctx, &b, id, h.Cwd)
	if err != nil {
		t.Fatal(err)
	}
	again := *options
	again.Flags.Resume = id
	result, err = transport.Query(ctx, "and now?", &again).Result()
	if err != nil {
		t.Fatal(err)
	}
	if result.Session() != id {
		t.Errorf("session %s went on, want %s", result.Session(), id)
	}
	requests := api.Requests()
	var last fakeapi.Request
	for _, r := range requests {
		if r.From == fakeapi.Main {
			last = r
		}
	}
	// The question, the use of a tool, its result, the answer, the new question.
	if last.Text != "and now?" || last.Messages < 5 {
		t.Errorf("the model was asked %+v, want the conversation before, too", last)
	}
	agents, err := restored.Subagents()
	if err != nil || len(agents) != 1 || agents[0].ToolUseID == "" {
		t.Errorf("subagents: %+v, %v", agents, err)
	}
}

// projectOf returns the project of all transcripts.
func projectOf(t *testing.T, b *memory) string {
	t.Helper()
	for key := range b.kept {
		return key.Project
	}
	t.Fatal("nothing was written")
	return ""
}

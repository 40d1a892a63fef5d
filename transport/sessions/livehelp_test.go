//go:build live

package sessions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/scoreboard/install"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/sessions"
)

// An ask is one call of an SDK.
type ask struct {
	Op          string `json:"op"`
	ID          string `json:"id,omitempty"`
	Agent       string `json:"agent,omitempty"`
	Dir         string `json:"dir,omitempty"`
	Text        string `json:"text,omitempty"`
	UpTo        string `json:"upTo,omitempty"`
	Limit       int    `json:"limit,omitempty"`
	Skip        int    `json:"skip,omitempty"`
	NoWorktrees bool   `json:"noWorktrees,omitempty"`
	Interactive bool   `json:"interactive,omitempty"`
	System      bool   `json:"system,omitempty"`
}

// An oracle is an official SDK.
type oracle struct {
	name    string
	dir     string // where it is installed
	program []string
}

func oracles(t *testing.T) []*oracle {
	t.Helper()
	list := []*oracle{{name: "typescript", program: []string{"node", "oracle.mjs"}}, {name: "python", program: []string{"bin/python", "oracle.py"}}}
	for i, sdk := range []*install.SDK{install.Node, install.Python} {
		dir, err := sdk.Installed(t.Context(), filepath.Join("..", "..", "internal", "scoreboard"))
		if err != nil {
			t.Fatal(err)
		}
		list[i].dir = dir
	}
	return list
}

// ask has an SDK do something in a config folder, and returns what it answered to each.
func (o *oracle) ask(t *testing.T, config string, asks ...ask) []any {
	t.Helper()
	input, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	program := o.program[0]
	if strings.Contains(program, "/") {
		program = filepath.Join(o.dir, program)
	}
	c := exec.CommandContext(t.Context(), program, filepath.Join("testdata", o.program[1]), o.dir)
	c.Stdin = bytes.NewReader(input)
	c.Env = append(os.Environ(), "CLAUDE_CONFIG_DIR="+config)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", o.name, err, stderr.String())
	}
	var answers []any
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%s: %v: %s", o.name, err, out)
	}
	return answers
}

// ours does what an SDK is asked for with this package, and answers in the same form.
func ours(t *testing.T, config string, asks ...ask) []any {
	t.Helper()
	store, ctx := sessions.At(config), t.Context()
	var answers []any
	for _, a := range asks {
		var answer any
		if a.Op == "list" {
			list, err := store.List(ctx, &sessions.ListOptions{Dir: a.Dir, NoWorktrees: a.NoWorktrees, Interactive: a.Interactive, Skip: a.Skip, Limit: a.Limit})
			if err != nil {
				t.Fatal(err)
			}
			all := []any{}
			for _, i := range list {
				all = append(all, infoForm(&i))
			}
			answers = append(answers, inJSON(t, all))
			continue
		}
		s, err := store.Find(ctx, a.ID, a.Dir)
		if err != nil {
			t.Fatal(err)
		}
		switch a.Op {
		case "info":
			var i *sessions.Info
			if i, err = s.Info(); err == nil {
				answer = infoForm(i)
			}
		case "messages":
			answer, err = messagesForm(s.Messages(ctx, &sessions.MessagesOptions{System: a.System, Skip: a.Skip, Limit: a.Limit}))
		case "subagents", "subagent":
			ids := []string{}
			var agents []sessions.Subagent
			agents, err = s.Subagents()
			answer = []any{}
			for _, agent := range agents {
				if ids = append(ids, agent.ID); agent.ID == a.Agent {
					answer, err = messagesForm(agent.Messages(ctx))
				}
			}
			if a.Op == "subagents" {
				answer = ids
			}
		case "rename":
			err = s.Rename(a.Text)
		case "tag":
			if a.Text == "" {
				err = s.Untag()
			} else {
				err = s.Tag(a.Text)
			}
		case "fork":
			var f *sessions.Session
			if f, err = s.Fork(ctx, &sessions.ForkOptions{UpTo: a.UpTo, Title: a.Text}); err == nil {
				answer = f.ID()
			}
		case "delete":
			err = s.Delete()
		}
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		answers = append(answers, inJSON(t, answer))
	}
	return answers
}

func infoForm(i *sessions.Info) any {
	created := int64(0)
	if !i.Created.IsZero() {
		created = i.Created.UnixMilli()
	}
	return map[string]any{"id": i.ID, "summary": i.Summary, "title": i.Title, "prompt": i.FirstPrompt, "tag": i.Tag, "dir": i.Dir,
		"branch": i.GitBranch, "created": created, "modified": i.Modified.UnixMilli(), "size": i.Size}
}

func messagesForm(all func(func(*sessions.Message, error) bool)) (any, error) {
	list := []any{}
	for m, err := range all {
		if err != nil {
			return nil, err
		}
		var message any
		if m.Message != nil {
			message = json.RawMessage(m.Message)
		}
		list = append(list, map[string]any{"type": m.Type, "uuid": m.UUID, "session": m.SessionID, "message": message, "use": m.ParentToolUseID, "agent": m.ParentAgentID})
	}
	return list, nil
}

// inJSON returns a value as it comes back from JSON.
func inJSON(t *testing.T, v any) (back any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// A house has the sessions that the real CLI made in scratch folders.
type house struct {
	*sandbox.Scratch
	cli string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	cli, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	scratch, err := sandbox.NewScratch(map[string][]byte{"a.txt": []byte("a\n"), "b.txt": []byte("b\n"), "c.txt": []byte("c\n")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := scratch.Remove(); err != nil {
			t.Error(err)
		}
	})
	return &house{scratch, cli}
}

const livePatience = 2 * time.Minute

// run plays a session in a working directory and returns its id.
func (h *house) run(t *testing.T, dir string, script []fakeapi.Turn, flags transport.Flags, play func(context.Context, *transport.Session)) string {
	t.Helper()
	api, err := fakeapi.Start(t.Context(), fakeapi.Script{Turns: script})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	flags.AllowedTools = []string{"Bash", "Read", "Task", "Agent"}
	s, err := transport.Open(ctx, &transport.Options{CLI: h.cli, Dir: dir, Env: h.Env(api.URL(), nil), CleanEnv: true, Flags: flags, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	play(ctx, s)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	newest, err := sessions.At(h.Config).List(ctx, &sessions.ListOptions{Limit: 1})
	if err != nil || len(newest) == 0 {
		t.Fatalf("no session was kept: %v", err)
	}
	return newest[0].ID
}

// say plays turns one after the other.
func say(t *testing.T, prompts ...string) func(context.Context, *transport.Session) {
	return func(ctx context.Context, s *transport.Session) {
		t.Helper()
		for _, p := range prompts {
			if _, err := s.Turn(ctx, p).Result(); err != nil {
				t.Fatalf("%s: %v", p, err)
			}
		}
	}
}

// queue sends a prompt while a tool of the turn before runs, and waits for two results or one.
func queue(t *testing.T) func(context.Context, *transport.Session) {
	return func(ctx context.Context, s *transport.Session) {
		t.Helper()
		if err := s.Prompt(ctx, "wait a little"); err != nil {
			t.Fatal(err)
		}
		for {
			f, err := s.Receive(ctx)
			if err != nil {
				t.Fatal(err)
			}
			switch f := f.(type) {
			case *wire.Assistant:
				if slices.ContainsFunc(f.Message.Content, func(b wire.ContentBlock) bool { _, is := b.(*wire.ToolUseBlock); return is }) {
					if err := s.Prompt(ctx, "and this too"); err != nil {
						t.Fatal(err)
					}
				}
			case *wire.ResultSuccess:
				return
			}
		}
	}
}

//go:build live

package transport_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/transport"
)

// livePatience is how long a test waits for the CLI.
const livePatience = time.Minute

// live is a session with the real CLI, whose model is a fake API on loopback: offline, with a dummy
// key, in scratch folders.
type live struct {
	testing.TB
	*transport.Session
	ctx context.Context
	dir string // the CLI's working directory
	api *fakeapi.Server
}

// liveCLI returns the path of the real CLI.
func liveCLI(t testing.TB) string {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// liveOptions starts the model that script describes for a working directory, and returns options
// for a CLI that talks to it.
func liveOptions(t testing.TB, script func(dir string) []fakeapi.Turn) (*transport.Options, *fakeapi.Server) {
	t.Helper()
	path := liveCLI(t)
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := scratch.Remove(); err != nil {
			t.Error(err)
		}
	})
	api, err := fakeapi.Start(t.Context(), fakeapi.Script{Turns: script(scratch.Cwd)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	return &transport.Options{CLI: path, Dir: scratch.Cwd, Env: scratch.Env(api.URL(), nil), CleanEnv: true, Logger: slog.New(slog.DiscardHandler)}, api
}

// openLive opens a session. Change, if not nil, completes the options.
func openLive(t testing.TB, change func(*transport.Options), script func(dir string) []fakeapi.Turn) *live {
	t.Helper()
	o, api := liveOptions(t, script)
	if change != nil {
		change(o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	t.Cleanup(cancel)
	s, err := transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for e := range s.Events() {
			if e, ok := e.(*transport.UndecodableEvent); ok {
				t.Errorf("undecodable: %v: %s", e.Err, e.Text)
			}
		}
	})
	return &live{TB: t, Session: s, ctx: ctx, dir: o.Dir, api: api}
}

// says makes a script of texts.
func says(texts ...string) func(string) []fakeapi.Turn {
	return func(string) []fakeapi.Turn {
		var turns []fakeapi.Turn
		for _, text := range texts {
			turns = append(turns, fakeapi.Turn{Text: text})
		}
		return turns
	}
}

// writes makes a script in which the model writes files with the text, one in a turn, and says that
// it is done.
func writes(text string, names ...string) func(string) []fakeapi.Turn {
	return func(dir string) []fakeapi.Turn {
		var turns []fakeapi.Turn
		for _, name := range names {
			input := `{"file_path":` + quoteJSON(filepath.Join(dir, name)) + `,"content":` + quoteJSON(text) + `}`
			turns = append(turns, fakeapi.Turn{Content: []fakeapi.Block{fakeapi.ToolUse("Write", input)}})
		}
		return append(turns, fakeapi.Turn{Text: "Done."})
	}
}

func quoteJSON(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func (l *live) say(text string) {
	l.Helper()
	if err := l.Prompt(l.ctx, text); err != nil {
		l.Fatal(err)
	}
}

// result reads up to the end of the turn.
func (l *live) result() wire.Frame {
	l.Helper()
	for {
		f, err := l.Receive(l.ctx)
		if err != nil {
			l.Fatal(err)
		}
		switch f.(type) {
		case *wire.ResultSuccess, *wire.ResultError:
			return f
		}
	}
}

// success reads up to the end of a turn, which must end well, and returns what the model said.
func (l *live) success() string {
	l.Helper()
	f := l.result()
	r, ok := f.(*wire.ResultSuccess)
	if !ok || r.IsError {
		l.Fatalf("result = %+v", f)
	}
	return r.Result
}

// toolResult returns what the model was told of a tool's result.
func (l *live) toolResult(tool string) fakeapi.ToolResult {
	l.Helper()
	for _, r := range l.api.Requests() {
		for _, result := range r.ToolResults {
			if result.Tool == tool {
				return result
			}
		}
	}
	l.Fatalf("the model was told no result of %s", tool)
	panic("unreachable")
}

// file returns the text of a file, "" if it does not exist.
func (l *live) file(name string) string {
	l.Helper()
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil && !os.IsNotExist(err) {
		l.Fatal(err)
	}
	return string(text)
}

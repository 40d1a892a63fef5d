package sessions_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/sessions"
)

const mirrored = "0a8c1f3e-5b1d-4c52-9d0e-2f4b6a7c8d90"

// memory is a backend.
type memory struct {
	fail  []error // what the next calls of Append return
	block chan struct{}

	mu    sync.Mutex // guards the fields below
	kept  map[sessions.Key][]codec.Raw
	calls int // of Append
}

func (m *memory) Append(ctx context.Context, key sessions.Key, entries []codec.Raw) error {
	if m.block != nil {
		select {
		case <-m.block:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if len(m.fail) > 0 {
		err := m.fail[0]
		m.fail = m.fail[1:]
		return err
	}
	if m.kept == nil {
		m.kept = map[sessions.Key][]codec.Raw{}
	}
	m.kept[key] = append(m.kept[key], entries...)
	return nil
}

// state returns how often Append was called, and what is kept.
func (m *memory) state() (calls int, kept string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls, fmt.Sprintf("%s", m.kept)
}

func (m *memory) Load(ctx context.Context, key sessions.Key) ([]codec.Raw, error) {
	if m.block != nil {
		<-m.block
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[key], nil
}

func (m *memory) Subpaths(_ context.Context, key sessions.Key) (subpaths []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.kept {
		if k.Project == key.Project && k.Session == key.Session && k.Subpath != "" {
			subpaths = append(subpaths, k.Subpath)
		}
	}
	return subpaths, nil
}

// added is a message with entries of a transcript.
func added(path string, entries ...string) *wire.TranscriptMirror {
	f := &wire.TranscriptMirror{FilePath: path}
	for _, e := range entries {
		f.Entries = append(f.Entries, codec.Raw(e))
	}
	return f
}

func TestMirrorWritesWhatIsAddedTogetherAndInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b memory
		m := sessions.NewMirror(&b, nil)
		defer m.Close()
		main := "/home/me/.claude/projects/-work/" + mirrored
		m.Add(added(main+".jsonl", `{"n":1}`))
		m.Add(added(main+"/subagents/agent-1.jsonl", `{"n":2}`))
		m.Add(added(`C:\claude\projects\-work\`+mirrored+`.jsonl`, `{"n":3}`, `{"n":4}`))
		m.Add(added("/home/me/elsewhere.jsonl", `{"n":5}`))
		synctest.Wait()
		if calls, _ := b.state(); calls != 0 {
			t.Errorf("%d calls before the delay", calls)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if calls, got := b.state(); calls != 2 || got != `map[{-work `+mirrored+` }:[{"n":1} {"n":3} {"n":4}] {-work `+mirrored+` subagents/agent-1}:[{"n":2}]]` {
			t.Errorf("%d calls, kept %s", calls, got)
		}
	})
}

func TestFlushAndCloseWriteWhatWasAddedBefore(t *testing.T) {
	var b memory
	m := sessions.NewMirror(&b, &sessions.MirrorOptions{Delay: time.Hour})
	key := sessions.Key{Project: "-work", Session: mirrored}
	m.Flush()
	m.Add(added("/p/-work/"+mirrored+".jsonl", `{"n":1}`))
	m.Flush()
	if len(b.kept[key]) != 1 {
		t.Errorf("after Flush there is %s", b.kept)
	}
	m.Add(added("/p/-work/"+mirrored+".jsonl", `{"n":2}`))
	m.Close()
	if len(b.kept[key]) != 2 {
		t.Errorf("after Close there is %s", b.kept)
	}
}

// TestAPathThatLeadsElsewhereHasNoKey: a backend may make paths of the parts of a key.
func TestAPathThatLeadsElsewhereHasNoKey(t *testing.T) {
	var b memory
	m := sessions.NewMirror(&b, nil)
	for _, path := range []string{
		"/p/../" + mirrored + ".jsonl",
		"/p/./" + mirrored + ".jsonl",
		"/p/c:/" + mirrored + ".jsonl",
		"/p/-work/" + mirrored + "/../../other.jsonl",
		"/p/-work/" + mirrored + "//x.jsonl",
	} {
		m.Add(added(path, `{"n":1}`))
	}
	m.Close()
	if calls, kept := b.state(); calls != 0 {
		t.Errorf("kept %s", kept)
	}
}

func TestMirrorTriesAgainAndThenTellsWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := errors.New("down")
		b := memory{fail: []error{down, down, down, down, down}}
		var lost []error
		m := sessions.NewMirror(&b, &sessions.MirrorOptions{Delay: -1, OnError: func(err error) { lost = append(lost, err) }})
		path := "/p/-work/" + mirrored + ".jsonl"
		m.Add(added(path, `{"n":1}`, `{"n":2}`))
		m.Flush()
		m.Add(added(path, `{"n":3}`)) // two failures are left
		m.Close()
		m.Add(added(path, `{"n":4}`))
		var e *sessions.MirrorError
		if len(lost) != 2 || !errors.As(lost[0], &e) || e.Entries != 2 || !errors.Is(lost[0], down) || !errors.Is(lost[1], sessions.ErrBehind) {
			t.Errorf("lost: %v", lost)
		}
		if got := fmt.Sprint(len(b.kept), b.calls); got != "1 6" {
			t.Errorf("transcripts and calls: %s", got)
		}
	})
}

func TestAnAppendThatTakesTooLongIsNotTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := memory{block: make(chan struct{})}
		var lost []error
		m := sessions.NewMirror(&b, &sessions.MirrorOptions{Delay: -1, OnError: func(err error) { lost = append(lost, err) }})
		begin := time.Now()
		m.Add(added("/p/-work/"+mirrored+".jsonl", `{"n":1}`))
		m.Close()
		if took := time.Since(begin); took != time.Minute || len(lost) != 1 || !errors.Is(lost[0], context.DeadlineExceeded) {
			t.Errorf("after %v: %v", took, lost)
		}
	})
}

// simulated plays a prompt in a folder, with a config folder.
func simulated(t *testing.T, c *sim.CLI, dir, config, prompt string, change func(*transport.Options)) (session string) {
	t.Helper()
	o := c.Options()
	o.Dir, o.CleanEnv, o.Env = dir, true, []string{"HOME=" + config, "CLAUDE_CONFIG_DIR=" + config}
	change(o)
	result, err := transport.Query(t.Context(), prompt, o).Result()
	if err != nil {
		t.Fatal(err)
	}
	return result.Session()
}

// A session whose disk is gone knows its conversation when it is resumed from a backend.
func TestSessionIsResumedFromABackend(t *testing.T) {
	c, err := sim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b memory
	m := sessions.NewMirror(&b, nil)
	dir, before, after := t.TempDir(), t.TempDir(), t.TempDir()
	id := simulated(t, c, dir, before, "remember the blue door", func(o *transport.Options) { o.OnTranscript = m.Add })
	m.Close()
	restored, err := sessions.At(after).Restore(t.Context(), &b, id, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := simulated(t, c, dir, after, "go on", func(o *transport.Options) { o.Flags.Resume = id }); got != id {
		t.Errorf("session %s went on, want %s", got, id)
	}
	var said []string
	for m, err := range restored.Messages(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Frame()
		if err != nil {
			t.Fatal(err)
		}
		if user, ok := f.(*wire.User); ok && user.Message.Content.Text != nil {
			said = append(said, *user.Message.Content.Text)
		}
	}
	if !slices.Equal(said, []string{"remember the blue door", "go on"}) {
		t.Errorf("the prompts of the session are %q", said)
	}
}

func TestRestoreKeepsATranscriptThatHasMore(t *testing.T) {
	dir, config := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	project := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, real)
	key := sessions.Key{Project: project, Session: mirrored}
	below := key
	below.Subpath = "subagents/agent-1"
	b := memory{kept: map[sessions.Key][]codec.Raw{
		key:   {codec.Raw(`{"n":1}`), codec.Raw(`{"n":2}`)},
		below: {codec.Raw(`{"type":"agent_metadata","agentType":"a"}`), codec.Raw(`{"n":3}`)},
	}}
	store := sessions.At(config)
	path := filepath.Join(config, "projects", project, mirrored)
	for _, step := range []struct{ there, want string }{
		{"", "{\"n\":1}\n{\"n\":2}\n"},
		{"{\"old\":1}\n", "{\"n\":1}\n{\"n\":2}\n"},
		{"{\"old\":1}\n{}\n{}\n", "{\"old\":1}\n{}\n{}\n"},
	} {
		if step.there != "" {
			if err := os.WriteFile(path+".jsonl", []byte(step.there), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Restore(t.Context(), &b, mirrored, dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(s.Path()); err != nil || string(got) != step.want {
			t.Errorf("over %q there is %q (%v), want %q", step.there, got, err, step.want)
		}
	}
	for name, want := range map[string]string{".jsonl": "{\"n\":3}\n", ".meta.json": `{"agentType":"a"}`} {
		if got, err := os.ReadFile(path + "/subagents/agent-1" + name); err != nil || string(got) != want {
			t.Errorf("beside it there is %q (%v), want %q", got, err, want)
		}
	}
}

func TestRestoreRefusesWhatItCannotWrite(t *testing.T) {
	config := t.TempDir()
	store := sessions.At(config)
	restore := func(b sessions.Backend, id string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := store.Restore(ctx, b, id, "/work")
		return err
	}
	key := sessions.Key{Project: "-work", Session: mirrored}
	with := func(subpath string, entry string) *memory {
		below := key
		below.Subpath = subpath
		return &memory{kept: map[sessions.Key][]codec.Raw{key: {codec.Raw(entry)}, below: {codec.Raw(`{}`)}}}
	}
	blocked := memory{block: make(chan struct{})}
	defer close(blocked.block)
	for name, row := range map[string]struct {
		err, want error
	}{
		"no id":           {restore(&memory{}, "../x"), sessions.ErrBadID},
		"not there":       {restore(&memory{}, mirrored), sessions.ErrNotFound},
		"does not answer": {restore(&blocked, mirrored), context.DeadlineExceeded},
		"up":              {restore(with("subagents/../../../x", `{}`), mirrored), nil},
		"absolute":        {restore(with("/etc/x", `{}`), mirrored), nil},
		"of Windows":      {restore(with(`C:x`, `{}`), mirrored), nil},
		"not an entry":    {restore(with("subagents/a", `[]`), mirrored), nil},
	} {
		if row.err == nil || row.want != nil && !errors.Is(row.err, row.want) {
			t.Errorf("%s: %v", name, row.err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(config, "projects", "*", "*.jsonl")); len(left) > 0 {
		t.Errorf("there is %q", left)
	}
}

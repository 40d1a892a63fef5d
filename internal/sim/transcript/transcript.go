// Package transcript owns the files in which sessions are kept: it writes that of the session, and
// reads those of earlier ones.
package transcript

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Options say how a session is kept.
type Options struct {
	Off    bool // it is not kept
	Mirror bool // the SDK is told what is kept
}

// Transcript is the file in which a session is kept. Its methods may be called at the same time.
type Transcript struct {
	Options
	out   *output.Session
	place *workspace.Workspace

	mu   sync.Mutex // guards the fields below
	file *os.File   // nil until something is kept
	last any        // the entry that the next one follows; nil for none
}

// New returns the transcript of a session.
func New(out *output.Session, place *workspace.Workspace, o Options) *Transcript {
	return &Transcript{Options: o, out: out, place: place}
}

// Path is the file.
func (t *Transcript) Path() string { return t.Folder() + ".jsonl" }

// Folder is where the CLI keeps what belongs to the session beside the file.
func (t *Transcript) Folder() string { return filepath.Join(t.place.ProjectDir(), t.out.ID()) }

// AgentPath is the file in which the CLI keeps the conversation of a subagent.
func (t *Transcript) AgentPath(agent string) string {
	return filepath.Join(t.Folder(), "subagents", "agent-"+agent+".jsonl")
}

// Restart begins a new file for a new session.
func (t *Transcript) Restart() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		t.file.Close()
	}
	t.file, t.last = nil, nil
}

// Follow says which entry the next one follows; nil for none.
func (t *Transcript) Follow(last any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = last
}

// keep writes entries to the file, and to the SDK if it wants that. A file that cannot be written
// is no reason to stop: the CLI goes on without it.
func (t *Transcript) keep(entries ...object.Object) {
	if t.Off {
		return
	}
	path := t.Path()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
			return
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		t.file = f
	}
	var text []byte
	list := make([]any, len(entries))
	for i, e := range entries {
		text = append(object.Append(text, e), '\n')
		list[i] = e
	}
	_, _ = t.file.Write(text)
	if t.Mirror {
		t.out.Line(object.Of("type", "transcript_mirror", "filePath", path, "entries", list))
	}
}

// entry returns an entry of the conversation: it follows the one before. own are its own members.
func (t *Transcript) entry(id string, own ...any) object.Object {
	t.mu.Lock()
	parent := t.last
	t.last = id
	t.mu.Unlock()
	o := append(object.Of("parentUuid", parent, "isSidechain", false), object.Of(own...)...)
	return append(o, object.Of("userType", "external", "entrypoint", t.place.Get("CLAUDE_CODE_ENTRYPOINT"), "cwd", t.place.Dir(),
		"sessionId", t.out.ID(), "version", t.out.Version(), "gitBranch", "HEAD")...)
}

// Prompt is a message of the user.
type Prompt struct {
	ID      string // of the turn that it is for
	UUID    string // "" for a random one
	Text    string
	Content any
	Mode    string // of permissions
}

// Prompt keeps a message of the user.
func (t *Transcript) Prompt(p Prompt) {
	operation := func(name string, content any) object.Object {
		return object.Of("type", "queue-operation", "operation", name, "timestamp", ids.Now(), "sessionId", t.out.ID(), "content", content)
	}
	if p.UUID == "" {
		p.UUID = ids.UUID()
	}
	t.keep(operation("enqueue", p.Text), operation("dequeue", object.Absent),
		t.entry(p.UUID, "promptId", p.ID, "type", "user", "message", object.Of("role", "user", "content", p.Content), "uuid", p.UUID,
			"timestamp", ids.Now(), "permissionMode", p.Mode, "promptSource", "sdk"))
}

// Line keeps a line of the session's own conversation; more are the members that only some have.
func (t *Transcript) Line(kind, id string, message, more object.Object) {
	t.keep(t.entry(id, "message", message, "requestId", member(more, "request_id"), "type", kind, "uuid", id, "timestamp", ids.Now(),
		"toolUseResult", member(more, "tool_use_result"), "isMeta", member(more, "isSynthetic"), "isApiErrorMessage", member(more, "is_api_error_message"),
		"apiErrorStatus", member(more, "api_error_status"), "refusedMessageId", member(more, "refused_message_id")))
}

// member returns a member, Absent if it is not there.
func member(o object.Object, name string) any { return object.If(o.Has(name), o.Get(name)) }

// LastPrompt keeps what the session is about, at the end of a turn.
func (t *Transcript) LastPrompt(text string) {
	t.mu.Lock()
	leaf := t.last
	t.mu.Unlock()
	if leaf != nil {
		t.keep(object.Of("type", "last-prompt", "lastPrompt", text, "leafUuid", leaf, "sessionId", t.out.ID()))
	}
}

// Cost keeps what the session has cost, at its end, if anything was kept of it.
func (t *Transcript) Cost(start time.Time, dollars float64, byModel object.Object) {
	t.mu.Lock()
	kept := t.file != nil
	t.mu.Unlock()
	if kept {
		t.keep(object.Of("type", "cost-state", "sessionId", t.out.ID(), "totalCostUSD", dollars, "totalAPIDuration", 0, "totalAPIDurationWithoutRetries", 0,
			"totalToolDuration", 0, "totalLinesAdded", 0, "totalLinesRemoved", 0, "totalDuration", time.Since(start).Milliseconds(),
			"startTime", start.UnixMilli(), "modelUsage", byModel, "hasUnknownModelCost", false))
	}
}

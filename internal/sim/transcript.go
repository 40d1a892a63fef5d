package sim

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/queue"
)

// transcriptState is the file in which a session is kept.
type transcriptState struct {
	mu   sync.Mutex // guards the fields below
	file *os.File   // nil until something is kept
	last any        // the entry that the next one follows; nil for none
}

// restart begins a new file for a new session.
func (ts *transcriptState) restart() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.file != nil {
		ts.file.Close()
	}
	ts.file, ts.last = nil, nil
}

// keep writes an entry to the file, and to the SDK if it wants that. A file that cannot be written
// is no reason to stop: the CLI goes on without it.
func (s *Session) keep(entries ...object.Object) {
	if s.flags.Has("no-session-persistence") {
		return
	}
	path := s.transcriptPath()
	ts := &s.transcript
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.file == nil {
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
			return
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		ts.file = f
	}
	var text []byte
	list := make([]any, len(entries))
	for i, e := range entries {
		text = append(object.Append(text, e), '\n')
		list[i] = e
	}
	_, _ = ts.file.Write(text)
	if s.flags.Has("session-mirror") {
		s.out.Line(object.Of("type", "transcript_mirror", "filePath", path, "entries", list))
	}
}

// chain returns an entry of the conversation: it follows the one before.
func (s *Session) chain(id string, head, tail object.Object) object.Object {
	ts := &s.transcript
	ts.mu.Lock()
	parent := ts.last
	ts.last = id
	ts.mu.Unlock()
	o := append(object.Of("parentUuid", parent, "isSidechain", false), head...)
	o = append(o, tail...)
	return append(o, object.Of("userType", "external", "entrypoint", s.place.Get("CLAUDE_CODE_ENTRYPOINT"), "cwd", s.place.Dir(), "sessionId", s.out.ID(),
		"version", Version, "gitBranch", "HEAD")...)
}

// keepPrompt keeps a message of the user.
func (s *Session) keepPrompt(t *turn, p *queue.Prompt) {
	operation := func(name string, content any) object.Object {
		return object.Of("type", "queue-operation", "operation", name, "timestamp", ids.Now(), "sessionId", s.out.ID(), "content", content)
	}
	id := p.UUID
	if id == "" {
		id = ids.UUID()
	}
	s.mu.Lock()
	mode := s.mode
	s.mu.Unlock()
	s.keep(operation("enqueue", p.Text()), operation("dequeue", object.Absent),
		s.chain(id, object.Of("promptId", t.id, "type", "user", "message", object.Of("role", "user", "content", p.Content), "uuid", id, "timestamp", ids.Now()),
			object.Of("permissionMode", mode, "promptSource", "sdk")))
}

// keepLine keeps a line of the session's own conversation.
func (s *Session) keepLine(kind, id string, message object.Object, more object.Object) {
	head := object.Of("message", message, "requestId", member(more, "request_id"), "type", kind, "uuid", id, "timestamp", ids.Now(),
		"toolUseResult", member(more, "tool_use_result"), "isMeta", member(more, "isSynthetic"), "isApiErrorMessage", member(more, "is_api_error_message"),
		"apiErrorStatus", member(more, "api_error_status"), "refusedMessageId", member(more, "refused_message_id"))
	s.keep(s.chain(id, head, nil))
}

// member returns a member, Absent if it is not there.
func member(o object.Object, name string) any { return object.If(o.Has(name), o.Get(name)) }

// keepState keeps what the session is about, at the end of a turn.
func (s *Session) keepState(t *turn) {
	s.transcript.mu.Lock()
	leaf := s.transcript.last
	s.transcript.mu.Unlock()
	if n := len(t.prompts); n > 0 && leaf != nil {
		s.keep(object.Of("type", "last-prompt", "lastPrompt", t.prompts[n-1].Text(), "leafUuid", leaf, "sessionId", s.out.ID()))
	}
}

// keepCost keeps what the session has cost, at its end.
func (s *Session) keepCost() {
	s.transcript.mu.Lock()
	kept := s.transcript.file != nil
	s.transcript.mu.Unlock()
	if kept {
		s.keep(object.Of("type", "cost-state", "sessionId", s.out.ID(), "totalCostUSD", s.spent.Cost(), "totalAPIDuration", 0, "totalAPIDurationWithoutRetries", 0,
			"totalToolDuration", 0, "totalLinesAdded", 0, "totalLinesRemoved", 0, "totalDuration", time.Since(s.start).Milliseconds(),
			"startTime", s.start.UnixMilli(), "modelUsage", s.spent.Kept(), "hasUnknownModelCost", false))
	}
}

// goOn goes on with an earlier session, if the flags say so. It returns why it cannot.
func (s *Session) goOn() string {
	id := s.flags.Value("resume")
	folder := s.place.ProjectDir()
	if id == "" && s.flags.Has("continue") {
		id = newest(folder)
		if id == "" {
			return ""
		}
	}
	if id == "" {
		return ""
	}
	f, err := os.Open(filepath.Join(folder, filepath.Base(id)+".jsonl"))
	if err != nil {
		s.out.SetID(id)
		return "No conversation found with session ID: " + id
	}
	defer f.Close()
	last, found := s.recall(f, s.flags.Value("resume-session-at"))
	if !s.flags.Has("fork-session") {
		s.out.SetID(id)
		s.transcript.last = last
	}
	if !found {
		s.out.SetID(id)
		return "No message found with message.uuid of: " + s.flags.Value("resume-session-at")
	}
	return ""
}

// newest returns the session of a folder that was kept last, "" if there is none.
func newest(folder string) (id string) {
	var at time.Time
	files, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")) // the pattern is good
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(at) {
			id, at = strings.TrimSuffix(filepath.Base(file), ".jsonl"), info.ModTime()
		}
	}
	return id
}

// recall reads a conversation from a file, up to the message with an id if that is not "". It
// returns the id of the last entry, and whether the message was found.
func (s *Session) recall(f *os.File, until string) (last any, found bool) {
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		v, err := object.Parse(lines.Bytes())
		e, ok := v.(object.Object)
		if err != nil || !ok || e.Bool("isSidechain") {
			continue
		}
		if e.Text("type") == "cost-state" {
			s.spent.Recall(e.Object("modelUsage"))
		}
		if e.Text("subtype") == "compact_boundary" {
			s.main.talk.Begin()
		}
		id := e.Text("uuid")
		if id != "" {
			last = id
			s.queue.See(id)
		}
		if kind := e.Text("type"); kind == "user" || kind == "assistant" {
			s.main.talk.Add(kind, conversation.Blocks(e.Object("message").Get("content"))...)
		}
		if until != "" && id == until {
			return last, true
		}
	}
	return last, until == ""
}

// cannotGoOn tells an SDK that there is no session to go on with.
func (s *Session) cannotGoOn(text string) {
	fmt.Fprintln(s.Stderr, text)
	if !s.flags.Stream() {
		return
	}
	s.out.Line(object.Of("type", "result", "subtype", "error_during_execution", "duration_ms", 0, "duration_api_ms", 0, "is_error", true, "num_turns", 0,
		"stop_reason", nil, "session_id", s.out.ID(), "total_cost_usd", 0, "usage", ledger.Usage{}.Plain(), "modelUsage", object.Object{}, "permission_denials", []any{},
		"uuid", ids.UUID(), "errors", []string{text}, "result_index", 0))
}

package transcript

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// Thread is a conversation that is kept in a file of its own: that of the session, or that of a
// subagent.
type Thread struct {
	t     *Transcript
	agent string // "" for the session itself

	thread
}

// thread is what a conversation remembers. It is guarded by the transcript's lock.
type thread struct {
	file     *os.File          // nil until something is kept
	last     any               // the entry that the next one follows; nil for none
	prompt   string            // the id of what was asked last
	begun    bool              // the model was told of the session
	again    bool              // it is told that again, after a compaction
	about    *About            // what it was told, until the first request is known as a whole
	answered bool              // the model has answered
	asked    *Request          // that is being answered; nil for none
	before   Request           // the one before
	held     []object.Object   // what is kept when it is answered
	uses     map[string]string // the entries in which tools are used, by the id of the use
	shells   map[string]bool   // the uses of the shell
	servers  map[string]string // the tools of servers that are used, by the id of the use
	started  Started           // of a subagent
	skill    string            // that was used last; "" for none

	server, tool string // whose result the model has not answered yet; "" for none
}

func (th *Thread) path() string {
	if th.agent == "" {
		return th.t.Path()
	}
	return th.t.AgentPath(th.agent)
}

func (th *Thread) close() {
	if th.file != nil {
		th.file.Close()
	}
	th.file = nil
}

// keep writes entries to the file, and to the SDK if it wants that, as soon as no answer of the
// model is under way. A file that cannot be written is no reason to stop: the CLI goes on without
// it.
func (th *Thread) keep(entries ...object.Object) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.keepLocked(entries...)
}

func (th *Thread) keepLocked(entries ...object.Object) {
	if th.t.Off || len(entries) == 0 {
		return
	}
	if th.asked != nil {
		th.held = append(th.held, entries...)
		return
	}
	path := th.path()
	if th.file == nil {
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
			return
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		th.file = f
	}
	var text []byte
	list := make([]any, len(entries))
	for i, e := range entries {
		text = append(object.Append(text, e), '\n')
		list[i] = e
	}
	_, _ = th.file.Write(text)
	if th.t.Mirror {
		th.t.out.Line(object.Of("type", "transcript_mirror", "filePath", path, "entries", list))
	}
}

// entryLocked returns an entry of the conversation, which follows the one before. own are its own
// members.
func (th *Thread) entryLocked(id string, own object.Object) object.Object {
	parent := th.last
	th.last = id
	return th.framedLocked(parent, own)
}

// framedLocked puts the members that all entries have around those of one.
func (th *Thread) framedLocked(parent any, own object.Object) object.Object {
	t := th.t
	sub := th.agent != ""
	o := object.Of("parentUuid", parent, "isSidechain", sub)
	if i := slices.IndexFunc(own, func(m object.Member) bool { return m.Name == "promptId" || m.Name == "logicalParentUuid" }); i == 0 {
		o, own = append(o, own[0]), own[1:]
	}
	if sub {
		o = append(o, object.Member{Name: "agentId", Value: th.agent})
	}
	o = append(o, own...)
	return append(o, object.Of("userType", "external", "entrypoint", t.place.Get("CLAUDE_CODE_ENTRYPOINT"), "cwd", t.place.Cwd(),
		"sessionId", t.out.ID(), "version", t.out.Version(), "gitBranch", "HEAD", "slug", object.If(t.compact && !sub, slug))...)
}

// slug is the name that the CLI makes up for a session whose conversation was compacted.
const slug = "simulated-talking-session"

// Request is a request to the model, as the entries of its answer tell of it.
type Request struct {
	Model    string
	Effort   string // "" for a model that does not know it
	Constant bool   // the effort is that of the turn
	Checked  bool   // the tools are checked by the server
	Agent    string // the type of the subagent that asks

	ref string

	server, tool string // of the result that is answered; "" for none
	blocks       int
}

// perTurn is the effort of the turn; nil for a model that does not have it.
func (r *Request) perTurn() any {
	if r.Effort == "" || !r.Constant {
		return nil
	}
	return r.Effort
}

// Ask says that the model is asked. What is kept from now on is written when it has answered.
func (th *Thread) Ask(r Request) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	r.ref, r.server, r.tool = ids.UUID(), th.server, th.tool
	th.server, th.tool = "", ""
	th.asked = &r
}

// Answered says that the model has answered: why it has stopped, and what it has used. An answer
// that was not completed has neither.
func (th *Thread) Answered(stopReason any, usage object.Object) {
	if th.t.Off {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	if th.asked == nil {
		return
	}
	held := th.held
	th.before, th.asked, th.held = *th.asked, nil, nil
	if usage != nil {
		th.answered = true
		for _, e := range held {
			if e.Text("type") == "assistant" && e.Object("message").Get("stop_reason") == nil {
				e.Set("message", e.Object("message").With("stop_reason", stopReason, "usage", usage))
			}
		}
	}
	th.keepLocked(held...)
}

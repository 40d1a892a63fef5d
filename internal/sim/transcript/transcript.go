// Package transcript owns the files in which sessions are kept: it writes those of the session, and
// reads those of earlier ones.
package transcript

import (
	"path/filepath"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Options say how a session is kept.
type Options struct {
	Off    bool // it is not kept
	Mirror bool // the SDK is told what is kept
	// Has reports whether the session has a tool.
	Has func(tool string) bool
}

// Transcript is where a session is kept. Its methods may be called at the same time, and so may
// those of its threads.
type Transcript struct {
	Options
	out   *output.Session
	place *workspace.Workspace

	mu      sync.Mutex         // guards the fields below, and those of the threads
	main    *Thread            // the conversation of the session itself
	agents  map[string]*Thread // those of subagents
	turns   int                // that have begun
	prompt  string             // the text that the session is about; "" for none
	used    []string           // the tools that the model has used
	compact bool               // the conversation was compacted
	skills  []object.Object    // that were used
	title   string             // the name of the session; "" for none
}

// New returns the transcript of a session.
func New(out *output.Session, place *workspace.Workspace, o Options) *Transcript {
	t := &Transcript{Options: o, out: out, place: place}
	t.main = &Thread{t: t}
	return t
}

// Path is the file of the session's own conversation.
func (t *Transcript) Path() string { return t.Folder() + ".jsonl" }

// Folder is where the CLI keeps what belongs to the session beside the file.
func (t *Transcript) Folder() string { return filepath.Join(t.place.ProjectDir(), t.out.ID()) }

// AgentPath is the file in which the CLI keeps the conversation of a subagent.
func (t *Transcript) AgentPath(agent string) string {
	return filepath.Join(t.Folder(), "subagents", "agent-"+agent+".jsonl")
}

// Main is the conversation of the session itself.
func (t *Transcript) Main() *Thread { return t.main }

// Agent is the conversation of a subagent; that of the session itself if the id is "".
func (t *Transcript) Agent(id string) *Thread {
	if id == "" {
		return t.main
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	th := t.agents[id]
	if th == nil {
		if t.agents == nil {
			t.agents = map[string]*Thread{}
		}
		th = &Thread{t: t, agent: id}
		t.agents[id] = th
	}
	return th
}

// Restart begins new files for a new session.
func (t *Transcript) Restart() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.main.close()
	for _, th := range t.agents {
		th.close()
	}
	t.main.thread = thread{}
	t.agents, t.turns, t.prompt, t.used, t.compact, t.skills = nil, 0, "", nil, false, nil
}

// Follow says which entry the next one of the session's own follows; nil for none. The model knows
// already what it is told of a session at its beginning.
func (t *Transcript) Follow(last any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.main.last, t.main.begun = last, last != nil
}

// full reports whether all is kept that the CLI keeps: what only the mirror shows is left out
// otherwise.
func (t *Transcript) full() bool {
	return t.Mirror && !t.Off && !t.out.Release().Before(told)
}

// told is the first version whose entries tell what the model is told beside the conversation.
const told = "2.1.290"

// release is the version of the CLI whose entries are written.
func (t *Transcript) release() *release.Release { return t.out.Release() }

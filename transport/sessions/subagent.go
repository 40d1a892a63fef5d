package sessions

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// A Subagent is the transcript of a subagent of a session.
type Subagent struct {
	ID        string
	Path      string // of the transcript
	Type      string // the kind of agent; "" if it is not known
	ToolUseID string // the use of a tool that started it; "" if it is not known
	ParentID  string // the subagent that started it; "" for none
}

// Subagents returns the subagents of the session, by the names of their files.
func (s *Session) Subagents() ([]Subagent, error) {
	var list []Subagent
	root := filepath.Join(folderOf(s.path), "subagents")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == root && os.IsNotExist(err) {
				return nil
			}
			return err
		}
		name, ok := strings.CutPrefix(d.Name(), "agent-")
		if id, is := strings.CutSuffix(name, ".jsonl"); ok && is && d.Type().IsRegular() {
			list = append(list, newSubagent(id, path))
		}
		return nil
	})
	if err != nil {
		return nil, s.failed("listing the subagents of", err)
	}
	return list, nil
}

// newSubagent reads what the CLI keeps about a subagent beside its transcript.
func newSubagent(id, path string) Subagent {
	a := Subagent{ID: id, Path: path}
	data, err := os.ReadFile(folderOf(path) + ".meta.json")
	if err != nil {
		return a
	}
	if v, err := object.Parse(data); err == nil {
		o, _ := v.(object.Object)
		a.Type, a.ToolUseID, a.ParentID = o.Text("agentType"), o.Text("toolUseId"), o.Text("parentAgentId")
	}
	return a
}

// Entries yields the lines of the transcript, as [Session.Entries] does.
func (a *Subagent) Entries(ctx context.Context) iter.Seq2[Entry, error] { return entries(ctx, a.Path) }

// Messages yields what the subagent was told and what it said, in order, with what the CLI adds. An
// error is the last.
func (a *Subagent) Messages(ctx context.Context) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		g, err := readGraph(ctx, a.Path)
		if err != nil {
			yield(nil, err)
			return
		}
		var shown []place
		chain := g.last()
		for _, p := range g.prompts(chain, len(chain), true) {
			if p.speaks() || p.prompt {
				shown = append(shown, p)
			}
		}
		yieldMessages(ctx, a.Path, shown, Message{ParentToolUseID: a.ToolUseID, ParentAgentID: a.ParentID}, yield)
	}
}

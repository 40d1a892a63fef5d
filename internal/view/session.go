package view

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/terminal"
)

// Facts are what a line says of its session.
type Facts struct {
	Version string `json:"v,omitempty"` // of the CLI
	Model   string `json:"m,omitempty"`
	Mode    string `json:"p,omitempty"` // of permissions
}

// Usage is what a result says of what was used. The cost is that of the session up to there.
type Usage struct {
	Input      int64   `json:"i,omitempty"`
	Output     int64   `json:"o,omitempty"`
	CacheRead  int64   `json:"r,omitempty"`
	CacheWrite int64   `json:"w,omitempty"`
	Cost       float64 `json:"c,omitempty"`
}

// facts reads what a line says of its session, nil if it says nothing.
func (k *kindOf) facts() *Facts {
	var f Facts
	switch {
	case k.Type == "system" && k.Subtype == "init":
		f = Facts{k.Version, k.Model, k.PermissionMode}
	case k.Type == "system" && k.Subtype == "status":
		f = Facts{Mode: k.PermissionMode}
	case k.Type == "control_request":
		f = Facts{Mode: k.Request.Mode}
		if k.Request.Subtype == "set_model" {
			f.Model = k.Request.Model
		}
	case k.transcript:
		f = Facts{Version: k.EntryVersion, Mode: k.PermissionMode, Model: k.Message.Model}
	}
	if f == (Facts{}) {
		return nil
	}
	for _, s := range []*string{&f.Version, &f.Model, &f.Mode} {
		*s = terminal.Printable(cut(*s, 60))
	}
	return &f
}

// usage reads what a result says of what was used.
func (k *kindOf) usage() *Usage {
	if k.Type != "result" {
		return nil
	}
	u := Usage{k.Usage.Input, k.Usage.Output, k.Usage.CacheRead, k.Usage.CacheWrite, k.Cost}
	return &u
}

// links joins the rows of one session: results to the uses of tools, what a subagent says to the
// use that started it, pieces of a message to its first.
type links struct {
	uses  map[string]int // the row of a use of a tool, by its id
	heads map[string]int // the row of the first event of a message that is streamed, by its parent
}

// link fills what joins a row to rows before it.
func (l *links) link(r *Row, k *kindOf, row int) {
	if l.uses == nil || len(l.uses) > openRequests {
		l.uses = map[string]int{}
	}
	if l.heads == nil || len(l.heads) > openRequests {
		l.heads = map[string]int{}
	}
	if at, ok := l.uses[k.Parent]; ok && k.Parent != "" {
		r.Parent = &at
	}
	for _, b := range k.blocks {
		if b.Type == "tool_use" && b.ID != "" {
			l.uses[b.ID] = row
		}
		if at, ok := l.uses[b.ToolUseID]; ok && b.ToolUseID != "" {
			r.Uses = append(r.Uses, at)
		}
	}
	if at, ok := l.uses[k.toolUse()]; ok && len(r.Uses) == 0 && k.toolUse() != "" {
		r.Uses = append(r.Uses, at)
	}
	if k.Type != "stream_event" {
		return
	}
	if at, ok := l.heads[k.Parent]; ok && k.Event.Type != "message_start" {
		r.Head = &at
	} else {
		l.heads[k.Parent] = row
	}
	if k.Event.Type == "message_stop" {
		delete(l.heads, k.Parent)
	}
}

// toolUse returns the id of the use of a tool that a request is about.
func (k *kindOf) toolUse() string {
	if k.Type != "control_request" {
		return k.ToolUseID
	}
	var input struct {
		ToolUseID string `json:"tool_use_id"`
	}
	if k.Request.Subtype == "hook_callback" {
		_ = json.Unmarshal(k.Request.Input, &input)
	}
	return joined("", k.Request.ToolUseID, input.ToolUseID)
}

// entryTime returns when an entry of a transcript was written, as milliseconds since the first one.
func (b *Builder) entryTime(stamp string) *float64 {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return nil
	}
	if b.begun.IsZero() {
		b.begun = at
	}
	ms := float64(at.Sub(b.begun)) / float64(time.Millisecond)
	const year = 365 * 24 * 3600 * 1000
	if ms < 0 || ms > 100*year {
		return nil
	}
	return &ms
}

// entryNames returns the definition of an entry of a transcript.
func (k *kindOf) entryNames() []string {
	name := "transcript/" + k.Type
	if k.Type == "attachment" {
		_, second, _ := strings.Cut(k.name(), "/")
		name += "." + second
	}
	return []string{name + ".json"}
}

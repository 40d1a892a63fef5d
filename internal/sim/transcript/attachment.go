package transcript

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/line"
)

// Attachment is something that the CLI puts into a conversation beside what is said. Only the
// mirror of a session shows it.
type Attachment struct {
	What     object.Object // the member attachment
	Rendered []string      // what the model is told of it; nil for nothing
	Role     string        // in which it is told that; "" for system
	Beside   bool          // the model may be told it beside the result of a tool

	id    string
	words string // that take the place of an attachment; "" for none
}

// Aside returns words that the CLI adds to those of the user.
func Aside(text string) Attachment { return Attachment{words: text} }

// remind returns an attachment of which the model is told a text.
func remind(text string, pairs ...any) Attachment {
	return Attachment{What: object.Of(pairs...), Rendered: []string{text}}
}

// Note returns an attachment of a type with members.
func Note(kind string, pairs ...any) Attachment {
	return Attachment{What: object.Of(append([]any{"type", kind}, pairs...)...)}
}

// Reminder returns an attachment of a type with members, of which the model is told a text.
func Reminder(text, kind string, pairs ...any) Attachment {
	return remind(text, append([]any{"type", kind}, pairs...)...)
}

func (a *Attachment) told() bool { return a.Rendered != nil }

var attached = line.Line[*Attachment]{
	{Name: "attachment", Value: func(a *Attachment) any { return a.What }},
	{Name: "type", Value: line.Always[*Attachment]("attachment")},
	{Name: "uuid", Value: func(a *Attachment) any { return a.id }},
	{Name: "timestamp", Value: func(*Attachment) any { return ids.Now() }},
	{Name: "rendered", Value: func(a *Attachment) any {
		list := []any{}
		for _, text := range a.Rendered {
			list = append(list, object.Of("content", "<system-reminder>\n"+text+"\n</system-reminder>"))
		}
		return list
	}, When: (*Attachment).told},
	{Name: "renderedRole", Value: func(a *Attachment) any {
		if a.Role != "" {
			return a.Role
		}
		return "system"
	}, When: (*Attachment).told},
	{Name: "renderedBesideToolResult", Value: line.Always[*Attachment](true), When: func(a *Attachment) bool { return a.Beside }},
}

// Attach keeps attachments.
func (th *Thread) Attach(list ...Attachment) {
	if !th.t.full() {
		return
	}
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.attachLocked(list...)
}

// Skill is a skill or a command that the model goes by.
type Skill struct {
	Name, Source string
	Text         string
	Allowed      []string // tools
}

// Skill keeps what a skill or command allows, and that the model goes by it from now on.
func (th *Thread) Skill(s Skill) Attachment {
	th.t.mu.Lock()
	defer th.t.mu.Unlock()
	th.skill = s.Name
	th.t.skills = append(th.t.skills, object.Of("name", s.Name, "path", s.Source+":"+s.Name, "content", s.Text))
	return Note("command_permissions", "allowedTools", list(s.Allowed))
}

// Skills are the skills that were used so far, as the model is told them after a compaction. There
// is nothing to tell if there are none.
func (t *Transcript) Skills() []Attachment {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.skills) == 0 {
		return nil
	}
	text := "These skills were used before the conversation was compacted:"
	for _, s := range t.skills {
		text += "\n\n" + s.Text("name") + " (" + s.Text("path") + ")\n" + s.Text("content")
	}
	return []Attachment{Reminder(text, "invoked_skills", "skills", list(t.skills))}
}

func (th *Thread) attachLocked(list ...Attachment) {
	entries := make([]object.Object, len(list))
	for i := range list {
		a := &list[i]
		a.id = ids.UUID()
		if a.words != "" {
			block := object.Of("type", "text", "text", a.words)
			s := &Said{ID: a.id, Message: object.Of("role", "user", "content", []any{block}), More: object.Of("isSynthetic", true), th: th}
			entries[i] = th.entryLocked(a.id, heard.Object(th.t.release(), s).With("message", s.Message))
			continue
		}
		entries[i] = th.entryLocked(a.id, attached.Object(th.t.release(), a))
	}
	th.keepLocked(entries...)
}

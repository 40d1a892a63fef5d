package sim

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// goOn goes on with an earlier session, if the flags say so. It returns why it cannot.
func (s *Session) goOn() string {
	id, until := s.flags.Value("resume"), s.flags.Value("resume-session-at")
	folder := s.place.ProjectDir()
	if id == "" && s.flags.Has("continue") {
		id = transcript.Newest(folder)
	}
	switch {
	case id == "" && s.flags.Has("resume"):
		return "Error: --resume requires a valid session ID or session title when used with --print."
	case id == "":
		return ""
	case strings.HasSuffix(id, ".jsonl"):
		return "No conversation found with session ID: " + ids.UUID()
	case !uuid.MatchString(id):
		return fmt.Sprintf("Error: --resume requires a valid session ID or session title when used with --print. %q is neither.", id)
	}
	last, found, err := transcript.Read(folder, id, until, s.recall)
	if err != nil {
		s.out.SetID(id)
		return "No conversation found with session ID: " + id
	}
	if !s.flags.Has("fork-session") {
		s.out.SetID(id)
		s.transcript.Follow(last)
	}
	if !found {
		s.out.SetID(id)
		return "No message found with message.uuid of: " + until
	}
	if s.recalled != "" && !s.release.Before("2.1.325") && s.flags.Value("model") == "" && s.place.Get("ANTHROPIC_MODEL") == "" && s.recalled != s.model.Get() {
		s.model.Set(s.recalled)
	}
	s.recallState(id)
	return ""
}

// recall takes an entry of an earlier session.
func (s *Session) recall(e object.Object) {
	if e.Text("type") == "cost-state" {
		s.spent.Recall(e.Object("modelUsage"))
	}
	if e.Text("subtype") == "compact_boundary" {
		s.stage.Main.Talk.Begin()
	}
	if a := e.Object("attachment"); a.Text("type") == "queued_command" {
		s.stage.Main.Talk.Add("user", conversation.Blocks(a.Get("prompt"))...)
	}
	if id := e.Text("uuid"); id != "" {
		s.queue.Recall(id)
	}
	if kind := e.Text("type"); kind == "user" || kind == "assistant" {
		s.stage.Main.Talk.Add(kind, conversation.Blocks(e.Object("message").Get("content"))...)
		s.stage.Main.Talk.Line(e.Text("uuid"), e.Object("message").Text("id"))
		if model := e.Object("message").Text("model"); model != "" && model != "<synthetic>" {
			s.recalled = model
		}
	}
}

// recallFiles tells the tools which files the model knows of from the earlier session.
func (s *Session) recallFiles() {
	if s.tools == nil || s.release.Before("2.1.325") {
		return
	}
	uses := map[string]object.Object{}
	for _, m := range s.stage.Main.Talk.Messages() {
		for _, b := range m.Content {
			switch b, _ := b.(object.Object); {
			case b.Text("type") == "tool_use":
				uses[b.Text("id")] = b
			case b.Text("type") == "tool_result" && !b.Bool("is_error"):
				u := uses[b.Text("tool_use_id")]
				text, _ := b.Get("content").(string)
				s.tools.Recall(u.Text("name"), u.Object("input"), text)
			}
		}
	}
}

// cannotGoOn tells an SDK that there is no session to go on with.
func (s *Session) cannotGoOn(text string) {
	fmt.Fprintln(s.Stderr, text)
	if s.flags.Stream() {
		s.results.NoSession(text)
	}
}

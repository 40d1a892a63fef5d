package requests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// sessions serves the requests about the session and its conversation.
type sessions struct{ *Parts }

func (s sessions) handlers() handlers {
	return handlers{
		"rename_session": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			title, ok := r.Get("title").(string)
			source, named := r.Lookup("source")
			switch {
			case !ok:
				return control.Reply{}, &control.Error{Text: "rename_session: title must be a string"}
			case named && source != "remote" && source != "host":
				return control.Reply{}, &control.Error{Text: "rename_session: source must be 'remote' or 'host'"}
			case strings.TrimSpace(title) == "":
				return control.Reply{}, &control.Error{Text: "title must be non-empty"}
			}
			s.rename(strings.TrimSpace(title))
			return control.Reply{}, nil
		}},
		"cancel_async_message": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			gone := s.Queue.Cancel([]string{r.Text("message_uuid")})
			body := object.Of("cancelled", len(gone) > 0)
			if len(gone) > 0 && !s.Out.Release().Before("2.1.326") {
				body.Set("message_uuid", gone[0])
			}
			return control.Reply{Body: body, Then: func() {
				for _, id := range gone {
					s.Queue.Tell(id, "cancelled")
				}
			}}, nil
		}},
		"set_message_waiting": {Serve: func(_ context.Context, r object.Object) (control.Reply, error) {
			if _, ok := r.Get("waiting").(bool); !ok {
				return control.Reply{}, &control.Error{Text: "Invalid set_message_waiting: waiting must be true or false"}
			}
			return control.Reply{}, nil
		}},
		"side_question":          {Serve: s.sideQuestion, Slow: slow, Progress: true},
		"generate_session_title": {Serve: s.generateTitle, Slow: slow},
		"export_conversation":    {Serve: s.export},
		"get_session_cost":       {Serve: s.sessionCost},
		"get_usage":              {Serve: s.usageReport},
		"get_context_usage":      {Serve: s.contextUsage, Slow: slow},
		"get_skills_dialog":      {Serve: s.skillsDialog},
		"reload_skills": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			s.reload()
			return control.Reply{Body: object.Of("skills", s.Ext.Reloaded())}, nil
		}},
		"reload_plugins": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			return control.Reply{Body: object.Of("commands", s.commands(), "agents", s.Ext.AgentList(), "plugins", s.Ext.PluginList(), "mcpServers", s.Servers.Status().Get("mcpServers"), "error_count", 0)}, nil
		}},
		"reload_output_styles": {Serve: func(_ context.Context, _ object.Object) (control.Reply, error) {
			s.Ext.Load()
			return control.Reply{Body: object.Of("available_output_styles", s.Ext.StyleNames())}, nil
		}},
		"get_workspace_diff":  {Serve: s.workspaceDiff, Slow: slow},
		"get_status":          {Serve: s.status},
		"rewind_conversation": {Serve: s.rewindConversation},
	}
}

// told returns the conversation as the model is asked, if no turn is played.
func (s sessions) told() *fakeapi.Ask {
	q := &fakeapi.Ask{Model: s.Chosen.Get(), Tools: 1}
	s.Stage.Between(func() { q = s.Stage.Main.Ask(q.Model) })
	return q
}

// rewindConversation serves rewind_conversation.
func (s sessions) rewindConversation(_ context.Context, r object.Object) (control.Reply, error) {
	target, ok := r.Get("target_message_uuid").(string)
	if !ok {
		return control.Reply{}, &control.Error{Text: "rewind_conversation: target_message_uuid must be a string"}
	}
	var text, before string
	refused := func(text string) (control.Reply, error) {
		return control.Reply{Body: object.Of("rewound", false, "prefillText", nil, "precedingAssistantUuid", nil, "error", text,
			"reason", strings.ReplaceAll(text, " ", "_"))}, nil
	}
	var err error
	if !s.Stage.Between(func() { text, before, err = s.Stage.Main.Talk.Rewind(target, r.Text("last_seen_user_message_uuid")) }) {
		return refused("turn running")
	}
	if err != nil {
		return refused(err.Error())
	}
	var preceding any // nil for none
	if before != "" {
		preceding = before
	}
	return control.Reply{Body: object.Of("rewound", true, "targetMessageUuid", target, "prefillText", text, "precedingAssistantUuid", preceding)}, nil
}

// sideQuestion serves side_question: the model is asked beside the conversation.
func (s sessions) sideQuestion(ctx context.Context, r object.Object) (control.Reply, error) {
	q := s.told()
	for _, v := range r.List("history") {
		o, _ := v.(object.Object)
		q.System += "\n" + o.Text("question") + "\n" + o.Text("response")
	}
	q.Messages = append(q.Messages, fakeapi.AskMessage{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: r.Text("question")}}})
	whole, err := s.Model.Ask(q).Whole(ctx)
	switch {
	case context.Cause(ctx) == error(control.ErrCancelled):
		return control.Reply{}, &control.Error{Text: "Side question cancelled"}
	case err != nil:
		return control.Reply{}, err
	}
	s.Spent.Spend(q.Model, ledger.Read(whole.Object("usage")))
	return control.Reply{Body: object.Of("response", conversation.Text(whole.List("content")), "synthetic", false)}, nil
}

// generateTitle serves generate_session_title.
func (s sessions) generateTitle(ctx context.Context, r object.Object) (control.Reply, error) {
	model := s.Chosen.Get()
	q := &fakeapi.Ask{Model: model, Messages: []fakeapi.AskMessage{{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: r.Text("description")}}}}}
	whole, err := s.Model.Ask(q).Whole(ctx)
	if err != nil {
		return control.Reply{}, err
	}
	s.Spent.Spend(model, ledger.Read(whole.Object("usage")))
	text := conversation.Text(whole.List("content"))
	var made struct{ Title string }
	if json.Unmarshal([]byte(text), &made) != nil || made.Title == "" {
		made.Title = text
	}
	if r.Bool("persist") {
		s.Transcript.Titled(made.Title)
	}
	return control.Reply{Body: object.Of("title", made.Title)}, nil
}

// export serves export_conversation: the texts of the conversation, as a terminal shows them.
func (s sessions) export(context.Context, object.Object) (control.Reply, error) {
	var b strings.Builder
	first := s.Stage.Main.Talk.First()
	s.Stage.Main.Talk.Texts(func(role, text string) {
		mark := "❯ "
		if role == "assistant" {
			mark = "● "
		}
		fmt.Fprintf(&b, "\n%s%s\n", mark, text)
		if first == "" {
			first = text
		}
	})
	name := "conversation-" + time.Now().Format("2006-01-02-150405") + ".txt"
	if slug := strings.Join(strings.FieldsFunc(strings.ToLower(first), notInName), "-"); slug != "" {
		name = time.Now().Format("2006-01-02-150405") + "-" + slug[:min(len(slug), 40)] + ".txt"
	}
	return control.Reply{Body: object.Of("text", strings.TrimSuffix(b.String(), "\n"), "default_filename", name)}, nil
}

// notInName reports whether a character is not in the name of a file.
func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// sessionCost serves get_session_cost.
func (s sessions) sessionCost(context.Context, object.Object) (control.Reply, error) {
	return control.Reply{Body: object.Of("text", s.Stage.CostText())}, nil
}

// usageReport serves get_usage.
func (s sessions) usageReport(context.Context, object.Object) (control.Reply, error) {
	body := s.templateBody("get_usage")
	added, removed := s.Spent.Changed()
	spent := body.Object("session").With("total_lines_added", added, "total_lines_removed", removed, "total_cost_usd", s.Spent.Cost(), "total_duration_ms", time.Since(s.Start).Milliseconds(), "model_usage", s.Spent.ByModel())
	return control.Reply{Body: body.With("session", spent)}, nil
}

// contextUsage serves get_context_usage.
func (s sessions) contextUsage(context.Context, object.Object) (control.Reply, error) {
	body := s.templateBody("get_context_usage").With("model", s.Chosen.Get())
	if s.Spent.Requests() == 0 {
		body = body.With("apiUsage", nil)
	}
	return control.Reply{Body: body}, nil
}

// skillsDialog serves get_skills_dialog.
func (s sessions) skillsDialog(context.Context, object.Object) (control.Reply, error) {
	list := []any{}
	for _, x := range s.Ext.Skills() {
		text := strings.TrimSuffix(x.Description, " (project)")
		list = append(list, object.Of("name", x.Name, "display_name", x.Name, "description", text, "source", "project",
			"tokens", (len(x.Name)+len(text))/3, "state", "on", "advertised", true, "handles", object.Object{}))
	}
	return control.Reply{Body: object.Of("skills", list)}, nil
}

// status serves get_status.
func (s sessions) status(context.Context, object.Object) (control.Reply, error) {
	body := s.templateBody("get_status")
	model := s.Chosen.Get()
	values := map[string]string{"Session ID": s.Out.ID(), "Model": model, "Anthropic base URL": s.Place.Get("ANTHROPIC_BASE_URL")}
	after := map[string]object.Object{} // rows that are there only for some sessions, by that before them
	if title := s.Transcript.Title(); title != "" {
		after["Version"] = object.Of("label", "Session name", "value", title)
	}
	if from := s.settingSources(); from != "" {
		after["Model"] = object.Of("label", "Setting sources", "value", from)
	}
	sections := []any{}
	for _, v := range body.List("sections") {
		section, rows := v.(object.Object), []any{}
		for _, v := range section.List("rows") {
			row := v.(object.Object)
			if value := values[row.Text("label")]; value != "" {
				row.Set("value", value)
			}
			rows = append(rows, row)
			if more := after[row.Text("label")]; more != nil {
				rows = append(rows, more)
			}
		}
		sections = append(sections, section.With("rows", rows))
	}
	return control.Reply{Body: body.With("sections", sections)}, nil
}

// sourceNames are the sources of settings as people are told them.
var sourceNames = map[string]string{"userSettings": "User settings", "projectSettings": "Shared project settings", "localSettings": "Project local settings",
	"flagSettings": "Command line arguments"}

// settingSources names the sources that have settings.
func (s sessions) settingSources() string {
	var names []string
	for _, v := range s.Settings.Sources() {
		if name := sourceNames[v.(object.Object).Text("source")]; name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// workspaceDiff serves get_workspace_diff: what git says of the working directory.
func (s sessions) workspaceDiff(ctx context.Context, _ object.Object) (control.Reply, error) {
	text, code, err := diff(ctx, s.Fence, s.Place.Dir())
	switch {
	case errors.Is(err, fence.ErrNone):
		return control.Reply{}, &control.Error{Text: "get_workspace_diff: " + err.Error() + ". A script with \"tools_anywhere\": true lets git run."}
	case err != nil || code != 0:
		return control.Reply{Body: object.Of("diff", nil, "noDiffReason", "no-repository")}, nil
	}
	return control.Reply{Body: object.Of("diff", parseDiff(text).With("rootId", s.rootID()))}, nil
}

package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/template"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

func init() {
	controls["rename_session"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		title, ok := r.Get("title").(string)
		if !ok {
			return reply{}, &controlError{text: "rename_session: title must be a string"}
		}
		s.rename(title)
		return reply{}, nil
	}}
	controls["cancel_async_message"] = control{serve: func(s *Session, _ context.Context, r object.Object) (reply, error) {
		gone := s.queue.Cancel([]string{r.Text("message_uuid")})
		return reply{body: object.Of("cancelled", len(gone) > 0), then: func() {
			for _, id := range gone {
				s.queue.Tell(id, "cancelled")
			}
		}}, nil
	}}
	controls["side_question"] = control{slow: true, serve: (*Session).sideQuestion, progress: true}
	controls["generate_session_title"] = control{slow: true, serve: (*Session).generateTitle}
	controls["export_conversation"] = control{serve: (*Session).export}
	controls["get_session_cost"] = control{serve: (*Session).sessionCost}
	controls["get_usage"] = control{serve: (*Session).usageReport}
	controls["get_context_usage"] = control{slow: true, serve: (*Session).contextUsage}
	controls["get_skills_dialog"] = control{serve: (*Session).skillsDialog}
	controls["reload_skills"] = control{serve: func(s *Session, _ context.Context, _ object.Object) (reply, error) {
		list := slices.DeleteFunc(template.List("commands"), func(v any) bool { return v.(object.Object).Text("name") == "deep-research" })
		return reply{body: object.Of("skills", append(s.skillList(), append([]any{object.Of("name", "dataviz", "description", "[prose]", "argumentHint", "", "builtin", true)}, list...)...))}, nil
	}}
	controls["reload_plugins"] = control{serve: func(s *Session, _ context.Context, _ object.Object) (reply, error) {
		return reply{body: object.Of("commands", s.commands(), "agents", s.ext.AgentList(), "plugins", template.List("init.plugins"), "mcpServers", []any{}, "error_count", 0)}, nil
	}}
	controls["get_workspace_diff"] = control{slow: true, serve: (*Session).workspaceDiff}
	controls["get_status"] = control{serve: (*Session).status}
	controls["rewind_conversation"] = control{serve: (*Session).rewindConversation}
}

// told returns the conversation as the model is asked, if no turn is played.
func (s *Session) told() *fakeapi.Ask {
	q := &fakeapi.Ask{Model: s.model.Get(), Tools: 1}
	s.stage.Between(func() { q = s.stage.Main.Ask(q.Model) })
	return q
}

// rewindConversation serves rewind_conversation.
func (s *Session) rewindConversation(_ context.Context, r object.Object) (reply, error) {
	target := r.Text("target_message_uuid")
	var text, before string
	var found bool
	refused := func(text, reason string) (reply, error) {
		return reply{body: object.Of("rewound", false, "prefillText", nil, "precedingAssistantUuid", nil, "error", text, "reason", reason)}, nil
	}
	switch {
	case !s.stage.Between(func() { text, before, found = s.stage.Main.Talk.Rewind(target) }):
		return refused("a turn is running", "busy")
	case !found:
		return refused("target not found", "target_not_found")
	}
	return reply{body: object.Of("rewound", true, "targetMessageUuid", target, "prefillText", text, "precedingAssistantUuid", object.If(before != "", before))}, nil
}

// sideQuestion serves side_question: the model is asked beside the conversation.
func (s *Session) sideQuestion(ctx context.Context, r object.Object) (reply, error) {
	q := s.told()
	for _, v := range r.List("history") {
		o, _ := v.(object.Object)
		q.System += "\n" + o.Text("question") + "\n" + o.Text("response")
	}
	q.Messages = append(q.Messages, fakeapi.AskMessage{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: r.Text("question")}}})
	whole, err := s.Model.Ask(q).Whole(ctx)
	switch {
	case context.Cause(ctx) == errCancelled:
		return reply{}, &controlError{text: "Side question cancelled"}
	case err != nil:
		return reply{}, err
	}
	s.spent.Spend(q.Model, ledger.Read(whole.Object("usage")))
	return reply{body: object.Of("response", conversation.Text(whole.List("content")), "synthetic", false)}, nil
}

// generateTitle serves generate_session_title.
func (s *Session) generateTitle(ctx context.Context, r object.Object) (reply, error) {
	model := s.model.Get()
	q := &fakeapi.Ask{Model: model, Messages: []fakeapi.AskMessage{{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: r.Text("description")}}}}}
	whole, err := s.Model.Ask(q).Whole(ctx)
	if err != nil {
		return reply{}, err
	}
	text := conversation.Text(whole.List("content"))
	var made struct{ Title string }
	if json.Unmarshal([]byte(text), &made) != nil || made.Title == "" {
		made.Title = text
	}
	if r.Bool("persist") {
		s.rename(made.Title)
	}
	return reply{body: object.Of("title", made.Title)}, nil
}

// export serves export_conversation: the texts of the conversation, as a terminal shows them.
func (s *Session) export(context.Context, object.Object) (reply, error) {
	var b strings.Builder
	first := ""
	between := s.stage.Between(func() {
		s.stage.Main.Talk.Texts(func(role, text string) {
			mark := "❯ "
			if role == "assistant" {
				mark = "● "
			}
			fmt.Fprintf(&b, "\n%s%s\n", mark, text)
			if first == "" {
				first = text
			}
		})
	})
	if !between {
		return reply{}, &controlError{text: "export_conversation: a turn is running"}
	}
	slug := strings.Trim(workspace.Flat(strings.ToLower(first)), "-")
	name := time.Now().Format("2006-01-02-150405") + "-" + slug[:min(len(slug), 40)] + ".txt"
	return reply{body: object.Of("text", strings.TrimSuffix(b.String(), "\n"), "default_filename", name)}, nil
}

// sessionCost serves get_session_cost.
func (s *Session) sessionCost(context.Context, object.Object) (reply, error) {
	var b strings.Builder
	row := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-40s %s\n", label, fmt.Sprintf(format, args...))
	}
	row("Total cost:", "$%.4f", s.spent.Cost())
	row("Total time (API):", "%.1f s", time.Since(s.start).Seconds())
	row("Total time (wall):", "%.1f s", time.Since(s.start).Seconds())
	row("Lines of code added by tools:", "%d", 0)
	row("Lines of code removed by tools:", "%d", 0)
	s.spent.Each(func(model string, u ledger.Usage) {
		row(model+":", "%d tokens read, %d tokens written, %d read from the cache, $%.4f", u.Input, u.Output, u.CacheRead, u.Cost())
	})
	return reply{body: object.Of("text", b.String())}, nil
}

// usageReport serves get_usage.
func (s *Session) usageReport(context.Context, object.Object) (reply, error) {
	body := s.templateBody("get_usage")
	spent := body.Object("session").With("total_cost_usd", s.spent.Cost(), "total_duration_ms", time.Since(s.start).Milliseconds(), "model_usage", s.spent.ByModel())
	return reply{body: body.With("session", spent)}, nil
}

// contextUsage serves get_context_usage.
func (s *Session) contextUsage(context.Context, object.Object) (reply, error) {
	body := s.templateBody("get_context_usage")
	return reply{body: body.With("model", s.model.Get())}, nil
}

// skillsDialog serves get_skills_dialog.
func (s *Session) skillsDialog(context.Context, object.Object) (reply, error) {
	list := []any{}
	for _, x := range s.ext.Skills() {
		text := strings.TrimSuffix(x.Description, " (project)")
		list = append(list, object.Of("name", x.Name, "display_name", x.Name, "description", text, "source", "project",
			"tokens", (len(x.Name)+len(text))/3, "state", "on", "advertised", true, "handles", object.Object{}))
	}
	return reply{body: object.Of("skills", list)}, nil
}

// skillList are the project's skills, read again.
func (s *Session) skillList() []any {
	s.ext.Load()
	list := []any{}
	for _, x := range s.ext.Skills() {
		list = append(list, object.Of("name", x.Name, "description", x.Description, "argumentHint", x.Hint))
	}
	return list
}

// status serves get_status.
func (s *Session) status(context.Context, object.Object) (reply, error) {
	body := s.templateBody("get_status")
	model := s.model.Get()
	values := map[string]string{"Session ID": s.out.ID(), "Model": model, "Anthropic base URL": s.place.Get("ANTHROPIC_BASE_URL")}
	for _, section := range body.List("sections") {
		for _, row := range section.(object.Object).List("rows") {
			row := row.(object.Object)
			if value := values[row.Text("label")]; value != "" {
				row.Set("value", value)
			}
		}
	}
	return reply{body: body}, nil
}

// workspaceDiff serves get_workspace_diff: what git says of the working directory.
func (s *Session) workspaceDiff(ctx context.Context, _ object.Object) (reply, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = s.place.Dir(), append(slices.Clone(s.place.Environ()), "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		return string(out), err
	}
	if _, err := git("rev-parse", "--git-dir"); err != nil {
		return reply{body: object.Of("diff", nil, "noDiffReason", "no-repository")}, nil
	}
	text, err := git("-c", "core.fsmonitor=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD")
	if err != nil {
		return reply{body: object.Of("diff", nil, "noDiffReason", "no-repository")}, nil
	}
	return reply{body: object.Of("diff", parseDiff(text))}, nil
}

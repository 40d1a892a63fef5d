package turn

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// attach keeps what the model is told beside the messages of a turn.
func (t *Turn) attach() {
	s := t.stage
	list := s.modes()
	if s.Host.Proactivity() && !s.told.proactive {
		s.told.proactive = true
		list = append(list, transcript.Reminder("The user wants a medium of initiative of the model in this session.", "proactivity", "status", "active", "level", "default",
			"tools", object.Of("askUserQuestion", true, "enterPlanMode", true, "scheduleWakeup", true, "cronCreate", true)))
	}
	for _, p := range t.prompts {
		list = append(list, t.mentioned(p)...)
	}
	list = append(append(list, t.beside...), s.reminders(s.Main)...)
	for _, p := range t.prompts {
		for i, kind := range p.Images() {
			list = append(list, transcript.Aside(fmt.Sprintf("[Image: source: %s/%d.%s]", s.Tasks.Folder("images"), i+1, kind)))
		}
	}
	for _, text := range t.contexts {
		list = append(list, transcript.Reminder("UserPromptSubmit hook additional context: "+text, "hook_additional_context",
			"content", []any{text}, "hookName", "UserPromptSubmit", "toolUseID", "hook-"+t.id, "hookEvent", "UserPromptSubmit"))
	}
	s.Transcript.Main().Introduce(func() *transcript.About { return s.About(s.Main) }, list...)
}

// attachMore keeps what an agent's model is told beside the results of tools.
func (t *Turn) attachMore(a *Agent, m *answer) {
	s := t.stage
	th := s.Transcript.Agent(a.ID)
	th.Sent()
	if a.ID != "" {
		return
	}
	var list []transcript.Attachment
	if found := s.Tools.Found(); len(found) > 0 {
		entries := []any{}
		for _, name := range found {
			entries = append(entries, object.Of("name", name, "description", "", "input_schema", object.Of("type", "object"), "defer_loading", true))
		}
		list = append(list, transcript.Note("deferred_tools_record", "entries", entries))
	}
	list = append(list, a.found...)
	a.found = nil
	list = append(list, s.reprove(m)...)
	th.Attach(append(list, s.reminders(a)...)...)
}

// After so many requests the model is reminded of the user, or of its list of tasks.
const (
	silentFor    = 5
	untrackedFor = 14
)

// reprove reminds a model that has used tools for long without a word, or that has not looked at
// its list of tasks.
func (s *Stage) reprove(m *answer) (list []transcript.Attachment) {
	s.told.silent++
	s.told.untracked++
	for _, v := range m.content {
		switch b, _ := v.(object.Object); {
		case b.Text("type") == "text":
			s.told.silent = 0
		case b.Text("name") == "TaskCreate", b.Text("name") == "TaskUpdate":
			s.told.untracked = 0
		}
	}
	if todo := s.Tools.Todo(); s.told.untracked == untrackedFor && len(todo) > 0 {
		list = append(list, transcript.Reminder("The list of tasks was not used for some time. It can be kept up to date with TaskCreate and TaskUpdate.\n\n"+object.Text(todo), "task_reminder",
			"content", todo, "itemCount", len(todo)))
	}
	if s.told.silent == silentFor && !models.Counts(s.ModelOf(s.Main)) {
		const text = "Nothing was said to the user for some time."
		list = append(list, transcript.Reminder(text, "silent_turn_reminder", "text", text))
	}
	return list
}

// left is what the model is told again after a compaction: files that it has read or written, the
// subagents in the background, and the skills that were used.
func (s *Stage) left(c *compaction) (list []transcript.Attachment) {
	for _, path := range c.files {
		name, inside := s.Place.Inside(path)
		if !inside {
			continue
		}
		text, err := s.Tools.Contents(path)
		if err != nil {
			continue // it is gone, or something else
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		shown := make([]string, len(lines))
		for i, line := range lines {
			shown[i] = strconv.Itoa(i+1) + "\t" + line
		}
		list = append(list, transcript.Attachment{
			What: object.Of("type", "file", "filename", path, "content", object.Of("type", "text", "file", object.Of("filePath", path, "content", string(text),
				"numLines", len(lines), "startLine", 1, "totalLines", len(lines))), "displayPath", name, "savedCopyFraming", object.Of("enveloped", false)),
			Rendered: []string{"Called the Read tool with the following input: " + object.Text(object.Of("file_path", path)), "Result of calling the Read tool:\n" + strings.Join(shown, "\n")},
			Role:     "user",
		})
	}
	s.Tasks.Agents(func(k *tasks.Task, status string) {
		file := s.Tasks.File(k)
		list = append(list, transcript.Reminder(fmt.Sprintf("The task %s (%s, %s) is %s. What came of it is in %s.", k.ID, k.Kind, k.Description, status, file), "task_status",
			"taskId", k.ID, "taskType", k.Kind, "description", k.Description, "status", status, "deltaSummary", nil, "outputFilePath", file, "canContinueAgent", true))
	})
	return append(list, s.Transcript.Skills()...)
}

// modes tells the model that it is in the mode auto, or no longer.
func (s *Stage) modes() (list []transcript.Attachment) {
	switch auto := s.Policy.Mode() == "auto"; {
	case auto && !s.told.auto:
		list = append(list, transcript.Reminder("The mode auto is on: much can be done with the tool Bash.", "auto_mode", "autoModeConsentFlow", false, "finishExposedWork", false,
			"bashFirst", true, "bashFirstSteer", "relaxed", "steerOnly", true, "bypass", false))
		s.told.auto = true
	case !auto && s.told.auto:
		list = append(list, transcript.Reminder("The mode auto is off: files are read and changed with the tools for that.", "auto_mode_exit",
			"bashFirst", true, "steerOnly", true, "finishExposedWork", false))
		s.told.auto = false
	}
	return list
}

// told is what the model was told of the session in its course.
type told struct {
	auto      bool // the mode auto is on
	proactive bool
	silent    int // requests in a row in which it has used tools without a word
	untracked int // requests since it has used its list of tasks
}

// reminders are what a model is told of what is left for it, whenever it is asked.
func (s *Stage) reminders(a *Agent) (list []transcript.Attachment) {
	if limit, err := strconv.ParseFloat(s.Flags.Value("max-budget-usd"), 64); err == nil {
		used := s.Spent.Cost()
		dollars := func(d float64) string { return "$" + object.Text(d) }
		list = append(list, transcript.Reminder(fmt.Sprintf("USD budget: %s/%s; %s remaining", dollars(used), dollars(limit), dollars(limit-used)), "budget_usd",
			"used", used, "total", limit, "remaining", limit-used))
	}
	if model := s.ModelOf(a); models.Counts(model) {
		text := fmt.Sprintf("<total_tokens>%d tokens left</total_tokens>", allTokens-a.Last.All())
		list = append(list, transcript.Reminder(text, "total_tokens_reminder", "text", text))
	}
	return list
}

// allTokens is how many tokens a session may use.
const allTokens = 15_000_000

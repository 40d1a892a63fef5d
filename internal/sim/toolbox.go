package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// toolbox are the tools that act on the session itself.
var toolbox map[string]func(*Session, context.Context, *toolUse) toolResult

func init() {
	toolbox = map[string]func(*Session, context.Context, *toolUse) toolResult{
		"ToolSearch": (*Session).searchTools, "ListAgents": (*Session).listAgents, "WebSearch": (*Session).searchWeb,
		"WebFetch": (*Session).fetchPage, "EnterPlanMode": (*Session).enterPlan, "ExitPlanMode": (*Session).exitPlan,
		"TaskCreate": (*Session).createTodo, "TaskUpdate": (*Session).updateTodo,
		"TaskStop": (*Session).killTask, "KillShell": (*Session).killTask, "KillBash": (*Session).killTask,
	}
}

// lastID is the result of a tool whose block has its id at the end.
func lastID(u *toolUse, content, result any) toolResult {
	return toolResult{block: object.Of("type", "tool_result", "content", content, "tool_use_id", u.id), result: result}
}

// secondID is the result of a tool whose block has its id after the type.
func secondID(u *toolUse, content, result any) toolResult {
	return toolResult{block: object.Of("type", "tool_result", "tool_use_id", u.id, "content", content), result: result}
}

// deferredTools is how many tools the model has to search for.
const deferredTools = 13

func (s *Session) searchTools(_ context.Context, u *toolUse) toolResult {
	query := u.input.Text("query")
	matches, blocks := []any{}, []any{}
	names, selected := strings.CutPrefix(query, "select:")
	for _, name := range s.toolNames() {
		for _, word := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
			if name == word || !selected && strings.Contains(strings.ToLower(name), strings.ToLower(word)) {
				matches = append(matches, name)
				blocks = append(blocks, object.Of("type", "tool_reference", "tool_name", name))
				break
			}
		}
	}
	return secondID(u, blocks, object.Of("matches", matches, "query", query, "total_deferred_tools", deferredTools))
}

func (s *Session) listAgents(_ context.Context, u *toolUse) toolResult {
	text := "No other agents work in this session.\n\nAn agent is listed here while it works in the background, with the id under which a message reaches it, " +
		"its kind, and what it was asked to do. Agents in other sessions on this machine are listed too, as far as they let themselves be found. " +
		"Nothing has to be done about an agent that is listed: it says by itself when it has ended, and what came of it."
	return okResult(u, text, object.Of("listing", text, "sections", []any{}, "notes", []any{}))
}

func (s *Session) searchWeb(ctx context.Context, u *toolUse) toolResult {
	query := u.input.Text("query")
	model := s.modelOf(s.main)
	answer := s.Model.Ask(&fakeapi.Ask{Model: model, Messages: []fakeapi.AskMessage{
		{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: "Perform a web search for the query: " + query}}}}})
	m, err := answer.Whole(ctx)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	used := ledger.Read(answer.Usage())
	s.spent.Spend(model, used)
	text := conversation.Text(m.List("content"))
	return okResult(u, fmt.Sprintf("Web search results for query: %q\n\n%s\n\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.", query, text),
		object.Of("query", query, "results", []any{text}, "durationSeconds", 0.01, "searchCount", 0))
}

func (s *Session) fetchPage(_ context.Context, u *toolUse) toolResult {
	text := "The simulated CLI has no network: " + u.input.Text("url") + " was not fetched. A script can have a result for WebFetch."
	return badResult(u, text, "Error: "+text)
}

func (s *Session) enterPlan(_ context.Context, u *toolUse) toolResult {
	s.policy.EnterPlan()
	s.gate.TellMode("plan")
	text := "Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach."
	return lastID(u, text+"\n\nNothing is changed in this mode. Read what there is to read, think about how the work can be done and what speaks for each way, "+
		"and ask the user where the answer is theirs to give. When the plan is complete, leave the mode with ExitPlanMode, which shows it to the user: "+
		"they agree to it, or say what is to be different.", object.Of("message", text))
}

func (s *Session) exitPlan(_ context.Context, u *toolUse) toolResult {
	s.mu.Lock()
	path := s.planPath
	if path == "" {
		path = filepath.Join(s.place.ConfigDir(), "plans", "quiet-sim-"+ids.Hex(4)+".md")
		s.planPath = path
	}
	s.mu.Unlock()
	s.gate.TellMode(s.policy.LeavePlan())
	plan, ok := u.input.Get("plan").(string)
	if !ok || !u.changed {
		return lastID(u, "User has approved exiting plan mode. You can now proceed.", object.Of("plan", nil, "isAgent", u.agent.id != "", "filePath", path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		err = os.WriteFile(path, []byte(plan), 0o600)
		if err != nil {
			return badResult(u, err.Error(), "Error: "+err.Error())
		}
	}
	return lastID(u, fmt.Sprintf("User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n"+
		"Your plan has been saved to: %s\nYou can refer back to it if needed during implementation.\n\n## Approved Plan (edited by user):\n%s", path, plan),
		object.Of("plan", plan, "isAgent", u.agent.id != "", "filePath", path, "planWasEdited", true))
}

func (s *Session) createTodo(ctx context.Context, u *toolUse) toolResult {
	r := s.tools.Run(ctx, u.name, u.input)
	use, _ := r.Use.(object.Object)
	id := use.Object("task").Text("id")
	if no := s.todoHook(ctx, u, "TaskCreated", id); no != nil {
		s.tools.Run(ctx, "TaskUpdate", object.Of("taskId", id, "status", "deleted"))
		return *no
	}
	return toolResult{block: r.Block(u.id), result: r.Use}
}

func (s *Session) updateTodo(ctx context.Context, u *toolUse) toolResult {
	if u.input.Text("status") == "completed" {
		if no := s.todoHook(ctx, u, "TaskCompleted", u.input.Text("taskId")); no != nil {
			return *no
		}
	}
	r := s.tools.Run(ctx, u.name, u.input)
	return toolResult{block: r.Block(u.id), result: r.Use}
}

// todoHook calls the hooks of a change of the model's list. It returns a result if they forbid it.
func (s *Session) todoHook(ctx context.Context, u *toolUse, event, id string) *toolResult {
	subject, description, ok := s.tools.Todo(id)
	if !ok {
		return nil
	}
	v := s.hooks.Call(ctx, event, u.turn.when(u.agent, ""), "task_id", id, "task_subject", subject, "task_description", description)
	if v.Decision != "deny" {
		return nil
	}
	text := event + " hook feedback:\n" + v.Reason
	r := badResult(u, text, "Error: "+text)
	return &r
}

func (s *Session) killTask(_ context.Context, u *toolUse) toolResult {
	k := s.tasks.Find(taskID(u.input))
	s.tasks.Stop(k)
	result := object.Of("message", fmt.Sprintf("Successfully stopped task: %s (%s)", k.ID, k.Description), "task_id", k.ID, "task_type", k.Kind,
		"command", object.If(k.Command != "", k.Command))
	return okResult(u, object.Text(result), result)
}

// toolNames are the tools that the model can use.
func (s *Session) toolNames() []string {
	names := template.Texts("init.tools")
	if s.flags.Has("tools") {
		chosen := s.flags.Rules("tools")
		if len(chosen) != 1 || chosen[0] != "default" {
			names = chosen
		}
	}
	names = s.servers.Names(names)
	if s.structured() {
		names = append(names, "StructuredOutput")
	}
	kept := []string{}
	for _, name := range names {
		if !s.policy.Disabled(name) && (name != "AskUserQuestion" || s.flags.Value("permission-prompt-tool") == "stdio") {
			kept = append(kept, name)
		}
	}
	return kept
}

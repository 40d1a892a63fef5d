package tooluse

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
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// toolbox are the tools that act on the session itself.
var toolbox map[string]func(*Box, context.Context, *turn.Use) turn.Result

func init() {
	toolbox = map[string]func(*Box, context.Context, *turn.Use) turn.Result{
		"ToolSearch": (*Box).searchTools, "ListAgents": (*Box).listAgents, "WebSearch": (*Box).searchWeb,
		"WebFetch": (*Box).fetchPage, "EnterPlanMode": (*Box).enterPlan, "ExitPlanMode": (*Box).exitPlan,
		"TaskCreate": (*Box).createTodo, "TaskUpdate": (*Box).updateTodo,
		"TaskStop": (*Box).killTask, "KillShell": (*Box).killTask, "KillBash": (*Box).killTask,
	}
}

// lastID is the result of a tool whose block has its id at the end.
func lastID(u *turn.Use, content, result any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "content", content, "tool_use_id", u.ID), Detail: result}
}

// secondID is the result of a tool whose block has its id after the type.
func secondID(u *turn.Use, content, result any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "tool_use_id", u.ID, "content", content), Detail: result}
}

// deferredTools is how many tools the model has to search for.
const deferredTools = 13

func (b *Box) searchTools(_ context.Context, u *turn.Use) turn.Result {
	query := u.Input.Text("query")
	matches, blocks := []any{}, []any{}
	names, selected := strings.CutPrefix(query, "select:")
	for _, name := range b.Names() {
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

func (b *Box) listAgents(_ context.Context, u *turn.Use) turn.Result {
	text := "No other agents work in this session.\n\nAn agent is listed here while it works in the background, with the id under which a message reaches it, " +
		"its kind, and what it was asked to do. Agents in other sessions on this machine are listed too, as far as they let themselves be found. " +
		"Nothing has to be done about an agent that is listed: it says by itself when it has ended, and what came of it."
	return okResult(u, text, object.Of("listing", text, "sections", []any{}, "notes", []any{}))
}

func (b *Box) searchWeb(ctx context.Context, u *turn.Use) turn.Result {
	query := u.Input.Text("query")
	model := b.Stage.ModelOf(b.Stage.Main)
	answer := b.Model.Ask(&fakeapi.Ask{Model: model, Messages: []fakeapi.AskMessage{
		{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: "Perform a web search for the query: " + query}}}}})
	m, err := answer.Whole(ctx)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	used := ledger.Read(answer.Usage())
	b.Spent.Spend(model, used)
	text := conversation.Text(m.List("content"))
	return okResult(u, fmt.Sprintf("Web search results for query: %q\n\n%s\n\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.", query, text),
		object.Of("query", query, "results", []any{text}, "durationSeconds", 0.01, "searchCount", 0))
}

func (b *Box) fetchPage(_ context.Context, u *turn.Use) turn.Result {
	text := "The simulated CLI has no network: " + u.Input.Text("url") + " was not fetched. A script can have a result for WebFetch."
	return badResult(u, text, "Error: "+text)
}

func (b *Box) enterPlan(_ context.Context, u *turn.Use) turn.Result {
	b.Policy.EnterPlan()
	b.Gate.TellMode("plan")
	text := "Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach."
	return lastID(u, text+"\n\nNothing is changed in this mode. Read what there is to read, think about how the work can be done and what speaks for each way, "+
		"and ask the user where the answer is theirs to give. When the plan is complete, leave the mode with ExitPlanMode, which shows it to the user: "+
		"they agree to it, or say what is to be different.", object.Of("message", text))
}

func (b *Box) exitPlan(_ context.Context, u *turn.Use) turn.Result {
	b.mu.Lock()
	path := b.plan
	if path == "" {
		path = filepath.Join(b.Place.ConfigDir(), "plans", "quiet-sim-"+ids.Hex(4)+".md")
		b.plan = path
	}
	b.mu.Unlock()
	b.Gate.TellMode(b.Policy.LeavePlan())
	plan, ok := u.Input.Get("plan").(string)
	if !ok || !u.Changed {
		return lastID(u, "User has approved exiting plan mode. You can now proceed.", object.Of("plan", nil, "isAgent", u.Agent.ID != "", "filePath", path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		err = os.WriteFile(path, []byte(plan), 0o600)
		if err != nil {
			return badResult(u, err.Error(), "Error: "+err.Error())
		}
	}
	return lastID(u, fmt.Sprintf("User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n"+
		"Your plan has been saved to: %s\nYou can refer back to it if needed during implementation.\n\n## Approved Plan (edited by user):\n%s", path, plan),
		object.Of("plan", plan, "isAgent", u.Agent.ID != "", "filePath", path, "planWasEdited", true))
}

func (b *Box) createTodo(ctx context.Context, u *turn.Use) turn.Result {
	r := b.Tools.Run(ctx, u.Name, u.Input)
	use, _ := r.Use.(object.Object)
	id := use.Object("task").Text("id")
	if no := b.todoHook(ctx, u, "TaskCreated", id); no != nil {
		b.Tools.Run(ctx, "TaskUpdate", object.Of("taskId", id, "status", "deleted"))
		return *no
	}
	return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
}

func (b *Box) updateTodo(ctx context.Context, u *turn.Use) turn.Result {
	if u.Input.Text("status") == "completed" {
		if no := b.todoHook(ctx, u, "TaskCompleted", u.Input.Text("taskId")); no != nil {
			return *no
		}
	}
	r := b.Tools.Run(ctx, u.Name, u.Input)
	return turn.Result{Block: r.Block(u.ID), Detail: r.Use}
}

// todoHook calls the hooks of a change of the model's list. It returns a result if they forbid it.
func (b *Box) todoHook(ctx context.Context, u *turn.Use, event, id string) *turn.Result {
	subject, description, ok := b.Tools.Todo(id)
	if !ok {
		return nil
	}
	v := b.Hooks.Call(ctx, event, u.Turn.When(u.Agent, ""), "task_id", id, "task_subject", subject, "task_description", description)
	if v.Decision != "deny" {
		return nil
	}
	text := event + " hook feedback:\n" + v.Reason
	r := badResult(u, text, "Error: "+text)
	return &r
}

func (b *Box) killTask(_ context.Context, u *turn.Use) turn.Result {
	k := b.Tasks.Find(taskID(u.Input))
	b.Tasks.Stop(k)
	result := object.Of("message", fmt.Sprintf("Successfully stopped task: %s (%s)", k.ID, k.Description), "task_id", k.ID, "task_type", k.Kind,
		"command", object.If(k.Command != "", k.Command))
	return okResult(u, object.Text(result), result)
}

// Names are the tools that the model can use.
func (b *Box) Names() []string {
	names := template.Texts("init.tools")
	if b.Flags.Has("tools") {
		chosen := b.Flags.Rules("tools")
		if len(chosen) != 1 || chosen[0] != "default" {
			names = chosen
		}
	}
	names = b.Servers.Names(names)
	if b.Structured() {
		names = append(names, "StructuredOutput")
	}
	kept := []string{}
	for _, name := range names {
		if !b.Policy.Disabled(name) && (name != "AskUserQuestion" || b.Flags.Value("permission-prompt-tool") == "stdio") {
			kept = append(kept, name)
		}
	}
	return kept
}

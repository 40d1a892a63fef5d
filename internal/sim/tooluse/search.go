package tooluse

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// searchTools runs the tool ToolSearch: it finds tools by their names, or those whose schema the
// model does not know by words.
func (b *Box) searchTools(_ context.Context, u *turn.Use) turn.Result {
	query := u.Input.Text("query")
	deferred := b.deferred()
	limit := 5
	if n, ok := u.Input.Number("max_results"); ok {
		limit = int(max(n, 0))
	}
	var found []string
	if names, ok := strings.CutPrefix(query, "select:"); ok {
		for _, name := range strings.Split(names, ",") {
			if name = strings.TrimSpace(name); b.hasTool(name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	} else {
		found = match(deferred, strings.Fields(strings.ToLower(query)))
	}
	found = found[:min(limit, len(found))]
	matches, blocks := []any{}, []any{}
	b.mu.Lock()
	if b.found == nil {
		b.found = map[string]bool{}
	}
	for _, name := range found {
		matches = append(matches, name)
		blocks = append(blocks, object.Of("type", "tool_reference", "tool_name", name))
		if !b.found[name] {
			b.fresh = append(b.fresh, name)
		}
		b.found[name] = true
	}
	b.mu.Unlock()
	for _, name := range found {
		b.Servers.Explain(name)
	}
	var content any = blocks
	if len(blocks) == 0 {
		content = "No matching deferred tools found"
	}
	return secondID(u, content, object.Of("matches", matches, "query", query, "total_deferred_tools", len(deferred)))
}

// Found returns the tools that the model has searched for since it was last called.
func (b *Box) Found() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := b.fresh
	b.fresh = nil
	return found
}

// Searched are the tools that the model has searched for.
func (b *Box) Searched() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.found))
}

// deferred are the tools of the session whose schema the model has to search for.
func (b *Box) deferred() (list []string) {
	names := b.Names()
	for _, name := range names {
		if strings.HasPrefix(name, "mcp__") {
			list = append(list, name)
		}
	}
	for _, name := range tools.Deferred() {
		if slices.Contains(names, name) || !b.Flags.Has("tools") && !b.Policy.Disabled(name) {
			list = append(list, name)
		}
	}
	return list
}

// Todo is the list of the model's tasks.
func (b *Box) Todo() []any {
	if b.Tools == nil {
		return nil
	}
	return b.Tools.Todos()
}

// Contents returns what is in a file that tools may read.
func (b *Box) Contents(path string) ([]byte, error) {
	if b.Tools == nil {
		return nil, fs.ErrNotExist
	}
	return b.Tools.Contents(path)
}

// Read reads a file as the tool does, if no rule keeps it from being read.
func (b *Box) Read(ctx context.Context, in object.Object) (use object.Object, text string, ok bool) {
	if b.Tools == nil || !b.readable(in.Text("file_path")) || b.Tools.Check("Read", in) != nil {
		return nil, "", false
	}
	r := b.Tools.Run(ctx, "Read", in)
	use, isObject := r.Use.(object.Object)
	text, isText := r.Content.(string)
	return use, text, isObject && isText && !r.Failed
}

// Listing is the names in a folder, if no rule keeps it from being read.
func (b *Box) Listing(path string) ([]string, bool) {
	if b.Tools == nil || !b.readable(path) {
		return nil, false
	}
	return b.Tools.Listing(path)
}

// readable reports whether no rule keeps a file from being read. That the tool Read is not there
// does not.
func (b *Box) readable(path string) bool {
	d := b.Policy.Decide(permission.Request{Tool: "Read", Input: object.Of("file_path", path)})
	return d.Behavior == permission.Allow || b.Policy.Disabled("Read")
}

// Split returns the tools that an agent's model knows at once, by their names, and those that it
// has to search for.
func (b *Box) Split(a *turn.Agent) (known, deferred []string) {
	later := b.deferred()
	for _, name := range b.Names() {
		if b.denied(a, name) != "" || a.Background && slices.Contains(foreground, name) {
			continue
		}
		switch {
		case slices.Contains(later, name), slices.Contains([]string{"TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}, name):
			deferred = append(deferred, name)
		case name == "Task":
			known = append(known, "Agent")
		default:
			known = append(known, name)
		}
	}
	slices.Sort(known)
	slices.Sort(deferred)
	return known, deferred
}

// foreground are the tools that a subagent in the background does not have.
var foreground = []string{"CronCreate", "CronDelete", "CronList", "ListAgents", "ReportFindings"}

// match returns the tools in whose names words are found, those with most words first. A word with
// a plus sign must be there; a word that is a whole name finds nothing else.
func match(names, words []string) []string {
	hits := map[string]int{}
	var found []string
	for _, name := range names {
		lower := strings.ToLower(name)
		for _, word := range words {
			plain, must := strings.CutPrefix(word, "+")
			switch {
			case lower == plain:
				return []string{name}
			case strings.Contains(lower, plain):
				hits[name]++
			case must:
				hits[name] -= len(words)
			}
		}
		if hits[name] > 0 {
			found = append(found, name)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return hits[b] - hits[a] })
	return found
}

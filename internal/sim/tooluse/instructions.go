package tooluse

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// instructionsNear looks for instructions in the folders of a file that the model has read, and for
// rules about it.
func (b *Box) instructionsNear(ctx context.Context, u *turn.Use) {
	path, _ := tools.Observed(u.Name, u.Input, b.Place.Cwd()).Get("file_path").(string)
	var folders []string
	for dir := filepath.Dir(path); dir != b.Place.Dir() && strings.HasPrefix(dir, b.Place.Dir()+string(filepath.Separator)); dir = filepath.Dir(dir) {
		folders = append(folders, dir)
	}
	for _, dir := range slices.Backward(folders) {
		file := filepath.Join(dir, "CLAUDE.md")
		data, err := extensions.Read(file)
		if err != nil || !u.Agent.Learn(file) {
			continue
		}
		b.instructionsLoaded(ctx, u, file, string(data), path)
	}
	rel, inside := b.Place.Inside(path)
	for _, r := range b.Ext.Rules() {
		if inside && r.Fits(rel) && u.Agent.Learn(r.Path) {
			patterns := make([]any, len(r.Paths))
			for i, pattern := range r.Paths {
				patterns[i] = pattern
			}
			u.Agent.Remind(r.Path, r.Body, object.Of("path", r.Path, "type", r.Whose, "content", r.Body, "globs", patterns,
				"contentDiffersFromDisk", true, "rawContent", r.Whole, "isRule", true))
		}
	}
}

// instructionsLoaded calls the hooks that see a file with instructions, and tells the model what is
// in it.
func (b *Box) instructionsLoaded(ctx context.Context, u *turn.Use, path, text, trigger string) {
	b.Hooks.Call(ctx, "InstructionsLoaded", u.Turn.When(u.Agent, "nested_traversal"), "file_path", path, "memory_type", "Project",
		"load_reason", "nested_traversal", "trigger_file_path", trigger)
	u.Agent.Remind(path, text, object.Of("path", path, "type", "Project", "content", text, "contentDiffersFromDisk", false))
}

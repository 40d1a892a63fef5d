package tooluse

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// instructionsNear looks for instructions in the folders of a file that the model has read, and for
// rules about it.
func (b *Box) instructionsNear(ctx context.Context, u *turn.Use) {
	path, _ := tools.Observed(u.Name, u.Input, b.Place.Cwd()).Get("file_path").(string)
	for dir := filepath.Dir(path); dir != b.Place.Dir() && strings.HasPrefix(dir, b.Place.Dir()+string(filepath.Separator)); dir = filepath.Dir(dir) {
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
			u.Agent.Talk.Tell("Contents of " + r.Path + ":\n\n" + r.Text)
		}
	}
}

// instructionsLoaded calls the hooks that see a file with instructions, and tells the model what is
// in it.
func (b *Box) instructionsLoaded(ctx context.Context, u *turn.Use, path, text, trigger string) {
	b.Hooks.Call(ctx, "InstructionsLoaded", u.Turn.When(u.Agent, "nested_traversal"), "file_path", path, "memory_type", "Project",
		"load_reason", "nested_traversal", "trigger_file_path", trigger)
	u.Agent.Talk.Tell("Contents of " + path + ":\n\n" + text)
}

package tooluse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

func (b *Box) enterPlan(_ context.Context, u *turn.Use) turn.Result {
	b.Policy.SetMode("plan")
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
	if mode, left := b.Policy.LeavePlan(); left {
		b.Gate.TellMode(mode)
	}
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

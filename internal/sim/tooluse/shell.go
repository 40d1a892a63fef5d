package tooluse

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// shownAfter is how long a command runs before the SDK is told of it.
const shownAfter = 3 * time.Second

// runShell runs the tool Bash, in the background if it is asked to.
func (b *Box) runShell(ctx context.Context, u *turn.Use) turn.Result {
	k := &tasks.Task{ID: ids.Shell(), Run: ids.Run(), Use: u.ID, Kind: "local_bash", Description: u.Input.Text("description"), Command: u.Input.Text("command"),
		Parent: u.Agent.ID}
	if k.Description == "" {
		k.Description = u.Input.Text("command")
	}
	if u.Input.Bool("run_in_background") {
		return b.runBehind(u, k)
	}
	runs, cancel := context.WithCancelCause(b.Life.Context())
	k.Cancel = cancel
	b.Tasks.Add(k, false)
	from := cmp.Or(u.Folder, b.Tools.Now())
	done := make(chan tools.Result, 1)
	var written atomic.Pointer[func() string]
	var late <-chan time.Time
	if tools.GoesOn(u.Input) && !b.Out.Release().Before("2.1.325") {
		b.Life.Go(func() {
			done <- b.Tools.Shell(runs, from, u.Input, func(output func() string) { written.Store(&output) })
		})
		limit := time.NewTimer(tools.Limit(u.Input))
		defer limit.Stop()
		late = limit.C
	} else {
		b.Life.Go(func() { done <- b.Tools.Shell(runs, from, u.Input, nil) })
	}
	timer := time.NewTimer(shownAfter)
	defer timer.Stop()
	for {
		select {
		case r := <-done:
			cancel(nil)
			status := "completed"
			if r.Failed {
				status = "failed"
			}
			b.Tasks.Finish(k, status, "")
			if k.Shown() {
				b.Tasks.Notify(k, status, k.Description, nil)
			}
			b.committed(r)
			result := turn.Result{Block: r.Block(u.ID), Detail: r.Use, After: b.moved(u, from)}
			b.keepShell(&result, r.Output)
			return result
		case <-timer.C:
			b.Tasks.Started(k)
		case <-late:
			b.Tasks.ToBackground(k)
			b.Life.Go(func() { b.shellEnds(k, <-done) })
			return b.late(u, k, written.Load())
		case <-k.Moved():
			b.Life.Go(func() { b.shellEnds(k, <-done) })
			return b.behind(u, k, true)
		case <-ctx.Done():
			cancel(context.Cause(ctx))
			<-done
			u.Turn.AwaitReceipt()
			if b.Tasks.Finish(k, "killed", "") && k.Shown() {
				b.Tasks.Notify(k, "stopped", k.Description, nil)
			}
			return rejected(u)
		}
	}
}

// keepShell keeps everything that a command wrote in a file, if that is more than is shown of it.
func (b *Box) keepShell(r *turn.Result, whole string) {
	use, ok := r.Detail.(object.Object)
	if whole == "" || !ok {
		return
	}
	path := b.keep(ids.Shell()+".txt", whole)
	r.Detail = use.With("persistedOutputPath", path, "persistedOutputSize", len(whole))
	r.Block = r.Block.With("content", persisted(path, len(whole), whole))
}

// shellEnds tells of a command that was moved to the background.
func (b *Box) shellEnds(k *tasks.Task, r tools.Result) {
	k.SetOutput(fmt.Sprint(r.Content))
	code := 0
	if r.Failed {
		code = 1
	}
	b.behindEnds(k, code)
}

// runBehind runs a command that nobody waits for.
func (b *Box) runBehind(u *turn.Use, k *tasks.Task) turn.Result {
	p, err := b.Tools.Background(u.Input)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	k.Cancel = func(error) { p.Kill() }
	b.Tasks.Add(k, true)
	b.Tasks.Started(k)
	b.Life.Go(func() {
		select {
		case <-p.Done():
		case <-b.Life.Context().Done():
			p.Kill()
			<-p.Done()
			return
		}
		k.SetOutput(p.Output() + fmt.Sprintf("\n[exited with code %d]\n", p.Code()))
		b.letGoOn(u)
		b.behindEnds(k, p.Code())
	})
	return b.behind(u, k, false)
}

// letGoOn lets the turn go on that has started a command in the background before the end of the
// command is told: starting a process takes longer than asking the model, as fast as it may end. It
// does not wait if hooks come first, which take their time.
func (b *Box) letGoOn(u *turn.Use) {
	if u.Next() == nil || len(b.Hooks.Match("PostToolUse", u.Name)) > 0 || len(b.Hooks.Match("PostToolBatch", "")) > 0 {
		return
	}
	select {
	case <-u.Next():
	case <-b.Life.Context().Done():
	}
}

// behindEnds tells that a command in the background has ended.
func (b *Box) behindEnds(k *tasks.Task, code int) {
	if b.Life.Over() {
		return
	}
	status, summary := "completed", fmt.Sprintf("Background command %q completed (exit code 0)", k.Description)
	if code != 0 {
		status, summary = "failed", fmt.Sprintf("Background command %q failed with exit code %d", k.Description, code)
	}
	b.Tasks.End(k, status, "", summary, nil)
}

// behind is the result of a command in the background.
func (b *Box) behind(u *turn.Use, k *tasks.Task, byUser bool) turn.Result {
	text := fmt.Sprintf("Command running in background with ID: %s. Output is being written to: %s. You will be notified when it completes. "+
		"To check interim output, use Read on that file path.", k.ID, b.Tasks.File(k))
	if byUser {
		text = fmt.Sprintf("Command was manually backgrounded by user with ID: %s. Output is being written to: %s. You will be notified when it completes. "+
			"To check interim output, use Read on that file path. It goes on as it was, with everything that it has written so far; nothing has to be started again, and nothing waits for it.",
			k.ID, b.Tasks.File(k))
	}
	r := turn.Result{Block: object.Of("tool_use_id", u.ID, "type", "tool_result", "content", text, "is_error", false)}
	r.Detail = object.Of("stdout", "", "stderr", "", "interrupted", false, "isImage", false, "noOutputExpected", false, "backgroundTaskId", k.ID,
		"backgroundedByUser", object.If(byUser, true))
	return r
}

// late is the result of a command that goes on in the background because it takes too long. written
// returns what it has written so far; it is nil if the command does not run yet.
func (b *Box) late(u *turn.Use, k *tasks.Task, written *func() string) turn.Result {
	out := ""
	if written != nil {
		out = tools.Trim((*written)())
	}
	limit := tools.Limit(u.Input)
	text := fmt.Sprintf("The command has not ended within its timeout of %s, and goes on in the background (ID: %s). Output is being written to: %s. "+
		"A note comes when it has ended; after 30m it is stopped. It runs now: a second one is not needed. TaskStop ends it, and Read shows what it has written so far.",
		tools.Span(limit), k.ID, b.Tasks.File(k))
	if out != "" {
		text = out + "\n" + text
	}
	r := turn.Result{Block: object.Of("tool_use_id", u.ID, "type", "tool_result", "content", text, "is_error", false)}
	r.Detail = object.Of("stdout", out, "stderr", "", "interrupted", false, "isImage", false, "noOutputExpected", false, "backgroundTaskId", k.ID,
		"timedOutAfterMs", limit.Milliseconds())
	return r
}

// committed tells that a command has made a commit.
func (b *Box) committed(r tools.Result) {
	use, _ := r.Use.(object.Object)
	if commit := use.Object("gitOperation").Object("commit"); commit != nil {
		b.Out.Tell("type", "system", "subtype", "vcs_state_changed", "kind", "commit", "branch", commit.Get("branch"), "cwd", b.Place.Dir())
	}
}

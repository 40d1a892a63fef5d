package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// shownAfter is how long a command runs before the SDK is told of it.
const shownAfter = 3 * time.Second

// runShell runs the tool Bash, in the background if it is asked to.
func (s *Session) runShell(ctx context.Context, u *toolUse) toolResult {
	k := &tasks.Task{ID: ids.Shell(), Run: ids.Run(), Use: u.id, Kind: "local_bash", Description: u.input.Text("description"), Command: u.input.Text("command")}
	if k.Description == "" {
		k.Description = u.input.Text("command")
	}
	if u.input.Bool("run_in_background") {
		return s.runBehind(u, k)
	}
	runs, cancel := context.WithCancelCause(s.life.Context())
	k.Cancel = cancel
	s.tasks.Add(k, false)
	from := s.tools.Now()
	done := make(chan tools.Result, 1)
	s.life.Go(func() { done <- s.tools.Run(runs, u.name, u.input) })
	timer := time.NewTimer(shownAfter)
	defer timer.Stop()
	for {
		select {
		case r := <-done:
			cancel(nil)
			s.tasks.Finish(k, "completed", "")
			if k.Shown() {
				s.tasks.Notify(k, "completed", k.Description, nil)
			}
			s.committed(r)
			return toolResult{block: r.Block(u.id), result: r.Use, after: s.noteMove(from)}
		case <-timer.C:
			s.tasks.Started(k)
		case <-k.Moved():
			s.life.Go(func() { s.shellEnds(k, <-done) })
			return s.behind(u, k, true)
		case <-ctx.Done():
			cancel(context.Cause(ctx))
			<-done
			u.turn.awaitReceipt()
			if s.tasks.Finish(k, "killed", "") && k.Shown() {
				s.tasks.Notify(k, "stopped", k.Description, nil)
			}
			return rejected(u)
		}
	}
}

// shellEnds tells of a command that was moved to the background.
func (s *Session) shellEnds(k *tasks.Task, r tools.Result) {
	k.SetOutput(fmt.Sprint(r.Content))
	code := 0
	if r.Failed {
		code = 1
	}
	s.behindEnds(k, code)
}

// runBehind runs a command that nobody waits for.
func (s *Session) runBehind(u *toolUse, k *tasks.Task) toolResult {
	p, err := s.tools.Background(u.input)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	k.Cancel = func(error) { p.Kill() }
	s.tasks.Add(k, true)
	s.tasks.Started(k)
	s.life.Go(func() {
		select {
		case <-p.Done():
		case <-s.life.Context().Done():
			p.Kill()
			<-p.Done()
			return
		}
		k.SetOutput(p.Output() + fmt.Sprintf("\n[exited with code %d]\n", p.Code()))
		s.behindEnds(k, p.Code())
	})
	return s.behind(u, k, false)
}

// behindEnds tells that a command in the background has ended.
func (s *Session) behindEnds(k *tasks.Task, code int) {
	if s.life.Over() {
		return
	}
	status, summary := "completed", fmt.Sprintf("Background command %q completed (exit code 0)", k.Description)
	if code != 0 {
		status, summary = "failed", fmt.Sprintf("Background command %q failed with exit code %d", k.Description, code)
	}
	if !s.tasks.Finish(k, status, "") {
		return
	}
	s.tasks.Ended(k, status, summary, nil)
}

// behind is the result of a command in the background.
func (s *Session) behind(u *toolUse, k *tasks.Task, byUser bool) toolResult {
	text := fmt.Sprintf("Command running in background with ID: %s. Output is being written to: %s. You will be notified when it completes. "+
		"To check interim output, use Read on that file path.", k.ID, s.tasks.File(k))
	if byUser {
		text = fmt.Sprintf("Command was manually backgrounded by user with ID: %s. Output is being written to: %s. You will be notified when it completes. "+
			"To check interim output, use Read on that file path. It goes on as it was, with everything that it has written so far; nothing has to be started again, and nothing waits for it.",
			k.ID, s.tasks.File(k))
	}
	r := toolResult{block: object.Of("tool_use_id", u.id, "type", "tool_result", "content", text, "is_error", false)}
	r.result = object.Of("stdout", "", "stderr", "", "interrupted", false, "isImage", false, "noOutputExpected", false, "backgroundTaskId", k.ID,
		"backgroundedByUser", object.If(byUser, true))
	return r
}

// committed tells that a command has made a commit.
func (s *Session) committed(r tools.Result) {
	use, _ := r.Use.(object.Object)
	if commit := use.Object("gitOperation").Object("commit"); commit != nil {
		s.out.Tell("type", "system", "subtype", "vcs_state_changed", "kind", "commit", "branch", commit.Get("branch"), "cwd", s.place.Dir())
	}
}

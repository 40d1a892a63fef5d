package tooluse

import (
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// runMonitor runs the tool Monitor: a command in the background whose lines the model is told.
func (b *Box) runMonitor(u *turn.Use) turn.Result {
	k := &tasks.Task{ID: ids.Shell(), Run: ids.Run(), Use: u.ID, Kind: "local_bash", Description: u.Input.Text("description")}
	p, err := b.Tools.Background(u.Input)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	k.Cancel = func(error) { p.Kill() }
	b.Tasks.Add(k, true)
	b.Tasks.Started(k)
	limit := 24 * time.Hour
	ms, _ := u.Input.Number("timeout_ms")
	persistent := u.Input.Bool("persistent")
	if ms > 0 && !persistent {
		limit = time.Duration(ms) * time.Millisecond
	}
	b.Life.Go(func() {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-p.Done():
		case <-timer.C:
			p.Kill()
			<-p.Done()
		case <-b.Life.Context().Done():
			p.Kill()
			<-p.Done()
			return
		}
		k.SetOutput(p.Output())
		summary := fmt.Sprintf("Monitor %q stream ended", k.Description)
		if p.Output() == "" && p.Code() == 0 && !b.Out.Release().Before("2.1.325") {
			summary = fmt.Sprintf("Monitor %q ended without producing output (exit 0)", k.Description)
		}
		b.letGoOn(u)
		if !b.Life.Over() {
			b.Tasks.End(k, "completed", "", summary, nil)
		}
	})
	text := fmt.Sprintf("The monitor runs in the background as task %s. Each line that its command writes comes into the conversation as a note of its own, and so does its end. "+
		"There is nothing to wait for and nothing to ask: go on with something else, or end the turn. It stops after %d ms, unless it is persistent; TaskStop stops it earlier. "+
		"What it has written so far is in its output file.", k.ID, int(ms))
	return okResult(u, text, object.Of("taskId", k.ID, "timeoutMs", ms, "persistent", persistent))
}

package sim

// TB is what [CLI.Check] needs of a test: a [testing.TB] has it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check fails a test if its sessions have departed from the script: the user said what no turn was
// left for; or no session has used a turn (but for those that answer every request that comes, with
// "times": -1), a tool's result, or a fault. It counts all sessions that have ended so far, those
// of installed programs too, so call it when they are closed:
//
//	defer cli.Check(t)
func (c *CLI) Check(t TB) {
	t.Helper()
	ended := 0
	unused := map[string]int{} // how many sessions have not used it
	var order []string
	for _, e := range c.Log() {
		switch e.Dir {
		case Exit:
			ended++
		case Unmatched:
			t.Errorf("the simulated CLI: %s", e.Line)
		case Unused:
			if unused[e.Line] == 0 {
				order = append(order, e.Line)
			}
			unused[e.Line]++
		}
	}
	if ended == 0 {
		t.Errorf("the simulated CLI: no session has ended")
	}
	for _, what := range order {
		if unused[what] == ended {
			t.Errorf("the simulated CLI: %s was never used", what)
		}
	}
	if err := c.parsed.CheckStrict(); err != nil {
		t.Errorf("the simulated CLI: %v", err)
	}
}

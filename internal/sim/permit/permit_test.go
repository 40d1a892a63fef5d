package permit_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/release"
)

func TestRulesBeatHooksAndHooksBeatTheMode(t *testing.T) {
	for _, test := range []struct {
		name, mode string
		rule       permission.Behavior // of a rule for Write; "" for none
		hook       string              // decides
		source     string              // of the decision
		denied     bool
	}{
		{"nobody can be asked", "default", "", "", "config", true},
		{"a mode allows", "acceptEdits", "", "", "config", false},
		{"a rule allows", "default", permission.Allow, "", "config", false},
		{"a hook allows", "default", "", "allow", "hook", false},
		{"a hook allows what the mode denies", "dontAsk", "", "allow", "hook", false},
		{"a rule denies what a hook allows", "acceptEdits", permission.Deny, "allow", "config", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			w := output.New(&b)
			defer w.Close()
			out := output.NewSession(w, release.Newest())
			c := calls.New(out)
			l := life.New(t.Context(), func() {})
			dir := t.TempDir()
			policy := &permission.Policy{Dir: dir}
			policy.SetMode(test.mode)
			if test.rule != "" {
				policy.Add(test.rule, permission.CLIArg, "Write")
			}
			g := &permit.Gate{Policy: policy, Out: out, Calls: c, Life: l, Hooks: &hooks.Caller{
				Out: out, Calls: c, Life: l, Stderr: io.Discard, About: func() hooks.Session { return hooks.Session{} }, Watch: func([]string) {},
			}}
			denied := false
			use := &permit.Use{
				ID: "toolu_1", Name: "Write", Input: object.Of("file_path", dir+"/a.txt", "content", "hi"), Server: object.Absent, Title: "Write",
				Denied: func() { denied = true }, Interrupt: func() {},
			}
			p := g.Decide(context.Background(), use, &hooks.Verdict{Decision: test.hook})
			decision := p.Decision
			if p.Refusal != nil {
				decision = p.Refusal.Decision
			}
			if got := p.Refusal != nil; got != test.denied || decision.Text("source") != test.source {
				t.Errorf("refused %v by %s, want %v by %s", got, object.Text(decision), test.denied, test.source)
			}
			if test.denied && test.rule == "" && !denied {
				t.Error("the denial is not noted")
			}
		})
	}
}

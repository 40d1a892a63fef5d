package sim_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// complaints are what Check says to a test.
type complaints []string

func (c *complaints) Helper() {}
func (c *complaints) Errorf(format string, args ...any) {
	*c = append(*c, strings.TrimPrefix(fmt.Sprintf(format, args...), "the simulated CLI: "))
}

// load returns a simulated CLI of a script.
func load(t *testing.T, script string) *sim.CLI {
	t.Helper()
	cli, err := sim.New([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	return cli
}

// say says something in a session of its own, and returns the answer.
func say(t *testing.T, cli *sim.CLI, text string) string {
	t.Helper()
	session := open(t, cli, cli.Options())
	result, err := session.Turn(t.Context(), text).Result()
	if err != nil {
		t.Fatal(err)
	}
	_ = session.Close() // a strict session ends with an error
	return result.Text()
}

func TestCheckSaysHowSessionsDepartFromTheScript(t *testing.T) {
	const two = `{"turns": [{"match": {"text": "one"}, "text": "One."}, {"match": {"text": "two"}, "text": "Two."}, {"match": {"text": "all"}, "text": "All.", "times": -1}],
		"tools": {"WebFetch": {"text": "a page"}}}`
	for _, test := range []struct {
		name, script string
		fault        string
		says         []string
		want         complaints
	}{
		{"nothing", `{"turns": [{"text": "One."}]}`, "noise@result", []string{"a"}, nil},
		{"each session uses a part", strings.Replace(two, `{"text": "a page"}`, `[]`, 1), "", []string{"one", "two"}, nil},
		{"what no session used", two, "noise@result#2", []string{"one", "one"},
			complaints{`turn 2 (match {"text":"two"}) was never used`, "result 1 of the tool WebFetch was never used", "fault noise@result#2 was never used"}},
		{"what no turn is left for", `{"turns": [{"match": {"text": "one"}, "text": "One."}]}`, "", []string{"one", "other"}, complaints{`no turn is left for "other"`}},
		{"what the default is for", `{"default": {"text": "Else."}}`, "", []string{"other"}, nil},
		{"no session", `{}`, "", nil, complaints{"no session has ended"}},
		{"a block that no API sends", `{"turns": [{"content": [{"type": "tool_use", "input": {}}]}, {"text": "Fine."}]}`, "", []string{"a"},
			complaints{"script:1:1: turn 1: block 0: strict: tool_use without a name"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			cli := load(t, test.script)
			if test.fault != "" {
				if err := cli.Fault(test.fault); err != nil {
					t.Fatal(err)
				}
			}
			for _, text := range test.says {
				say(t, cli, text)
			}
			var got complaints
			cli.Check(&got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestAStrictScriptAnswersWhatItHasNoTurnForWithAnError(t *testing.T) {
	cli := load(t, `{"turns": [{"match": {"text": "one"}, "text": "One."}]}`)
	cli.Strict = true
	session := open(t, cli, cli.Options())
	_, err := session.Turn(t.Context(), "other").Result()
	var failed *transport.TurnError
	if !errors.As(err, &failed) || !strings.HasSuffix(err.Error(), `strict: no turn is left for "other"`) {
		t.Errorf("got %v", err)
	}
	_ = session.Close() // the log has the code
	log := cli.Log()
	if last := log[len(log)-1]; last.Code == nil || *last.Code != 3 || !strings.Contains(last.Stderr, `no turn is left for "other"`) {
		t.Errorf("it ends with %+v", last)
	}
}

func TestAResumedSessionGoesOnWithTheScript(t *testing.T) {
	const script = `{"turns": [{"text": "First."}, {"text": "Second."}, {"text": "Third."}]}`
	folder := t.TempDir()
	env := []string{"HOME=" + folder, "CLAUDE_CONFIG_DIR=" + folder, "PATH=/bin:/usr/bin"}
	ask := func(t *testing.T, cli *sim.CLI, resume string) (text, id string) {
		t.Helper()
		options := cli.Options()
		options.Dir, options.Env, options.Flags.Resume = folder, env, resume
		result, err := transport.Query(t.Context(), "hello", options).Result()
		if err != nil {
			t.Fatal(err)
		}
		success, ok := result.Frame.(*wire.ResultSuccess)
		if !ok {
			t.Fatalf("the result is %T", result.Frame)
		}
		return result.Text(), success.SessionID
	}
	for _, state := range []string{"", folder + "/states/state.json"} {
		cli := load(t, script)
		cli.State = state
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() { // parallel sessions of one script
				first, id := ask(t, cli, "")
				second, _ := ask(t, cli, id)
				third, _ := ask(t, cli, id)
				if diff := cmp.Diff([]string{"First.", "Second.", "Third."}, []string{first, second, third}); diff != "" {
					t.Errorf("with the state in %q: -want +got\n%s", state, diff)
				}
			})
		}
		wait.Wait()
		cli.Check(t)
	}
	cli := load(t, script)
	path, err := cli.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, id := ask(t, cli, "")
	cmd := exec.Command(path, "-p", "hello", "--resume", id)
	cmd.Dir, cmd.Env = folder, env
	if out, err := cmd.Output(); err != nil || string(out) != "Second.\n" {
		t.Errorf("a program that goes on says %q, %v", out, err)
	}
}

func TestFaultsOfRequestsEnd(t *testing.T) {
	for _, fault := range []string{"response-late=50@control_response/initialize", "cancel-during@control_request/can_use_tool"} {
		t.Run(fault, func(t *testing.T) {
			cli := load(t, writing)
			if err := cli.Fault(fault); err != nil {
				t.Fatal(err)
			}
			options := cli.Options()
			options.CanUseTool = func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
				if strings.HasPrefix(fault, "cancel") {
					<-ctx.Done() // an SDK that obeys does not answer
					return nil, ctx.Err()
				}
				return r.Allow(), nil
			}
			result, err := open(t, cli, options).Turn(t.Context(), "write").Result()
			if err != nil || result.Text() != "Written." {
				t.Errorf("got %v, %v", result, err)
			}
		})
	}
}

func TestChaosIsWhatATolerantSDKSurvives(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			cli := load(t, writing)
			cli.Chaos(seed)
			options := cli.Options()
			options.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
				return r.Allow(), nil
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New("it hangs"))
			defer cancel()
			result, err := open(t, cli, options).Turn(ctx, "write").Result()
			if err != nil || result.Text() != "Written." {
				t.Errorf("got %v, %v", result, err)
			}
			log := cli.Log()
			if i := slices.IndexFunc(log, func(e sim.Entry) bool { return e.Dir == sim.Chaos }); i < 0 || !strings.HasPrefix(log[i].Line, fmt.Sprintf("%d: ", seed)) {
				t.Error("the log does not have the seed")
			}
		})
	}
}

func TestPausesThatAreVirtualTakeNoTime(t *testing.T) {
	for name, script := range map[string]string{
		"by the script": `{"virtual_time": true, "turns": [%s]}`,
		"by the field":  `{"turns": [%s]}`,
	} {
		t.Run(name, func(t *testing.T) {
			cli := load(t, fmt.Sprintf(script, `{"error": {"status": 529, "message": "busy", "retry_after": 300}},
				{"text": "Slow words.", "pace": {"before": "10m", "chunk": 2, "every": "1m"}}`))
			cli.VirtualTime = name == "by the field"
			if err := cli.Fault("slow=60000@result"); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			result, err := open(t, cli, cli.Options()).Turn(t.Context(), "hello").Result()
			if err != nil || result.Text() != "Slow words." {
				t.Fatalf("got %v, %v", result, err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			if took := result.Frame.(*wire.ResultSuccess).DurationMS; took < 20*60*1000 {
				t.Errorf("the result says that it took %v ms", took)
			}
		})
	}
}

func TestTheCostOfATurnIsThatOfTheScript(t *testing.T) {
	cli := load(t, `{"turns": [{"text": "One.", "cost_usd": 0.25}, {"text": "Two.", "cost_usd": 1.5, "usage": {"output_tokens": 7}}, {"text": "Three."}]}`)
	session := open(t, cli, cli.Options())
	for _, want := range []float64{0.25, 1.75} {
		result, err := session.Turn(t.Context(), "go on").Result()
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Frame.(*wire.ResultSuccess).TotalCostUSD; got != want {
			t.Errorf("it costs $%v, want $%v", got, want)
		}
	}
}

package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/conformance"
	"github.com/ccwire/ccwire/conformance/driver"
)

// small is an SDK that starts the CLI, sends prompts and reads lines.
type small struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	next func() ([]byte, error)
}

// open returns how small opens a session; lines returns what reads one line after the other.
func open(lines func(io.Reader) func() ([]byte, error)) func(context.Context, *driver.Options) (driver.Session, error) {
	return func(_ context.Context, o *driver.Options) (driver.Session, error) {
		cmd := exec.Command(o.CLI, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json")
		cmd.Dir = o.Dir
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		return &small{cmd, in, lines(out)}, cmd.Start()
	}
}

func (s *small) Prompt(_ context.Context, text string) error {
	return json.NewEncoder(s.in).Encode(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
}

func (s *small) Next() (m driver.Message, err error) {
	if m.JSON, err = s.next(); err != nil {
		return m, err
	}
	m.Type, _ = codec.Raw(m.JSON).Find("/type").Text()
	m.Subtype, _ = codec.Raw(m.JSON).Find("/subtype").Text()
	return m, nil
}

func (s *small) Close() error {
	s.in.Close()
	s.cmd.Process.Kill()
	s.cmd.Wait()
	return nil
}

// scanned reads lines with a bufio.Scanner, and takes each for JSON.
func scanned(r io.Reader) func() ([]byte, error) {
	lines := bufio.NewScanner(r)
	return func() ([]byte, error) {
		if !lines.Scan() {
			return nil, io.EOF
		}
		var object map[string]any
		return bytes.Clone(lines.Bytes()), json.Unmarshal(lines.Bytes(), &object)
	}
}

func framed(r io.Reader) func() ([]byte, error) {
	lines := codec.NewReader(r, nil)
	return func() ([]byte, error) {
		for {
			line, err := lines.Next()
			if err != nil {
				return nil, err
			}
			if line.Kind == codec.ObjectLine {
				return bytes.Clone(line.Bytes), nil
			}
		}
	}
}

var someScenarios = []string{"send/user-message", "surface/messages", "survive/noise", "survive/blank-lines"}

func TestAnSDKInGoIsJudgedInTheProcessOfTheTest(t *testing.T) {
	conformance.TestSDK(t, conformance.Driver(&driver.SDK{Name: "small", Open: open(framed)}), &conformance.Options{Run: someScenarios})
}

func TestABugOfAnSDKIsNamed(t *testing.T) {
	report, err := conformance.RunSDK(t.Context(), conformance.Driver(&driver.SDK{Name: "small", Version: "0.1", Open: open(scanned)}), &conformance.Options{
		Run: someScenarios,
	})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if report.Target != "small 0.1" || report.Count(conformance.Fail) == 0 {
		t.Errorf("%s", text.String())
	}
	for _, r := range report.Results {
		if failed := r.Status == conformance.Fail; failed != strings.HasPrefix(r.Scenario, "survive/") {
			t.Errorf("%s: %s: %s", r.Scenario, r.Status, r.Reason)
		}
	}
}

func TestWhatAnSDKDoesNotHaveIsNotApplicable(t *testing.T) {
	report, err := conformance.RunSDK(t.Context(), conformance.Driver(&driver.SDK{Name: "small", Open: open(framed)}), &conformance.Options{
		Run: []string{"send/interrupt", "answer/forty-hooks", "send/query"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != conformance.NotApplicable || !strings.Contains(r.Reason, "the SDK has no ") {
			t.Errorf("%s: %s: %s", r.Scenario, r.Status, r.Reason)
		}
	}
}

func TestAnSDKThatCannotBeDrivenIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		sdk  conformance.SDK
		want string
	}{
		"none":                    {conformance.SDK{}, "no SDK"},
		"no driver":               {conformance.Driver(nil), "no SDK"},
		"a command that is not":   {conformance.Command("/does/not/exist"), "does not start"},
		"a driver without a way":  {conformance.Driver(&driver.SDK{Name: "empty"}), "Open or Query"},
		"a feature that is not":   {conformance.Driver(&driver.SDK{Name: "odd", Open: open(framed), Features: []string{"telepathy"}}), "telepathy"},
		"a program that is not":   {conformance.Program("/does/not/exist"), "does not start"},
		"a command that ends":     {conformance.Command("true"), "ended before it was ready"},
		"a command that does not": {conformance.Command("echo", "hello"), "not a report"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := conformance.RunSDK(t.Context(), test.sdk, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

const ownScenario = `A prompt reaches the CLI.

harm: loss
from: issue example/sdk#12
needs: session

-- script --
start
prompt "hello"
> {"type":"user"}
`

func TestScenariosOfOnesOwnStandBesideThoseThatAreBuiltIn(t *testing.T) {
	small := conformance.Driver(&driver.SDK{Name: "small", Open: open(framed)})
	report, err := conformance.RunSDK(t.Context(), small, &conformance.Options{
		Scenarios: fstest.MapFS{"mine/prompt.txtar": {Data: []byte(ownScenario)}}, Run: []string{"mine", "send/user-message"},
		KnownFailing: "mine/prompt sometimes # a race\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != 2 || report.Results[0].Scenario != "mine/prompt" || !report.OK() {
		t.Errorf("%+v, %q", report.Results, report.Problems)
	}
	for name, want := range map[string]string{"survive/noise.txtar": "one of that name is built in", "README": "no scenario"} {
		_, err := conformance.RunSDK(t.Context(), small, &conformance.Options{Scenarios: fstest.MapFS{name: {Data: []byte(ownScenario)}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// stuck makes this test program one whose SDK hangs.
const stuck = "CCWIRE_TEST_STUCK"

func TestWhatIsKnownIsToldBeforeTheTimeOfGoTestIsOver(t *testing.T) {
	if os.Getenv(stuck) != "" {
		hangs := func(context.Context, *driver.Options) (driver.Session, error) { select {} }
		conformance.TestSDK(t, conformance.Driver(&driver.SDK{Name: "stuck", Open: hangs}), &conformance.Options{Run: []string{"send/user-message"}})
		return
	}
	const tries = 3 // a machine that stands still for seconds fails one
	for range tries {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=10s")
		cmd.Env = append(os.Environ(), stuck+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(string(out), "it was not judged: the time of go test is nearly over") && !strings.Contains(string(out), "panic:") {
			return
		}
		t.Logf("%v\n%s", err, out)
	}
	t.Errorf("what is known was told in none of %d tries", tries)
}

package framing

import (
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// pythonCommand returns the command of a parser in Python.
func pythonCommand(t testing.TB, parser string) []string {
	t.Helper()
	python := findPython()
	if python == "" {
		t.Skip("there is no python3")
	}
	return []string{python, filepath.Join("internal", "planted", "python", "parsers.py"), parser}
}

// findPython returns the path of python3, which may be a script that finds it each time; "" if
// there is none.
var findPython = sync.OnceValue(func() string {
	out, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out))
})

// persistentReport runs the fuzzer with a parser that reads many streams.
func persistentReport(t *testing.T, argv []string, o Options) *Report {
	t.Helper()
	o.Persistent = true
	report, err := Run(t.Context(), append(argv, "--persistent"), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func reportText(r *Report) string {
	var b strings.Builder
	r.WriteText(&b)
	return b.String()
}

func TestAPersistentParserIsJudgedAsAFreshOne(t *testing.T) {
	for _, test := range []struct {
		argv []string
		want string
	}{
		{parserCommand(t, "U+2028 split"), "lost: 1 frame did not come out"},
		{parserCommand(t, "read is a line"), "lost: 1 frame did not come out"},
		{pythonCommand(t, "dies_at_noise"), "crash: it reported an error"},
	} {
		if testing.Short() && test.want != "lost: 1 frame did not come out" {
			continue // it takes long
		}
		report := persistentReport(t, test.argv, Options{Growth: -1, Findings: 1, Time: 30 * time.Second})
		if len(report.Findings) != 1 || !strings.HasPrefix(report.Findings[0].Problem.String(), test.want) || report.Findings[0].Unsteady {
			t.Errorf("%v: %s", test.argv, reportText(report))
		}
	}
}

// TestStateOfAPersistentParserIsNoFinding has a parser that gets its third stream wrong.
func TestStateOfAPersistentParserIsNoFinding(t *testing.T) {
	f := newFuzzer(append(parserCommand(t, "tires"), "--persistent"), Options{Persistent: true})
	defer f.server.stop(0)
	for range 10 {
		if err := f.check(t.Context(), t.Context(), Stream{Data: []byte("{\"n\":1}\n")}); err != nil {
			t.Fatal(err)
		}
	}
	if text := reportText(&f.report); f.report.Carried == 0 || len(f.report.Findings) > 0 || !strings.Contains(text, "went wrong only after others in the same process") {
		t.Error(text)
	}
}

func TestAPersistentParserThatHangsIsEnded(t *testing.T) {
	f := newFuzzer(append(parserCommand(t, "hangs on blank"), "--persistent"), Options{Persistent: true, Deadline: time.Second})
	defer f.server.stop(0)
	for _, test := range []struct {
		stream string
		want   Kind
	}{{"{}\n", ""}, {"\r\n", Hang}, {"{}\n", ""}} {
		failed, err := f.try(t.Context(), Stream{Data: []byte(test.stream)})
		if err != nil || (failed != nil) != (test.want != "") || failed != nil && failed.Kind != test.want {
			t.Errorf("%q: %+v, %v", test.stream, failed, err)
		}
	}
}

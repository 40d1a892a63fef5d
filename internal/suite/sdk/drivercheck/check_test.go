package drivercheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite/sdk/brokensdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

func TestMain(m *testing.M) {
	sdktest.Main(map[string]func([]string) int{"driver": func(args []string) int { return serve(args[0]) }})
	os.Exit(m.Run())
}

// A habit is what a bad driver does otherwise than the one of the reference SDK.
type habit struct {
	// command changes a command, or answers it with a report if it returns false.
	command func(c *driver.Command, report func(driver.Report)) bool
	// report changes a report, or drops it if it returns false.
	report func(r *driver.Report) bool
	// says is written to stdout first.
	says string
	// exits is how it ends; nil: as it should.
	exits func() int

	check string // that finds it
	want  string // in what is found
}

var habits = map[string]habit{
	"none": {},
	"never ready": {report: func(*driver.Report) bool { return false },
		check: "ready", want: "does not say that it is ready"},
	"garbage": {says: "starting up…\n",
		check: "ready", want: "a line that is not a report"},
	"unknown feature": {report: func(r *driver.Report) bool {
		if r.Report == driver.Ready {
			r.Features = append(r.Features, "telepathy")
		}
		return true
	}, check: "ready", want: "telepathy"},
	"no done for a prompt": {command: func(c *driver.Command, _ func(driver.Report)) bool { return c.Command != driver.Prompt },
		check: "read", want: "done or error for the command prompt does not come"},
	"wrong kind": {report: func(r *driver.Report) bool {
		if r.Kind == "can_use_tool" {
			r.Kind = "hook"
		}
		return true
	}, check: "can_use_tool", want: `of the kind "hook", want "can_use_tool"`},
	"no call number": {report: func(r *driver.Report) bool { r.Call = 0; return true },
		check: "hooks", want: "the call number 0, want 1"},
	"ignores count": {command: func(c *driver.Command, _ func(driver.Report)) bool {
		if c.Count > 0 {
			c.Count, c.Until = 0, "result"
		}
		return true
	}, check: "read", want: "a read with the count 1 gives"},
	"declared and not done": {command: func(c *driver.Command, report func(driver.Report)) bool {
		if c.Command == driver.SetModel {
			report(driver.Report{Report: driver.Done, ID: c.ID})
		}
		return c.Command != driver.SetModel
	}, check: "set_model", want: "the CLI got no such request"},
	"no end": {report: func(r *driver.Report) bool { return r.Report != driver.End },
		check: "query", want: "end was not reported"},
	"two ends": {command: func(c *driver.Command, report func(driver.Report)) bool {
		if c.Command == driver.Prompt {
			report(driver.Report{Report: driver.Done, ID: c.ID})
		}
		return true
	}, check: "read", want: "has a second end"},
	"messages all the time": {report: func(r *driver.Report) bool {
		if r.Report == driver.Done && r.ID == 1 {
			*r = driver.Report{Report: driver.Message, Type: "system", Message: json.RawMessage("{}")}
		}
		return true
	}, check: "read", want: "a message while no read runs"},
	"stays": {exits: func() int { time.Sleep(time.Minute); return 0 },
		check: "read", want: "after the end of its input"},
	"ends badly": {exits: func() int { return 3 },
		check: "read", want: "ended with code 3"},
	"swallows errors": {report: func(r *driver.Report) bool {
		if r.Report == driver.Error {
			*r = driver.Report{Report: driver.Done, ID: r.ID}
		}
		return true
	}, check: "sdk-error", want: "no command fails"},
	"one after the other": {command: oneByOne(), report: endOne, check: "at-once", want: "a prompt while a read runs"},
}

// busy has a token while no command runs.
var busy = make(chan struct{}, 1)

// oneByOne begins a command when the one before it has ended.
func oneByOne() func(*driver.Command, func(driver.Report)) bool {
	return func(*driver.Command, func(driver.Report)) bool {
		busy <- struct{}{}
		return true
	}
}

func endOne(r *driver.Report) bool {
	if r.Report == driver.Done || r.Report == driver.Error {
		<-busy
	}
	return true
}

// serve is the driver of the reference SDK with a habit.
func serve(name string) int {
	h := habits[name]
	fmt.Print(h.says)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	report := func(r driver.Report) {
		if h.report == nil || h.report(&r) {
			line, _ := json.Marshal(&r) // it was JSON
			fmt.Println(string(line))
		}
	}
	go func() { // ends with the input
		defer inW.Close()
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			var c driver.Command
			_ = json.Unmarshal(in.Bytes(), &c) // it is what the package under test writes
			if h.command == nil || h.command(&c, report) {
				_ = json.NewEncoder(inW).Encode(&c)
			}
		}
	}()
	served := make(chan error, 1)
	go func() { // ends with the input
		served <- brokensdk.Serve("", inR, outW)
		outW.Close()
	}()
	for out := json.NewDecoder(outR); ; {
		var r driver.Report
		if out.Decode(&r) != nil {
			break
		}
		report(r)
	}
	if <-served != nil {
		return 1
	}
	if h.exits != nil {
		return h.exits()
	}
	return 0
}

// problems returns what is found, "CHECK: problem".
func problems(t *testing.T, name string, step time.Duration) (list []string) {
	t.Helper()
	subject := sdktest.Subject("driver", name)
	subject.Ready = step
	report, err := Run(t.Context(), subject, step)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		switch {
		case r.Status == Wrong:
			list = append(list, r.Check+": "+r.Problem)
		case r.Status == NotDeclared && name == "none":
			t.Errorf("%s was not tried: %s", r.Check, r.Problem)
		}
	}
	return list
}

func TestADriverThatKeepsTheProtocolIsNotAccused(t *testing.T) {
	for _, p := range problems(t, "none", time.Minute) {
		t.Error(p)
	}
}

func TestWhatADriverDoesWrongIsNamed(t *testing.T) {
	for name, h := range habits {
		if name == "none" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && h.check != "ready" {
				t.Skip("it plays sessions; make test-all runs it")
			}
			list := problems(t, name, 2*time.Second)
			if !slices.ContainsFunc(list, func(p string) bool { return strings.HasPrefix(p, h.check+": ") && strings.Contains(p, h.want) }) {
				t.Errorf("%s does not find %q in\n%s", h.check, h.want, strings.Join(list, "\n"))
			}
		})
	}
}

func TestEveryFeatureIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range slices.Concat(protocolChecks, featureChecks) {
		for _, n := range c.needs {
			tried[n] = true
		}
	}
	for _, f := range driver.Features {
		if f == "cli_path" || f == "pull" { // every check gives a path; how an SDK reads cannot be tried
			continue
		}
		if !tried[f] {
			t.Errorf("no check tries %s", f)
		}
	}
}

package schema

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// newest is the CLI version that the schemas name everything of.
const newest = "2.1.325"

// recording is what both sides wrote in one session with a real CLI.
type recording struct {
	name    string // version/scenario
	version string
	lines   []recordedLine
}

type recordedLine struct {
	Dir    string // "cli->sdk" or "sdk->cli"
	Line   string
	number int // in the file, from 1

	body       json.RawMessage // the answer inside a successful control_response
	definition string          // what the body is, by the subtype of the request
}

func (l *recordedLine) direction() Direction {
	if l.Dir == "cli->sdk" {
		return FromCLI
	}
	return FromSDK
}

// readRecordings returns the recordings below a folder whose files are version/scenario.ndjson.
func readRecordings(t testing.TB, fsys fs.FS) (all []*recording) {
	t.Helper()
	names, err := fs.Glob(fsys, "*/*.ndjson")
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		r := &recording{name: strings.TrimSuffix(name, ".ndjson"), version: path.Dir(name)}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for number := 1; lines.Scan(); number++ {
			l := recordedLine{number: number}
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				t.Fatalf("%s:%d: %v", name, number, err)
			}
			if l.Dir != "cli->sdk" && l.Dir != "sdk->cli" {
				continue
			}
			for _, text := range strings.Split(l.Line, "\n") { // one write may hold several lines
				l.Line = text
				r.lines = append(r.lines, l)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r.correlate()
		all = append(all, r)
	}
	return all
}

// correlate finds what each control_response answers: a request of the other side with the same id.
func (r *recording) correlate() {
	subtypes := map[string]string{}
	for i := range r.lines {
		l := &r.lines[i]
		var frame struct {
			Type    string
			ID      any `json:"request_id"`
			Request struct{ Subtype string }
			Reply   struct {
				Subtype string
				ID      any             `json:"request_id"`
				Body    json.RawMessage `json:"response"`
			} `json:"response"`
		}
		if json.Unmarshal([]byte(l.Line), &frame) != nil {
			continue
		}
		switch frame.Type {
		case "control_request":
			subtypes[fmt.Sprint(l.Dir, frame.ID)] = frame.Request.Subtype
		case "control_response":
			asker := "sdk->cli"
			if l.Dir == asker {
				asker = "cli->sdk"
			}
			subtype, ok := subtypes[fmt.Sprint(asker, frame.Reply.ID)]
			if ok && frame.Reply.Subtype == "success" && frame.Reply.Body != nil {
				l.body, l.definition = frame.Reply.Body, "control/"+subtype+".json#/$defs/Response"
			}
		}
	}
}

func (r *recording) at(l *recordedLine) string { return fmt.Sprintf("%s:%d", r.name, l.number) }

func recordings(t testing.TB) []*recording {
	return readRecordings(t, os.DirFS("testdata/recordings"))
}

// brokenLines reads the list of lines that are broken on purpose, each with the pointer of its problem.
func brokenLines(t testing.TB) map[string]string {
	t.Helper()
	broken := map[string]string{}
	for _, cells := range readTable(t, "testdata/recordings_broken.txt", 3) {
		broken[cells[0]] = cells[1]
	}
	return broken
}

func TestEveryRecordedLineValidates(t *testing.T) {
	open := Default().Open()
	broken := brokenLines(t)
	versions := map[string]int{}
	for _, r := range recordings(t) {
		versions[r.version]++
		for i := range r.lines {
			l := &r.lines[i]
			got := violations(t, open.ValidateFrame(l.direction(), []byte(l.Line)))
			either := violations(t, open.ValidateFrame(Either, []byte(l.Line)))
			if (got == nil) != (either == nil) {
				t.Errorf("%s: %v, as a frame of either direction %v", r.at(l), got, either)
			}
			if l.body != nil {
				got = append(got, violations(t, open.Validate(l.definition, l.body))...)
			}
			want, isBroken := broken[r.at(l)]
			delete(broken, r.at(l))
			switch {
			case isBroken && (l.direction() == FromCLI || len(got) != 1 || got[0].Path != want):
				t.Errorf("%s is listed as broken by the SDK's side at %q: %v", r.at(l), want, got)
			case !isBroken && len(got) > 0:
				t.Errorf("%s: %v", r.at(l), got)
			}
		}
	}
	for at := range broken {
		t.Errorf("%s is listed as broken and not there", at)
	}
	for _, version := range []string{"1.0.128", "2.0.77", "2.1.150", newest} {
		if versions[version] < 4 {
			t.Errorf("%d recordings of %s, want at least 4", versions[version], version)
		}
	}
}

func TestNewestCLIWritesNothingThatTheSchemasDoNotName(t *testing.T) {
	for _, r := range recordings(t) {
		if r.version != newest {
			continue
		}
		for i := range r.lines {
			l := &r.lines[i]
			if l.direction() != FromCLI {
				continue
			}
			expectNoFindings(t, r.at(l), FromCLI.Definition(), []byte(l.Line))
			if l.body != nil {
				expectNoFindings(t, r.at(l)+", body", l.definition, l.body)
			}
		}
	}
}

func expectNoFindings(t *testing.T, at, definition string, doc []byte) {
	t.Helper()
	findings, err := Default().Lint(definition, doc)
	if err != nil {
		t.Errorf("%s: %v", at, err)
	}
	for _, f := range findings {
		t.Errorf("%s: %s", at, f)
	}
	if closed := Default().Closed().Validate(definition, doc); (closed == nil) != (len(findings) == 0) {
		t.Errorf("%s: the lint and the closed form disagree: %v", at, closed)
	}
}

// evidence maps each definition to a recorded line that it is found in. What a line of the CLI holds goes into written
// as well: that proves more than a line of the SDK, which the CLI may have refused.
func evidence(t testing.TB) (found, written map[string]string) {
	t.Helper()
	found, written = map[string]string{}, map[string]string{}
	for _, r := range recordings(t) {
		for i := range r.lines {
			l := &r.lines[i]
			add := func(definition string, doc []byte) {
				names, err := Default().Touched(definition, doc)
				if err != nil {
					return // another test reports it
				}
				for _, name := range names {
					found[name] = r.at(l)
					if l.direction() == FromCLI {
						written[name] = r.at(l)
					}
				}
			}
			add(Either.Definition(), []byte(l.Line))
			add(l.direction().Definition(), []byte(l.Line))
			if l.body != nil {
				add(l.definition, l.body)
			}
		}
	}
	return found, written
}

func TestEveryObservedDefinitionIsInARecording(t *testing.T) {
	found, written := evidence(t)
	for _, d := range Default().Definitions() {
		switch {
		case d.Evidence == "observed" && found[d.Name()] == "":
			t.Errorf("%s is said to be observed, but no recorded line has it", d.Name())
		case d.Evidence != "observed" && written[d.Name()] != "":
			t.Errorf("%s is said to be %s, but the CLI wrote one at %s", d.Name(), d.Evidence, written[d.Name()])
		}
	}
}

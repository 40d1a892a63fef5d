//go:build languages

package parsers

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/framing/protocol"
	"github.com/ccwire/ccwire/internal/scoreboard/install"
	"github.com/ccwire/ccwire/internal/workshop"
	"github.com/ccwire/ccwire/schema"
)

// A parser is one of the page.
type parser struct {
	name    string
	how     string // the program reads a stream, for people
	command func(s *shelf) []string
	version func(s *shelf) string
	frames  bool // it takes frames of the protocol only
	local   bool // the version has that of the language, as it is on the machine
}

var all = []parser{
	{name: "bufio.Scanner", how: "each line to json.Unmarshal; what it refuses is skipped", command: inGo("scanner"), version: goVersion, local: true},
	{name: "json.Decoder", how: "until it returns an error", command: inGo("decoder"), version: goVersion, local: true},
	{name: "jsontext.Decoder", how: "ReadValue until it returns an error", command: inGo("jsontext"), version: goVersion, local: true},
	{name: "encoding/json/v2", how: "each line to Unmarshal; what it refuses is skipped", command: inGo("v2"), version: goVersion, local: true},
	{name: "codec.Reader", how: "of ccwire, in its default mode", command: inGo("codec"), version: func(*shelf) string { return "this one" }},
	{name: "serde_json StreamDeserializer", how: "until it gives an error", command: inRust("stream"), version: serdeVersion},
	{name: "serde_json", how: "each line of BufRead::lines to from_str; what it refuses is skipped", command: inRust("lines"), version: serdeVersion},
	{name: "ndjson", how: "for await of ndjson.parse()", command: inNode("ndjson"), version: npmVersion("ndjson")},
	{name: "ndjson", how: "for await of ndjson.parse({ strict: false })", command: inNode("ndjson-loose"), version: npmVersion("ndjson")},
	{name: "split2", how: "for await of split2(JSON.parse)", command: inNode("split2-parse"), version: npmVersion("split2")},
	{name: "split2", how: "JSON.parse in a try; what it refuses is skipped", command: inNode("split2"), version: npmVersion("split2")},
	{name: "jsonlines", how: "jsonlines.Reader of a text file", command: inPython("jsonlines"), version: pypiVersion("jsonlines")},
	{name: "jsonlines", how: "the same with type=dict, skip_empty, skip_invalid", command: inPython("jsonlines-skip"), version: pypiVersion("jsonlines")},
	{name: "orjson", how: "each line of a binary file to orjson.loads; JSONDecodeError is skipped", command: inPython("orjson"), version: pypiVersion("orjson")},
	{name: "json", how: "each line of a binary file to json.loads; ValueError is skipped", command: inPython("json"), version: pythonVersion, local: true},
	{name: "claude-agent-sdk (npm)", how: "query() on a process that writes the stream", command: nodeSDK, version: nodeSDKVersion, frames: true},
	{name: "claude-agent-sdk (PyPI)", how: "read_messages() of its transport", command: pythonSDK, version: pythonSDKVersion, frames: true, local: true},
}

// run runs the fuzzer on a parser with the hand-made streams.
func (p *parser) run(t *testing.T, s *shelf) *framing.Report {
	t.Helper()
	o := framing.Options{Persistent: true, HandMade: true, Growth: -1, Time: 5 * time.Minute, Deadline: 30 * time.Second}
	if p.frames {
		o.Frames = messages()
	}
	report, err := framing.Run(t.Context(), p.command(s), o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Missed > 0 {
		t.Errorf("%d streams were not played", report.Missed)
	}
	return report
}

// messages are short frames that each SDK hands on.
func messages() *framing.Vocabulary {
	v := protocol.Vocabulary(schema.FromCLI)
	v.Frames = slices.DeleteFunc(v.Frames, func(frame string) bool {
		return !strings.HasPrefix(frame, `{"type":"stream_event"`)
	})
	return v
}

// A shelf is where the programs are.
type shelf struct {
	t                           *testing.T
	golang, rust, node, python  string
	nodeSDK, pythonSDK, scratch string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t: t, scratch: t.TempDir()}
	s.golang = filepath.Join(s.scratch, "run")
	t.Setenv("GOEXPERIMENT", "jsonv2")
	workshop.Run(t, ".", "go", "build", "-o", s.golang, "./run")
	s.rust = workshop.Rust(t, filepath.Join("..", "internal", "rust"))
	workshop.Run(t, s.rust, "cargo", "build", "--quiet", "--locked", "--package", "parsers")
	s.node, s.python = workshop.Node(t, "node"), workshop.Python(t, "python")
	for sdk, dir := range map[*install.SDK]*string{install.Node: &s.nodeSDK, install.Python: &s.pythonSDK} {
		var err error
		if *dir, err = sdk.Installed(t.Context(), filepath.Join("..", "..", "scoreboard")); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func inGo(name string) func(*shelf) []string {
	return func(s *shelf) []string { return []string{s.golang, name, "--persistent"} }
}

func inRust(name string) func(*shelf) []string {
	return func(s *shelf) []string {
		return []string{filepath.Join(s.rust, "target", "debug", "parsers"), name, "--persistent"}
	}
}

func inNode(name string) func(*shelf) []string {
	return func(s *shelf) []string { return []string{"node", filepath.Join(s.node, "parsers.mjs"), name} }
}

func inPython(name string) func(*shelf) []string {
	return func(s *shelf) []string {
		return []string{filepath.Join(s.python, "bin", "python"), filepath.Join(s.python, "parsers.py"), name}
	}
}

func nodeSDK(s *shelf) []string {
	return []string{"node", filepath.Join(s.node, "sdk.mjs"), s.nodeSDK}
}

func pythonSDK(s *shelf) []string {
	return []string{filepath.Join(s.pythonSDK, "bin", "python"), filepath.Join(s.python, "sdk.py")}
}

// goVersion and pythonVersion are those that run the test, without the last number.
func goVersion(s *shelf) string {
	return "Go " + s.find(string(workshop.Run(s.t, ".", "go", "env", "GOVERSION")), `go(\d+\.\d+)`)
}

func pythonVersion(s *shelf) string {
	return s.find(string(workshop.Run(s.t, s.python, "bin/python", "--version")), `(Python \d+\.\d+)`)
}

func serdeVersion(s *shelf) string {
	return s.pinned(filepath.Join("..", "internal", "rust", "Cargo.lock"), `name = "serde_json"\nversion = "(.*)"`)
}

func npmVersion(name string) func(*shelf) string {
	return func(s *shelf) string { return s.pinned("node/package.json", `"`+name+`": "(.*)"`) }
}

func pypiVersion(name string) func(*shelf) string {
	return func(s *shelf) string { return s.pinned("python/requirements.txt", `(?m)^`+name+`==(.*)$`) }
}

func nodeSDKVersion(s *shelf) string {
	return s.pinned("../../scoreboard/node/package.json", `"@anthropic-ai/claude-agent-sdk": "(.*)"`)
}

func pythonSDKVersion(s *shelf) string {
	return s.pinned("../../scoreboard/python/requirements.txt", `(?m)^claude-agent-sdk==(.*)$`) + ", " + pythonVersion(s)
}

func (s *shelf) pinned(file, pattern string) string {
	s.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.find(string(text), pattern)
}

func (s *shelf) find(text, pattern string) string {
	s.t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		s.t.Fatalf("%q does not match %s", text, pattern)
	}
	return match[1]
}

package inventory

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/schema"
)

// Inventory is what the recordings of one version contain.
type Inventory struct {
	Version   string
	Scenarios map[string]*Course
}

// Course is what one recording contains.
type Course struct {
	// Lines are the kinds of the lines of both sides, in their order: "> user", "< result/success".
	Lines []string
	// Exit is how the CLI ended.
	Exit string
	// Failed says why the scenario did not hold. Empty if it did.
	Failed string
	// Short says that it was not played to its end: what is missing may have come.
	Short bool
	// Types counts the lines of the CLI by kind.
	Types map[string]int
	// Members has what was seen of the members that the CLI wrote, by definition and name.
	Members map[Member]*Seen
	// Asked says how the CLI replied to each subtype of request: "success" or "error".
	Asked map[string]string
	// Unknown is what the schemas do not name.
	Unknown []string
	// Cut says that the recording has only the start of a line of the CLI: members may be missing
	// that were there.
	Cut bool
}

// Member is a member of a definition.
type Member struct{ Definition, Name string }

func (m Member) String() string { return m.Definition + " " + m.Name }

// Seen is what was seen of a member.
type Seen struct {
	Kinds  map[string]bool
	Values map[string]bool // of an enum or a tag
	Known  bool            // the schemas name it
}

// Read reads the recordings of one version, AREA/NAME.ndjson below fsys, several at a time.
func Read(fsys fs.FS) (*Inventory, error) {
	o := newObserver()
	files, err := fs.Glob(fsys, "*/*.ndjson")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no recordings (AREA/NAME.ndjson)")
	}
	type result struct {
		version string
		course  *Course
		err     error
	}
	results := make([]result, len(files))
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		readers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(files)); i = next.Add(1) - 1 {
				r := &results[i]
				var entries []recording.Entry
				if entries, r.err = recording.ReadFile(fsys, files[i]); r.err == nil {
					r.version, r.course = entries[0].Version, course(entries, o)
				}
			}
		})
	}
	readers.Wait()
	inv := &Inventory{Scenarios: map[string]*Course{}}
	for i, name := range files {
		if results[i].err != nil {
			return nil, results[i].err
		}
		inv.Version = results[i].version
		inv.Scenarios[strings.TrimSuffix(name, path.Ext(name))] = results[i].course
	}
	return inv, nil
}

func course(entries []recording.Entry, o *observer) *Course {
	c := &Course{Types: map[string]int{}, Members: map[Member]*Seen{}, Asked: map[string]string{}}
	var asked recording.Requests[string] // the subtypes of requests from the SDK
	for i := range entries {
		e := &entries[i]
		switch e.Dir {
		case recording.Header:
			c.Failed, c.Short = e.Failed, e.Failed != "" && !e.Complete
			asked = recording.Requests[string]{} // those of the session before, if there was one
		case recording.ToCLI:
			for line := range strings.Lines(e.Line) {
				kind, l := classify(line, nil)
				if l.Type == "control_request" {
					asked.Ask(string(l.RequestID), l.Request.Subtype)
				}
				c.Lines = append(c.Lines, "> "+kind)
			}
		case recording.ToSDK:
			c.fromCLI(e, &asked, o)
		case recording.EOF:
			c.Lines = append(c.Lines, "> end of input")
		case recording.Signal:
			c.Lines = append(c.Lines, "> signal "+e.Line)
		case recording.Exit:
			if e.Code != nil {
				c.Exit = fmt.Sprint(*e.Code)
			}
			if e.Signal != "" {
				c.Exit += " " + e.Signal
			}
		}
	}
	if c.Types[recording.MirrorType] > 0 { // how many there are, and where, is chance
		c.Lines = append(c.Lines, "< "+recording.MirrorType)
	}
	return c
}

// mend closes what is open at the end of the start of a JSON text, and drops what cannot be closed.
func mend(text string) string {
	ends := make([]string, len(text)+1) // what closes the text before each place
	end, quoted := "", false
	for i := 0; i < len(text); i++ {
		ends[i] = end
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			end = string(c+2) + end // '}' follows '{' by two, ']' follows '['
		case (c == '}' || c == ']') && end != "":
			end = end[1:]
		}
	}
	ends[len(text)] = end
	for i := len(text); i > 0; i-- {
		if whole := text[:i] + ends[i]; json.Valid([]byte(whole)) {
			return whole
		}
	}
	return ""
}

func (c *Course) fromCLI(e *recording.Entry, asked *recording.Requests[string], o *observer) {
	text := e.Line
	if e.Truncated > 0 {
		c.Cut, text = true, mend(text)
	}
	var subtype string // of the request that the line answers
	kind, l := classify(text, func(l *line) string {
		subtype, _ = asked.Answer(string(l.Response.RequestID), func(subtype string) bool {
			return l.Response.Subtype == "error" || recording.Fits(subtype, l.Response.Response)
		})
		return subtype
	})
	c.Types[kind]++
	if kind != recording.MirrorType {
		c.Lines = append(c.Lines, "< "+kind)
	}
	if e.Truncated > 0 {
		return
	}
	c.note(kind, o.observe(schema.FromCLI.Definition(), text))
	if l.Type != "control_response" || subtype == "" {
		return
	}
	if c.Asked[subtype] != "success" {
		c.Asked[subtype] = l.Response.Subtype
	}
	if d := schema.Default().Response(subtype); d != nil && len(l.Response.Response) > 0 {
		c.note(kind, o.observe(d.Name(), string(l.Response.Response)))
	}
}

// line is what classify looks at.
type line struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	RequestID json.RawMessage `json:"request_id"`
	Request   struct {
		Subtype string `json:"subtype"`
		Input   struct {
			Event string `json:"hook_event_name"`
		} `json:"input"`
		Message struct {
			Method string `json:"method"`
		} `json:"message"`
	} `json:"request"`
	Response struct {
		Subtype   string          `json:"subtype"`
		RequestID json.RawMessage `json:"request_id"`
		Response  json.RawMessage `json:"response"`
	} `json:"response"`
	Event struct {
		Type string `json:"type"`
	} `json:"event"`
}

// Kind names the kind of a line by its tags: "result/success".
func Kind(text string) string {
	kind, _ := classify(text, nil)
	return kind
}

// classify names the kind of a line by its tags. A reply is named by the request that it answers,
// of which answered, if it is not nil, returns the subtype.
func classify(text string, answered func(*line) string) (string, *line) {
	var l line
	if err := json.Unmarshal([]byte(text), &l); err != nil && l.Type == "" {
		return "(no object)", &l
	}
	parts := []string{l.Type, l.Subtype, l.Request.Subtype, l.Request.Input.Event, l.Request.Message.Method, l.Event.Type}
	if l.Type == "control_response" {
		if answered != nil {
			parts = append(parts, answered(&l))
		}
		parts = append(parts, l.Response.Subtype)
	}
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return "(no type)", &l
	}
	return strings.Join(kept, "/"), &l
}

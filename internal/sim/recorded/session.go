package recorded

import (
	"encoding/json"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
)

// Session is what a recording tells of the model and the tools.
type Session struct {
	Version string   // of the CLI, "" if nothing tells it
	Args    []string // of the CLI
	Dir     string   // the working directory, "" if nothing tells it
	Prompt  string   // what the user said first

	answers []*answer
	uses    map[string]*use // by id
	results []*result       // of tools, in their order
	notes   []string

	model   string            // of the session at this place
	local   map[string]bool   // servers of MCP in the SDK's process
	agents  map[string]string // the tool uses that started subagents, by the agent's id
	changed map[string]bool   // uses of tools whose input the SDK has changed
	denied  map[string]bool   // uses of tools that the SDK has refused
	asked   map[string]string // uses of tools, by the id of the request about them
	since   []*answer         // after the last result
	spent   float64           // tokens that models wrote until then
	last    float64           // when the request could be made whose answer comes next
	deltas  []float64         // when the pieces of the answer came
}

// answer is one answer of the model: a message, or an error.
type answer struct {
	id      string
	agent   string // the tool use that started the subagent that was answered; "" for the session itself
	model   string // "" for the one that the session has
	content []object.Object
	usage   object.Object // as far as it is known
	final   bool          // the usage is that of the end of the message
	stop    string        // the reason, "" if nothing tells it
	marker  string        // the stop sequence
	before  float64       // milliseconds before it began
	every   float64       // milliseconds between its pieces
	chunk   int           // characters of a piece
	pieces  int           // of the block that is not whole yet
	cut     bool          // a block came in several pieces
	fault   *failure      // in place of a message
	stalled bool          // an interrupt came before its end
	events  int           // that came, if it was streamed
	ended   bool          // the last of them has come
	partial object.Object // the block that is not whole yet
}

// failure is an error of the API.
type failure struct {
	status  int // 0 if there was no answer at all
	message string
	last    bool // the CLI has not tried again
}

// use is a tool use of the model.
type use struct {
	name  string
	input object.Object
}

// result is what a tool gave back.
type result struct {
	id      string
	block   object.Object
	detail  any // tool_use_result
	changed bool
}

// Read takes the entries of one session apart.
func Read(entries []recording.Entry) (*Session, error) {
	s := &Session{
		uses: map[string]*use{}, local: map[string]bool{}, agents: map[string]string{}, changed: map[string]bool{}, denied: map[string]bool{},
		asked: map[string]string{},
	}
	for i := range entries {
		e := &entries[i]
		switch e.Dir {
		case recording.Header:
			s.Version, s.Args = e.Version, e.Args
		case recording.Lost:
			s.note("the recording lacks bytes that passed: what was in them is not in the script")
		case recording.ToCLI, recording.ToSDK:
			data, err := e.Bytes()
			if err != nil {
				return nil, err
			}
			v, err := object.Parse(data)
			line, ok := v.(object.Object)
			switch {
			case err != nil && e.Truncated > 0:
				s.note("a line is too long for the recording: what was in it is not in the script")
			case err != nil || !ok:
			case e.Dir == recording.ToCLI:
				s.fromSDK(line, e.Time)
			default:
				s.fromCLI(line, e.Time)
			}
		}
	}
	s.finish()
	return s, nil
}

// Spoke reports whether the model was asked in the session.
func (s *Session) Spoke() bool { return len(s.answers) > 0 || s.Prompt != "" }

// note notes what is to be said of the script, once.
func (s *Session) note(text string) {
	for _, n := range s.notes {
		if n == text {
			return
		}
	}
	s.notes = append(s.notes, text)
}

// objects returns the objects of a list.
func objects(list []any) (all []object.Object) {
	for _, v := range list {
		if o, ok := v.(object.Object); ok {
			all = append(all, o)
		}
	}
	return all
}

// raw returns a value as JSON.
func raw(v any) json.RawMessage { return object.Append(nil, v) }

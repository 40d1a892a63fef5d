package accept

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A base is a line as SDKs write it, which is changed.
type base struct {
	frame string       // as in [accepts.Key]
	node  *schema.Node // of the body
	body  any          // what is changed
	root  bool         // the body as a whole can be changed
	stage *stage
	fresh bool // what it does lasts, so that it is played in a session of its own
	wrap  string
	list  []change // its changes, if they are not those of its members
}

// changes lists the changes of the line.
func (b *base) changes(set *schema.Set) []change {
	if b.list != nil {
		return slices.Clone(b.list)
	}
	return changes(set, b.node, b.body, b.root)
}

// What stands in lines for what is put in when they are written.
const (
	idMark   = "@id"
	uuidMark = "@uuid"
	bodyMark = `"@body"`
)

// The lines around bodies.
const (
	plainWrap   = bodyMark
	requestWrap = `{"type":"control_request","request_id":"` + idMark + `","request":` + bodyMark + `}`
	answerWrap  = `{"type":"control_response","response":{"subtype":"success","request_id":"` + idMark + `","response":` + bodyMark + `}}`
)

// text returns the line for a body.
func (b *base) text(body any) string {
	if body == object.Absent {
		return strings.Replace(b.wrap, `,"response":`+bodyMark, "", 1)
	}
	if raw, ok := body.(rawText); ok {
		return string(raw)
	}
	return strings.Replace(b.wrap, bodyMark, object.Text(body), 1)
}

// mostBases is how many lines of a frame are changed.
const mostBases = 24

// skipped are requests that end a session, leave it, or wait for what is not there.
var skipped = []string{
	"end_session", "claude_authenticate", "claude_oauth_callback", "claude_oauth_wait_for_completion", "remote_control",
	"ultrareview_launch", "rewind_conversation", "fork_conversation", "claim_session", "interrupt", "set_cwd", "submit_feedback",
	"submit_survey_feedback", "rewind_files", "generate_session_title", "side_question", "mcp_authenticate", "reload_plugins", "export_conversation",
}

// bases finds the lines to change: recorded ones, the newest first, and the examples of the
// schemas. Of each frame as many are kept as show all members.
func bases(set *schema.Set) ([]*base, error) {
	c := &collector{set: set, covered: map[string]map[string]bool{}, texts: map[string]bool{}, count: map[string]int{}}
	sessions, err := corpus.All()
	if err != nil {
		return nil, err
	}
	sessions = slices.Clone(sessions)
	slices.SortStableFunc(sessions, func(a, b *corpus.Session) int { return corpus.Compare(b.Version, a.Version) })
	for _, s := range sessions {
		c.session(s)
	}
	for _, d := range set.Definitions() {
		c.examples(d)
	}
	c.envelopes()
	c.list = append(c.list, &base{frame: accepts.Line, body: rawText(rawPrompt), wrap: plainWrap, stage: prompts, list: rawChanges()})
	slices.SortStableFunc(c.list, func(a, b *base) int { return strings.Compare(a.frame, b.frame) })
	return c.list, nil
}

type collector struct {
	set     *schema.Set
	list    []*base
	covered map[string]map[string]bool // members by frame
	texts   map[string]bool
	count   map[string]int
}

// session takes what the SDK wrote in a recording.
func (c *collector) session(s *corpus.Session) {
	asked := map[string]*asking{}
	for i := range s.Lines {
		l := &s.Lines[i]
		var h struct {
			Type      string
			RequestID json.RawMessage `json:"request_id"`
			Request   json.RawMessage
			Response  struct {
				Subtype   string
				RequestID json.RawMessage `json:"request_id"`
				Response  json.RawMessage
			}
		}
		if json.Unmarshal(l.Text, &h) != nil {
			continue
		}
		if l.Dir == recording.ToSDK {
			if a := (&asking{}); h.Type == "control_request" && json.Unmarshal(h.Request, a) == nil {
				asked[string(h.RequestID)] = a
			}
			continue
		}
		switch {
		case h.Type == "control_request" && l.Asks != "" && l.Outcome == recording.Success:
			c.request(l.Asks, h.Request)
		case h.Type == "control_response" && h.Response.Subtype == "success" && asked[string(h.Response.RequestID)] != nil:
			c.answer(asked[string(h.Response.RequestID)], h.Response.Response)
		case h.Type == "user" || slices.Contains(otherTypes, h.Type):
			c.line(h.Type, l.Text)
		}
	}
}

// otherTypes are lines that are neither messages nor part of an exchange.
var otherTypes = []string{"keep_alive", "control_cancel_request", "update_environment_variables"}

func (c *collector) examples(d *schema.Definition) {
	for _, e := range d.Examples {
		switch {
		case d.IsRequest():
			var head struct{ Subtype string }
			if json.Unmarshal(e, &head) == nil {
				c.request(head.Subtype, e)
			}
		case strings.HasPrefix(d.File, "hook/") && strings.HasSuffix(d.Pointer, "/Output"):
			a := &asking{Subtype: "hook_callback"}
			a.Input.Event = strings.TrimSuffix(strings.TrimPrefix(d.File, "hook/"), ".json")
			c.answer(a, fmt.Appendf(nil, `{"hookSpecificOutput":%s}`, e))
		case d.Name() == "message/user.json" && !bytes.Contains(e, []byte("tool_result")) && !bytes.Contains(e, []byte("isReplay")):
			c.line("user", e)
		}
	}
}

func (c *collector) request(subtype string, body []byte) {
	d := c.set.Request(subtype)
	if d == nil || d.Direction == "cli-to-sdk" || strings.HasPrefix(d.File, "host/") || slices.Contains(skipped, subtype) {
		return
	}
	b := &base{frame: "control_request/" + subtype, node: d.Node, stage: requests, wrap: requestWrap}
	if subtype == "initialize" {
		b.stage, b.fresh = opening, true
	}
	c.add(b, d.Name(), body)
}

func (c *collector) answer(a *asking, body []byte) {
	d := c.set.Response(a.Subtype)
	if d == nil || len(body) == 0 {
		return
	}
	b := &base{frame: "control_response/" + a.kind(), node: d.Node, root: true, wrap: answerWrap}
	switch a.Subtype {
	case "can_use_tool":
		b.stage = asks
		if bytes.Contains(body, []byte("updatedInput")) && !bytes.Contains(body, []byte("file_path")) {
			return // of another tool
		}
		b.fresh = bytes.Contains(body, []byte("updatedPermissions"))
	case "hook_callback":
		if b.stage = hookStages[a.Input.Event]; b.stage == nil {
			return
		}
	case "mcp_message":
		if b.stage = mcpStages[a.Message.Method]; b.stage == nil || !bytes.Contains(body, []byte("mcp_response")) {
			return
		}
		b.fresh = a.Message.Method != "tools/call"
		if !b.fresh {
			body = bytes.Replace(body, fmt.Appendf(nil, `"id":%s`, a.Message.ID), []byte(`"id":"@call"`), 1)
		}
	default:
		return
	}
	c.add(b, d.Name(), body)
}

func (c *collector) line(kind string, text []byte) {
	d, err := c.set.Places(schema.FromSDK.Definition(), text)
	if err != nil {
		return
	}
	b := &base{frame: kind, wrap: plainWrap, stage: lone}
	if kind == "user" {
		b.stage = prompts
	}
	for _, p := range d {
		if p.At == "" {
			b.node = p.Definition.Node // the innermost comes last
		}
	}
	c.add(b, schema.FromSDK.Definition(), text)
}

// add keeps a base if it shows members that those before it do not.
func (c *collector) add(b *base, definition string, text []byte) {
	if b.node == nil || c.texts[b.frame+string(text)] || c.count[b.frame] == mostBases || len(text) > 20000 {
		return
	}
	c.texts[b.frame+string(text)] = true
	if c.set.Closed().Validate(definition, text) != nil {
		return
	}
	body, err := object.Parse(text)
	if err != nil {
		return
	}
	if o, ok := body.(object.Object); ok && b.frame == "user" {
		if o.Has("uuid") {
			o.Set("uuid", uuidMark)
		}
		if o.Object("message").Text("role") != "user" {
			return
		}
	}
	b.body = body
	if c.covered[b.frame] == nil {
		c.covered[b.frame] = map[string]bool{}
	}
	names := map[string]bool{}
	for _, name := range members(changes(c.set, b.node, b.body, b.root)) {
		if !c.covered[b.frame][name] {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return
	}
	maps.Copy(c.covered[b.frame], names)
	c.count[b.frame]++
	c.list = append(c.list, b)
}

// envelopes adds the frames around requests and answers, as a whole.
func (c *collector) envelopes() {
	for _, e := range []struct {
		frame, text string
		stage       *stage
	}{
		{"control_request", `{"type":"control_request","request_id":"@id","request":{"subtype":"set_permission_mode","mode":"default"}}`, requests},
		{"control_response", `{"type":"control_response","response":{"subtype":"success","request_id":"@id","response":{"behavior":"allow","updatedInput":{"file_path":"/scratch/cwd/b.txt","content":"allowed"}}}}`, asks},
		{"control_response", `{"type":"control_response","response":{"subtype":"error","request_id":"@id","error":"no such thing"}}`, asks},
	} {
		c.line(e.frame, []byte(e.text))
		if b := c.list[len(c.list)-1]; b.frame == e.frame {
			b.stage = e.stage
		}
	}
}

package recorded

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// fromCLI takes a line that the CLI wrote.
func (s *Session) fromCLI(line object.Object, at float64) {
	switch line.Text("type") {
	case "system":
		s.system(line, at)
	case "stream_event":
		s.event(line, at)
	case "assistant":
		s.assistant(line, at)
	case "user":
		s.user(line, at)
	case "control_request":
		s.request(line)
	case "transcript_mirror":
		for _, entry := range objects(line.List("entries")) {
			s.entry(line.Text("filePath"), entry)
		}
	case "result":
		s.result(line)
		s.last = at
	}
}

func (s *Session) system(line object.Object, at float64) {
	switch line.Text("subtype") {
	case "init":
		s.Dir, s.model = line.Text("cwd"), line.Text("model")
		if v := line.Text("claude_code_version"); v != "" && v != "[version]" {
			s.Version = v
		}
	case "api_retry":
		status, _ := line.Number("error_status")
		s.add(&answer{fault: &failure{status: int(status), message: line.Text("error")}})
		s.last = at
	case "compact_boundary":
		s.note("the conversation was compacted: what the model wrote for that is not in the recording")
	case "model_fallback":
		s.model = line.Text("fallback_model")
	}
}

// request takes a request of the CLI that is about a tool use, or to a server in the SDK.
func (s *Session) request(line object.Object) {
	request := line.Object("request")
	if server := request.Text("server_name"); server != "" {
		s.local[server] = true
	}
	if id := request.Text("tool_use_id"); id != "" {
		s.asked[line.Text("request_id")] = id
	}
}

// add adds an answer to what the model said.
func (s *Session) add(a *answer) *answer {
	s.answers = append(s.answers, a)
	s.since = append(s.since, a)
	return a
}

// message returns the answer with an id, which it adds if it is new.
func (s *Session) message(m object.Object, agent string, at float64) *answer {
	id := m.Text("id")
	for _, a := range slices.Backward(s.answers) {
		if a.id == id {
			return a
		}
	}
	a := s.add(&answer{id: id, agent: agent, usage: m.Object("usage")})
	if model := m.Text("model"); model != s.model {
		a.model = model
	}
	if s.last > 0 && at > s.last {
		a.before = at - s.last
	}
	return a
}

func (s *Session) assistant(line object.Object, at float64) {
	m := line.Object("message")
	if m.Text("model") == "<synthetic>" {
		s.failed(line)
		return
	}
	a := s.message(m, line.Text("parent_tool_use_id"), at)
	for _, b := range objects(m.List("content")) {
		s.block(a, b)
	}
	if reason := m.Text("stop_reason"); reason != "" {
		a.stop, a.marker = reason, m.Text("stop_sequence")
	}
}

// block adds a block of an answer.
func (s *Session) block(a *answer, b object.Object) {
	if id := b.Text("id"); b.Text("type") == "tool_use" && id != "" {
		if s.uses[id] != nil {
			return
		}
		s.uses[id] = &use{b.Text("name"), b.Object("input")}
	}
	a.content = append(a.content, b)
}

// event takes an event of an answer that is streamed.
func (s *Session) event(line object.Object, at float64) {
	event, agent := line.Object("event"), line.Text("parent_tool_use_id")
	if a := s.latest(agent); a != nil && a.events > 0 {
		a.events++
	}
	switch event.Text("type") {
	case "message_start":
		s.deltas = nil
		s.message(event.Object("message"), agent, at).events = 1
	case "content_block_start":
		if a := s.latest(agent); a != nil {
			a.partial, a.pieces = event.Object("content_block"), 0
		}
	case "content_block_stop":
		if a := s.latest(agent); a != nil {
			a.partial = nil
		}
	case "content_block_delta":
		if a := s.latest(agent); a != nil {
			s.deltas = append(s.deltas, at)
			a.piece(event.Object("delta"))
		}
	case "message_delta":
		a := s.latest(agent)
		if a == nil {
			return
		}
		delta := event.Object("delta")
		a.stop, a.marker, a.ended = delta.Text("stop_reason"), delta.Text("stop_sequence"), true
		a.usage, a.final = a.usage.With(event.Object("usage").Pairs()...), true
		if n := len(s.deltas); n > 1 {
			a.every = (s.deltas[n-1] - s.deltas[0]) / float64(n-1)
		}
	}
}

// piece takes a piece of a block.
func (a *answer) piece(delta object.Object) {
	for _, name := range []string{"text", "thinking", "partial_json"} {
		text := delta.Text(name)
		if text == "" {
			continue
		}
		a.chunk = max(a.chunk, len([]rune(text)))
		a.pieces++
		a.cut = a.cut || a.pieces > 1
		if a.partial.Has(name) {
			a.partial = a.partial.With(name, a.partial.Text(name)+text)
		}
	}
}

// latest returns the last answer that an agent got.
func (s *Session) latest(agent string) *answer {
	for _, a := range slices.Backward(s.answers) {
		if a.agent == agent && a.fault == nil {
			return a
		}
	}
	return nil
}

// The texts in which the CLI tells an error of the API.
var (
	plainError    = regexp.MustCompile(`API Error: (\d{3}) ((?s).*)`)
	rejectedError = regexp.MustCompile(`API Error: Request rejected \(\d+\) · ((?s).*)`)
)

// failed takes a message that the CLI wrote in place of the model.
func (s *Session) failed(line object.Object) {
	if !line.Has("error") && !line.Bool("is_api_error_message") && !line.Has("api_error_status") {
		return // what a command of the user has printed
	}
	f := &failure{last: true}
	if status, ok := line.Number("api_error_status"); ok {
		f.status = int(status)
	}
	text := textOf(line.Object("message").Get("content"))
	if m := plainError.FindStringSubmatch(text); m != nil {
		f.message = m[2]
	} else if m := rejectedError.FindStringSubmatch(text); m != nil {
		f.message = m[1]
	}
	if v, err := object.Parse([]byte(f.message)); err == nil { // the body of the answer
		if body, ok := v.(object.Object); ok {
			f.message = body.Object("error").Text("message")
		}
	}
	if f.message == "" {
		s.note("an error of the API has a text that the recording does not show")
	}
	s.add(&answer{agent: line.Text("parent_tool_use_id"), fault: f})
}

func (s *Session) user(line object.Object, at float64) {
	if agent, parent := line.Text("agent_id"), line.Text("parent_tool_use_id"); agent != "" && parent != "" {
		s.agents[agent] = parent
	}
	meta := map[string]object.Object{}
	for _, m := range objects(line.List("tool_result_meta")) {
		meta[m.Text("id")] = m
	}
	blocks := objects(line.Object("message").List("content"))
	for _, b := range blocks {
		id := b.Text("tool_use_id")
		u := s.uses[id]
		if b.Text("type") != "tool_result" || u == nil {
			continue
		}
		s.last = at
		var detail any = object.Absent
		if len(blocks) == 1 && line.Has("tool_use_result") {
			detail = line.Get("tool_use_result")
		}
		if slices.Contains(starting, u.name) {
			s.agentEnded(id, detail)
		}
		refused := meta[id].Has("non_execution_kind") || meta[id].Object("permission_decision").Text("decision") == "reject"
		if !refused && !s.denied[id] && (!s.acts(u) || agentDone(u, detail)) {
			s.results = append(s.results, &result{id, b, detail, s.changed[id]})
		}
	}
}

// agentDone reports whether a result is that of a subagent that was waited for.
func agentDone(u *use, detail any) bool {
	o, _ := detail.(object.Object)
	return slices.Contains(starting, u.name) && o.Text("status") == "completed"
}

// agentEnded takes the result of a subagent: what it said last, which no other line has.
func (s *Session) agentEnded(id string, detail any) {
	o, _ := detail.(object.Object)
	content := objects(o.List("content"))
	if o.Text("status") != "completed" || len(content) == 0 {
		if s.latest(id) == nil {
			s.note("a subagent works in the background: what it said is in the recording only as far as the CLI tells it")
		}
		return
	}
	a := s.latest(id)
	if a == nil || !slices.EqualFunc(a.content, content, func(x, y object.Object) bool { return x.Text("text") == y.Text("text") }) {
		a = s.add(&answer{id: "end of " + id, agent: id, content: content})
	}
	a.usage, a.final = o.Object("usage"), true
}

// entry takes an entry of the file in which the CLI keeps a conversation: it has the usage of whole
// messages, and what subagents say.
func (s *Session) entry(file string, entry object.Object) {
	m := entry.Object("message")
	if entry.Text("type") != "assistant" || m.Text("model") == "<synthetic>" || m.Text("id") == "" {
		return
	}
	agent := ""
	if entry.Bool("isSidechain") {
		id := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(file), ".jsonl"), "agent-")
		if agent = s.agents[id]; agent == "" {
			return
		}
	}
	a := s.known(m.Text("id"))
	if a == nil && agent == "" {
		return // of a session before
	}
	if a == nil {
		a = s.said(agent, m)
	}
	a.usage, a.final = m.Object("usage"), true
	if reason := m.Text("stop_reason"); reason != "" {
		a.stop, a.marker = reason, m.Text("stop_sequence")
	}
}

// known returns the answer with an id, nil if there is none.
func (s *Session) known(id string) *answer {
	for _, a := range s.answers {
		if a.id == id {
			return a
		}
	}
	return nil
}

// said returns the answer to a subagent that only its file has, or that was taken from its result.
func (s *Session) said(agent string, m object.Object) *answer {
	content := objects(m.List("content"))
	if a := s.known("end of " + agent); a != nil && textOf(anys(a.content)) == textOf(anys(content)) {
		a.id = m.Text("id")
		return a
	}
	a := s.add(&answer{id: m.Text("id"), agent: agent})
	for _, b := range content {
		s.block(a, b)
	}
	return a
}

func anys(list []object.Object) (all []any) {
	for _, o := range list {
		all = append(all, o)
	}
	return all
}

package main

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// source is text as tools return it: Go code, with its tabs, line breaks and quotes.
//
//go:embed source.txt
var source string

var sourceLines = strings.SplitAfter(source, "\n")

// code returns at least size bytes of source code.
func (g *maker) code(size int) string {
	var b strings.Builder
	for b.Len() < size {
		from := g.IntN(len(sourceLines) - 8)
		for _, l := range sourceLines[from : from+8] {
			b.WriteString(l)
		}
	}
	return b.String()
}

// agentic makes the lines of agents at work, the same on every run: two sessions that take turns on
// one reader, each with a subagent, and messages that think, say something and call tools. Most
// lines are pieces of what is streamed; most bytes are what tools return.
func agentic() []line {
	g := &maker{Rand: rand.New(rand.NewPCG(5, 6))}
	a := &agent{maker: g, session: session}
	b := &agent{maker: g, session: "7be2f0ac-51c5-4d3e-9a0f-0d6c1f1f6a55"}
	var turns [2][]string
	for i := range 40 {
		turns[0], turns[1] = a.turn(2*i), b.turn(2*i+1)
		for len(turns[0])+len(turns[1]) > 0 { // in stretches of some lines
			from := g.IntN(2)
			n := min(1+g.IntN(6), len(turns[from]))
			for _, l := range turns[from][:n] {
				g.add(l)
			}
			turns[from] = turns[from][n:]
		}
	}
	g.add(a.toolResult(g.code(1 << 20)))
	return g.lines
}

// An agent writes the lines of one session.
type agent struct {
	*maker
	session string
	parent  string // the call that started the subagent
	id      string // of the message
}

// turn returns the lines from a prompt to its result.
func (a *agent) turn(n int) []string {
	var out []string
	add := func(l ...string) { out = append(out, l...) }
	add(a.inSession(a.init()))
	for m := range 3 {
		a.id = fmt.Sprintf("msg_01%022d", n*10+m)
		add(a.message(m)...)
		if m == 1 { // the subagent's work comes between the pieces of the main agent's
			sub := &agent{maker: a.maker, session: a.session, parent: "toolu_01Task", id: a.id + "s"}
			pieces, main := sub.message(0), a.message(2)
			for len(pieces)+len(main) > 0 {
				k := min(4, len(pieces))
				add(pieces[:k]...)
				pieces = pieces[k:]
				k = min(4, len(main))
				add(main[:k]...)
				main = main[k:]
			}
		}
	}
	return append(out, a.inSession(a.result()))
}

// inSession makes a line that the maker writes one of the agent's session.
func (a *agent) inSession(l string) string { return strings.ReplaceAll(l, session, a.session) }

// message returns the lines of one reply and of the tool call in it.
func (a *agent) message(m int) []string {
	var out []string
	event := func(format string, args ...any) { out = append(out, a.event(fmt.Sprintf(format, args...), "")) }
	event(`{"type":"message_start","message":{"model":"claude-opus-5-5","id":%q,"type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":410,"cache_read_input_tokens":20480,"cache_creation":{"ephemeral_5m_input_tokens":410,"ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard"}}}`, a.id)
	event(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`)
	for range 30 {
		out = append(out, a.thinkingDelta())
	}
	event(`{"type":"content_block_stop","index":0}`)
	event(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`)
	for range 40 {
		out = append(out, a.textDelta())
	}
	event(`{"type":"content_block_stop","index":1}`)
	out = append(out, a.assistant(`{"type":"text","text":`+quote(a.words(60))+`}`))
	event(`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_01%022d","name":"Write","input":{}}}`, a.IntN(1<<30))
	for range 40 {
		out = append(out, a.inputDelta())
	}
	event(`{"type":"content_block_stop","index":2}`)
	size := 200 << a.IntN(8) // up to 25 kB
	text := a.code(size)
	out = append(out, a.toolUse(text[:min(len(text), 4000)]))
	out = append(out, a.inSession(a.hook()))
	if m == 0 {
		out = append(out, a.ask())
	}
	if m == 1 && a.IntN(4) == 0 {
		out = append(out, a.image(60<<10))
	} else {
		out = append(out, a.toolResult(text))
	}
	if m == 2 {
		out = append(out, a.mcp())
	}
	event(`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":12,"cache_creation_input_tokens":410,"cache_read_input_tokens":20480,"output_tokens":%d}}`, a.IntN(900))
	event(`{"type":"message_stop"}`)
	return out
}

// event returns a stream event; more are members that some have.
func (a *agent) event(event, more string) string {
	parent := "null"
	if a.parent != "" {
		parent = quote(a.parent)
	}
	return `{"type":"stream_event","event":` + event + `,"session_id":"` + a.session + `","parent_tool_use_id":` + parent + `,"uuid":"` + a.uuid() + `"` + more + `,"api_message_id":"` + a.id + `"}`
}

func (a *agent) textDelta() string {
	return a.event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":`+quote(a.words(2+a.IntN(6)))+`}}`, "")
}

func (a *agent) thinkingDelta() string {
	return a.event(`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":`+quote(a.words(3+a.IntN(8)))+`}}`, `,"thinking_display":"updates"`)
}

// inputDelta carries a piece of JSON text whose strings hold source code: escapes of escapes.
func (a *agent) inputDelta() string {
	text := quote(a.code(400))
	from := a.IntN(200)
	piece := text[from : from+10+a.IntN(50)]
	return a.event(`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":`+quote(piece)+`}}`, "")
}

func (a *agent) assistant(block string) string {
	parent := "null"
	if a.parent != "" {
		parent = quote(a.parent)
	}
	return `{"type":"assistant","message":{"model":"claude-opus-5-5","id":"` + a.id + `","type":"message","role":"assistant","content":[` + block + `],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":410,"cache_read_input_tokens":20480,"cache_creation":{"ephemeral_5m_input_tokens":410,"ephemeral_1h_input_tokens":0},"output_tokens":61,"service_tier":"standard"},"context_management":null},"parent_tool_use_id":` + parent + `,"session_id":"` + a.session + `","uuid":"` + a.uuid() + `","timestamp":"2026-11-14T23:47:15.610Z","request_id":"req_011CX` + a.word() + `"}`
}

// toolUse is the call of a tool that writes a file.
func (a *agent) toolUse(text string) string {
	return a.assistant(fmt.Sprintf(`{"type":"tool_use","id":"toolu_01%022d","name":"Write","input":{"file_path":"/scratch/out.go","content":%s}}`, a.IntN(1<<30), quote(text)))
}

// toolResult is what a tool returned: for the model, and as data.
func (a *agent) toolResult(text string) string {
	body := quote(text)
	return a.user(`{"tool_use_id":"toolu_01x","type":"tool_result","content":`+body+`,"is_error":false}`,
		`{"type":"text","file":{"filePath":"/scratch/in.go","content":`+body+`,"numLines":120,"startLine":1,"totalLines":120}}`)
}

// image is an image that a tool has read.
func (a *agent) image(size int) string {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(a.Uint32())
	}
	text := base64.StdEncoding.EncodeToString(data)
	return a.user(`{"tool_use_id":"toolu_01x","type":"tool_result","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+text+`"}}]}`,
		fmt.Sprintf(`{"type":"image","file":{"base64":"%s","type":"image/png","originalSize":%d}}`, text, size))
}

func (a *agent) user(block, result string) string {
	parent := "null"
	if a.parent != "" {
		parent = quote(a.parent)
	}
	return `{"type":"user","message":{"role":"user","content":[` + block + `]},"parent_tool_use_id":` + parent + `,"session_id":"` + a.session + `","uuid":"` + a.uuid() + `","timestamp":"2026-11-14T23:47:15.610Z","tool_use_result":` + result + `}`
}

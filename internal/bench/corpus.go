package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"

	"github.com/ccwire/ccwire/internal/bench/plain"
)

// A kind is a sort of line, which the libraries are told beforehand: an index into kinds.
type kind int

// kinds are the names of the kinds, and makers make values of their types.
var (
	kinds  []string
	makers []func() any
)

// A line is one frame of the corpus.
type line struct {
	kind     kind
	from, to int // in memory
}

// plain returns a new value of the type that the libraries fill with the line.
func (l line) plain() any { return makers[l.kind]() }

func (l line) text() []byte { return memory[l.from:l.to:l.to] }

// memory holds the text of all lines. It is outside of the heap: a program that reads a stream has
// not all of its lines alive, so its heap is small and the collector runs often.
var memory = outside(96 << 20)

func outside(size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	must(err)
	return b[:0]
}

// store returns the line with its text in memory.
func store(text []byte) line {
	from := len(memory)
	memory = memory[:from+len(text)]
	copy(memory[from:], text)
	name := kindOf(text)
	k := slices.Index(kinds, name)
	if k < 0 {
		k = len(kinds)
		kinds, makers = append(kinds, name), append(makers, plain.New[name])
	}
	return line{kind(k), from, len(memory)}
}

// longSession makes the lines of a long session in realistic proportions: nearly all are pieces of
// streamed text. It is the same on every run.
func longSession() []line {
	g := &maker{rand.New(rand.NewPCG(1, 2)), nil}
	for turn := range 30 {
		g.add(g.init())
		for m := range 6 {
			id := fmt.Sprintf("msg_01%022d", turn*10+m)
			g.add(g.event(id, `{"type":"message_start","message":{"id":"`+id+`","type":"message","role":"assistant","model":"claude-opus-5-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1,"service_tier":"standard"}}}`))
			g.add(g.event(id, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`))
			for range 200 {
				g.add(g.event(id, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quote(g.words(2+g.IntN(6)))+`}}`))
			}
			for range 4 {
				g.add(g.event(id, `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":`+quote(`{"file_path": "/scratch/`+g.word())+`}}`))
			}
			g.add(g.event(id, `{"type":"content_block_stop","index":0}`))
			g.add(g.assistant(id))
			if m%2 == 0 {
				g.add(g.ask())
				g.add(g.hook())
				g.add(g.toolResult(8 << 10))
			}
			if m == 5 {
				g.add(g.mcp())
			}
			g.add(g.event(id, `{"type":"message_stop"}`))
		}
		g.add(g.result())
	}
	g.add(g.big(1 << 20))
	return g.lines
}

type maker struct {
	*rand.Rand
	lines []line
}

func (g *maker) add(text string) { g.lines = append(g.lines, store([]byte(text))) }

const session = "49fc1201-7718-4158-ae47-85cfe23a7436"

func (g *maker) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", g.Uint32(), g.IntN(1<<16), g.IntN(1<<12), g.IntN(1<<12), g.Uint64N(1<<48))
}

var vocabulary = strings.Fields("the pipe frame carries a line of text and every reader must split it at the same place or lose what came after so we keep each member that nobody knows")

func (g *maker) word() string { return vocabulary[g.IntN(len(vocabulary))] }

// words returns a few words, now and then with a line break, quotes or an umlaut, as replies have
// them.
func (g *maker) words(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(' ')
		b.WriteString(g.word())
	}
	switch g.IntN(12) {
	case 0:
		b.WriteString(".\n\n")
	case 1:
		b.WriteString(` "` + g.word() + `"`)
	case 2:
		b.WriteString(" größer")
	}
	return b.String()
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (g *maker) event(id, event string) string {
	return `{"type":"stream_event","event":` + event + `,"session_id":"` + session + `","parent_tool_use_id":null,"uuid":"` + g.uuid() + `","api_message_id":"` + id + `"}`
}

func (g *maker) assistant(id string) string {
	return `{"type":"assistant","message":{"id":"` + id + `","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":` + quote(g.words(60)) + `},{"type":"tool_use","id":"toolu_01` + g.word() + `","name":"Write","input":{"file_path":"/scratch/out.txt","content":` + quote(g.words(20)) + `}}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":2048,"output_tokens":61,"service_tier":"standard"},"context_management":null},"parent_tool_use_id":null,"session_id":"` + session + `","uuid":"` + g.uuid() + `","timestamp":"2026-11-14T23:47:15.610Z","request_id":"req_` + g.word() + `"}`
}

func (g *maker) toolResult(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(g.words(10))
		b.WriteByte('\n')
	}
	text := quote(b.String())
	return `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_01x","type":"tool_result","content":` + text + `,"is_error":false}]},"parent_tool_use_id":null,"session_id":"` + session + `","uuid":"` + g.uuid() + `","timestamp":"2026-11-14T23:47:15.610Z","tool_use_result":{"type":"text","file":{"filePath":"/scratch/in.txt","content":` + text + `,"numLines":120}}}`
}

func (g *maker) init() string {
	var tools []string
	for i := range 30 {
		tools = append(tools, quote(fmt.Sprintf("Tool%d", i)))
	}
	return `{"type":"system","subtype":"init","cwd":"/scratch","session_id":"` + session + `","tools":[` + strings.Join(tools, ",") + `],"mcp_servers":[{"name":"srv","status":"connected","source":"sdk"}],"model":"claude-opus-5-5","permissionMode":"default","slash_commands":["clear","compact","context"],"apiKeySource":"ANTHROPIC_API_KEY","claude_code_version":"2.1.325","output_style":"default","agents":["general-purpose","Plan"],"skills":["review"],"plugins":[],"uuid":"` + g.uuid() + `","fast_mode_state":"off"}`
}

func (g *maker) result() string {
	return fmt.Sprintf(`{"duration_api_ms":%d,"stop_reason":"end_turn","session_id":"%s","total_cost_usd":0.0%d,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":2048,"output_tokens":61,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard"},"modelUsage":{"claude-opus-5-5":{"inputTokens":12,"outputTokens":61,"cacheReadInputTokens":2048,"cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":0.0123,"contextWindow":200000,"maxOutputTokens":32000}},"permission_denials":[],"terminal_reason":"completed","is_error":false,"num_turns":%d,"subtype":"success","result":%s,"type":"result","duration_ms":%d,"uuid":"%s"}`,
		g.IntN(9000), session, g.IntN(9000), g.IntN(9), quote(g.words(60)), g.IntN(9000), g.uuid())
}

func (g *maker) ask() string {
	return `{"type":"control_request","request_id":"` + g.uuid() + `","request":{"subtype":"can_use_tool","tool_name":"Write","display_name":"Write","input":{"file_path":"/scratch/out.txt","content":` + quote(g.words(40)) + `},"description":"out.txt","permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}],"tool_use_id":"toolu_01x"}}`
}

func (g *maker) hook() string {
	return `{"type":"control_request","request_id":"` + g.uuid() + `","request":{"subtype":"hook_callback","callback_id":"hook_0","input":{"session_id":"` + session + `","transcript_path":"/scratch/t.jsonl","cwd":"/scratch","prompt_id":"` + g.uuid() + `","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/scratch/out.txt","content":` + quote(g.words(10)) + `},"tool_use_id":"toolu_01x"},"tool_use_id":"toolu_01x"}}`
}

func (g *maker) mcp() string {
	return `{"type":"control_request","request_id":"` + g.uuid() + `","request":{"subtype":"mcp_message","server_name":"srv","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":` + quote(g.words(10)) + `}}}}}`
}

func (g *maker) big(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(g.words(10))
		b.WriteByte('\n')
	}
	return `{"type":"control_request","request_id":"` + g.uuid() + `","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"/scratch/big.txt","content":` + quote(b.String()) + `},"tool_use_id":"toolu_01x"}}`
}

// ofKind returns the lines whose kind begins with a name.
func ofKind(lines []line, name string) []line {
	var out []line
	for _, l := range lines {
		if strings.HasPrefix(kinds[l.kind], name) {
			out = append(out, l)
		}
	}
	return out
}

// shuffled returns the lines with the members of every object in random order.
func shuffled(lines []line) []line {
	r := rand.New(rand.NewPCG(3, 4))
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = store(shuffle(r, l.text()))
	}
	return out
}

func shuffle(r *rand.Rand, text json.RawMessage) json.RawMessage {
	text = bytes.TrimSpace(text)
	switch text[0] {
	case '{':
		var m map[string]json.RawMessage
		must(json.Unmarshal(text, &m))
		names := make([]string, 0, len(m))
		d := json.NewDecoder(bytes.NewReader(text))
		_, _ = d.Token()
		for d.More() { // the order of the text, so that every run shuffles alike
			name, err := d.Token()
			must(err)
			var skip json.RawMessage
			must(d.Decode(&skip))
			names = append(names, name.(string))
		}
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		b := []byte{'{'}
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, quote(name)...), ':'), shuffle(r, m[name])...)
		}
		return append(b, '}')
	case '[':
		var a []json.RawMessage
		must(json.Unmarshal(text, &a))
		b := []byte{'['}
		for i, e := range a {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, shuffle(r, e)...)
		}
		return append(b, ']')
	}
	return text
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

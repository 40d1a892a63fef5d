package differ

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// New returns the session with that number. It is for CLIs from 2.1.300 on.
func New(seed uint64) (*scenario.Scenario, error) {
	b := newBuilder(seed)
	if b.one(6) {
		b.add(moments)
	} else {
		b.unasked = b.one(4)
		for range b.rand.IntN(3) {
			b.add(options)
		}
		for range 1 + b.rand.IntN(3) {
			b.add(prompts)
		}
	}
	if len(b.turns) == 0 && len(b.script) == 0 && !b.refused {
		greet(b)
	}
	return b.scenario(seed)
}

// A feature is one thing that a session has.
type feature struct {
	name   string
	weight int // how often it is drawn, among the others
	add    func(*builder)
}

// A builder is a session that grows.
type builder struct {
	rand     *rand.Rand
	features []string
	taken    map[string]bool // options that are there once

	args    []string // words of the command line, quoted
	env     []string
	earlier string
	files   map[string]string
	init    map[string]any
	hooks   map[string][]any
	rules   []string // that answer the CLI
	script  []string
	turns   []fakeapi.Turn
	prompts int
	refused bool // the CLI ends at once
	// typescript says that the SDK is the one for TypeScript, unasked that its user has no callback
	// for permissions.
	typescript, unasked bool
}

func newBuilder(seed uint64) *builder {
	b := &builder{
		rand: rand.New(rand.NewPCG(seed, 1)), taken: map[string]bool{}, files: map[string]string{},
		init: map[string]any{}, hooks: map[string][]any{},
	}
	for name, text := range commonFiles {
		b.files[name] = text
	}
	b.flavour()
	return b
}

// commonFiles are in the working directory of every session.
var commonFiles = map[string]string{
	"note.txt":      "alpha\nbeta\ngamma\n",
	"src/app.py":    "def main():\n    print(\"hello\")\n\n\nmain()\n",
	"src/util.py":   "def add(a, b):\n    return a + b\n",
	"data.json":     "{\"name\": \"demo\", \"items\": [1, 2, 3]}\n",
	"fail.sh":       "#!/bin/sh\necho partly\necho bad >&2\nexit 3\n",
	"sub/deep/a.md": "# A\n\ntext of a\n",
}

// flavour starts the CLI as one of the official SDKs does.
func (b *builder) flavour() {
	if b.typescript = b.one(2); b.typescript {
		b.env = append(b.env, "CLAUDE_CODE_ENTRYPOINT=sdk-ts")
		b.init["systemPrompt"] = []string{""}
	} else {
		b.init["hooks"] = nil
		b.arg("--system-prompt", "")
	}
	if b.one(3) {
		b.partial()
	}
}

// line returns the command line.
func (b *builder) line() string {
	words := []string{"--output-format stream-json --verbose --input-format stream-json"}
	if !b.unasked {
		words = append(words, "--permission-prompt-tool stdio")
	}
	if b.typescript && !b.taken["mode"] {
		words = append(words, "--permission-mode default")
	}
	return strings.Join(append(words, b.args...), " ")
}

func (b *builder) partial() {
	if b.once("partial") {
		b.arg("--include-partial-messages")
	}
}

// one is true every nth time.
func (b *builder) one(n int) bool { return b.rand.IntN(n) == 0 }

// once is true the first time for a name.
func (b *builder) once(name string) bool {
	first := !b.taken[name]
	b.taken[name] = true
	return first
}

// oneOf returns one of some values.
func oneOf[T any](b *builder, list ...T) T { return list[b.rand.IntN(len(list))] }

// add adds one of some features.
func (b *builder) add(list []feature) {
	total := 0
	for _, f := range list {
		total += f.weight
	}
	n := b.rand.IntN(total)
	for _, f := range list {
		if n -= f.weight; n < 0 {
			b.features = append(b.features, f.name)
			f.add(b)
			return
		}
	}
}

// arg adds words to the command line.
func (b *builder) arg(words ...string) {
	for _, w := range words {
		b.args = append(b.args, word(w))
	}
}

// word quotes a word of a command line where it must be.
func word(w string) string {
	switch {
	case w != "" && !strings.ContainsAny(w, " \t\"'`"):
		return w
	case strings.Contains(w, "'"):
		return fmt.Sprintf("%q", w)
	}
	return "'" + w + "'"
}

func (b *builder) step(format string, args ...any) {
	b.script = append(b.script, fmt.Sprintf(format, args...))
}

func (b *builder) rule(format string, args ...any) {
	b.rules = append(b.rules, fmt.Sprintf("auto "+format, args...))
}

// say adds an answer of the model, in the order of the conversation.
func (b *builder) say(blocks ...fakeapi.Block) {
	b.turns = append(b.turns, fakeapi.Turn{Content: blocks})
}

func (b *builder) sayText(text string) { b.turns = append(b.turns, fakeapi.Turn{Text: text}) }

// prompt sends a prompt and waits for the result.
func (b *builder) prompt(text string) {
	b.send(text)
	b.step(`< {"type":"result"}`)
}

// send sends a prompt as the SDK does.
func (b *builder) send(text string) {
	if b.typescript {
		b.step(`> {"type":"user","message":{"role":"user","content":%s},"parent_tool_use_id":null}`, marshal(text))
	} else {
		b.step(`> {"type":"user","message":{"role":"user","content":%s},"parent_tool_use_id":null,"session_id":"default"}`, marshal(text))
	}
}

// ask is a prompt with a text of its own.
func (b *builder) ask() {
	b.prompts++
	b.prompt(fmt.Sprintf("%s (%d)", oneOf(b, "please do it", "help me with this", "go on", "look at the project", "fix it"), b.prompts))
}

// done is what the model says at the end of a turn.
func (b *builder) done() {
	b.sayText(oneOf(b, "Done.", "All done.", "I have finished the work.", "That is it: **done**."))
}

// request adds a request that the CLI may grant or refuse.
func (b *builder) request(body string) {
	b.prompts++
	id := fmt.Sprintf("r%d", b.prompts)
	b.step(`request %s %s`, id, body)
	b.reply(id)
}

func (b *builder) reply(id string) {
	b.step(`< {"type":"control_response","response":{"request_id":%q}}`, id)
}

// settings merges settings into a file of settings.
func (b *builder) settings(file string, more map[string]any) {
	all := map[string]any{}
	if text := b.files[file]; text != "" {
		_ = json.Unmarshal([]byte(text), &all) // it was written here
	}
	maps.Copy(all, more)
	b.files[file] = marshal(all) + "\n"
}

// hook registers a callback for an event and how it is answered.
func (b *builder) hook(event, matcher, output string) {
	id := fmt.Sprintf("hook_%d", len(b.hooks))
	entry := map[string]any{"hookCallbackIds": []string{id}}
	if matcher != "" {
		entry["matcher"] = matcher
	}
	b.hooks[event] = append(b.hooks[event], entry)
	b.rule(`{"subtype":"hook_callback","callback_id":%q} => %s`, id, output)
}

// scenario returns what has grown.
func (b *builder) scenario(seed uint64) (*scenario.Scenario, error) {
	header := []string{
		fmt.Sprintf("Session %d shows the same on both: %s.", seed, strings.Join(b.features, ", ")), "",
		"level: recommended", "since: 2.1.300",
	}
	header = append(header, "bareargs: "+b.line())
	if b.earlier != "" {
		header = append(header, "earlier: "+b.earlier)
	}
	for _, e := range b.env {
		header = append(header, "env: "+e)
	}
	script := slices.Clone(b.rules)
	if !slices.ContainsFunc(b.script, func(s string) bool { return strings.HasPrefix(s, "auto allow") }) {
		script = append(script, "auto allow")
	}
	if !b.taken["hook held"] {
		script = append(script, `auto {"subtype":"hook_callback"} => {}`)
	}
	if len(b.hooks) > 0 {
		b.init["hooks"] = b.hooks
	}
	if b.refused {
		b.init["subtype"] = "initialize"
		script = append(script, "request init "+marshal(b.init))
	} else {
		script = append(script, "init "+marshal(b.init))
	}
	script = append(script, b.script...)
	script = append(script, "eof", "exit any")
	files := []txtar.File{
		{Name: "script", Data: []byte(strings.Join(script, "\n") + "\n")},
		{Name: "api.json", Data: []byte(apiText(b.turns))},
	}
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		files = append(files, txtar.File{Name: "files/" + name, Data: []byte(b.files[name])})
	}
	archive := &txtar.Archive{Comment: []byte(strings.Join(header, "\n") + "\n\n"), Files: files}
	return scenario.Parse(fmt.Sprintf("differ/%d", seed), txtar.Format(archive))
}

// apiText writes turns, one on each line.
func apiText(turns []fakeapi.Turn) string {
	var lines []string
	for _, t := range turns {
		lines = append(lines, "\t"+marshal(t))
	}
	return "{\"turns\": [\n" + strings.Join(lines, ",\n") + "\n]}\n"
}

// marshal returns the JSON of a value that always has one.
func marshal(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a value of this package
	}
	return strings.TrimSuffix(b.String(), "\n")
}

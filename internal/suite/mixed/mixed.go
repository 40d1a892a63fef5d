package mixed

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// How many blocks a session has.
const (
	fewest = 10
	most   = 16
)

// New returns the session with that number. It is for CLIs from 2.1.200 on.
func New(seed uint64) (*scenario.Scenario, error) {
	s := newSession(seed)
	s.begin()
	for range fewest + s.rand.IntN(most-fewest+1) {
		blocks[s.rand.IntN(len(blocks))].add(s)
	}
	s.step(`request bye {"subtype":"end_session"}`)
	s.step(`<ok bye`)
	s.step(`exit any`)
	return s.scenario(seed)
}

// A session is a scenario that grows.
type session struct {
	rand   *rand.Rand
	script strings.Builder
	turns  []fakeapi.Turn
	names  int // how many were given
}

// newSession returns a session without steps.
func newSession(seed uint64) *session { return &session{rand: rand.New(rand.NewPCG(seed, 0))} }

// chance is true every second time.
func (s *session) chance() bool { return s.rand.IntN(2) == 0 }

// oneOf returns one of some texts.
func (s *session) oneOf(texts ...string) string { return texts[s.rand.IntN(len(texts))] }

// step adds a step to the script.
func (s *session) step(format string, args ...any) {
	fmt.Fprintf(&s.script, format+"\n", args...)
}

// name returns a text that is nowhere else in the session, not even as a part.
func (s *session) name() string {
	s.names++
	return fmt.Sprintf("step-%03d", s.names)
}

// begin adds the rules that answer the CLI, and the handshake.
func (s *session) begin() {
	s.step(`auto {"subtype":"can_use_tool","input":{"file_path":"$re:denied"}} => {"behavior":"deny","message":"not that file"}`)
	s.step(`auto {"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"$re:changed"}} => ` +
		`{"behavior":"allow","updatedInput":{"file_path":"${cwd}/other.txt","content":"other\n"}}`)
	s.step(`auto allow`)
	s.step(`auto mcp srv`)
	if s.chance() {
		event := s.oneOf("PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart")
		s.step(`auto {"subtype":"hook_callback","input":{"hook_event_name":%q}} => `+
			`{"hookSpecificOutput":{"hookEventName":%q,"additionalContext":"mind the gap"}}`, event, event)
	}
	if s.chance() {
		s.step(`auto {"subtype":"hook_callback","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"}} => ` +
			`{"systemMessage":"looked at","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"fine"}}`)
	}
	// The hook of a read of held.txt is left to the block that waits for it.
	s.step(`auto {"subtype":"hook_callback","input":{"hook_event_name":{"$not":"PreToolUse"}}} => {}`)
	s.step(`auto {"subtype":"hook_callback","input":{"tool_input":{"$not":{"file_path":"$re:held"}}}} => {}`)
	hooks := map[string]any{}
	for _, event := range wire.HookEvents() {
		hooks[event] = []any{map[string]any{"hookCallbackIds": []string{event}}}
	}
	s.step(`init %s`, marshal(map[string]any{"hooks": hooks, "sdkMcpServers": []string{"srv"}}))
}

// turn adds an answer of the model.
func (s *session) turn(match fakeapi.Match, turn fakeapi.Turn) {
	turn.Match = &match
	s.turns = append(s.turns, turn)
}

// use is the id of a tool use of the last turn, by its number in the content.
func (s *session) use(block int) string { return fmt.Sprintf("toolu_%04d_%d", len(s.turns), block) }

// ask adds a turn in which the model uses tools, one after the other.
func (s *session) ask(calls ...fakeapi.Block) {
	name := s.name()
	match := fakeapi.Match{From: fakeapi.Main, Text: name}
	for _, call := range calls {
		s.turn(match, fakeapi.Turn{Content: []fakeapi.Block{call}})
		match = fakeapi.Match{From: fakeapi.Main, ToolResult: s.use(0)}
	}
	s.turn(match, fakeapi.Turn{Text: name + " is done"})
	s.step(`user %q`, name)
	s.step(`<result {"result":%q}`, name+" is done")
}

// request adds a request that the CLI may grant or refuse.
func (s *session) request(body string) {
	id := s.name()
	s.step(`request %s %s`, id, body)
	s.step(`< {"type":"control_response","response":{"request_id":%q}}`, id)
}

// scenario returns what has grown.
func (s *session) scenario(seed uint64) (*scenario.Scenario, error) {
	const usual = "--output-format stream-json --verbose --input-format stream-json --permission-prompt-tool stdio"
	header := []string{
		fmt.Sprintf("Session %d of many things holds nothing unknown.", seed),
		"", "level: recommended", "since: 2.1.200",
	}
	args := "--include-partial-messages --session-mirror"
	for _, flag := range []string{"--replay-user-messages", "--include-hook-events", "--forward-subagent-text"} {
		if s.chance() {
			args += " " + flag
		}
	}
	if s.chance() { // the CLI chooses the permission mode
		args = "bareargs: " + usual + " " + args
	} else {
		args = "args: " + args
	}
	header = append(header, args)
	if env := s.oneOf("", "CLAUDE_CODE_SDK_READS_SESSION_STATE=1", "CLAUDE_CODE_ENTRYPOINT=claude-desktop",
		"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"); env != "" {
		header = append(header, "env: "+env)
	}
	archive := &txtar.Archive{
		Comment: []byte(strings.Join(header, "\n") + "\n\n"),
		Files: append([]txtar.File{
			{Name: "script", Data: []byte(s.script.String())},
			{Name: "api.json", Data: []byte(marshal(fakeapi.Script{Turns: s.turns}) + "\n")},
		}, files...),
	}
	return scenario.Parse(fmt.Sprintf("mixed/%d", seed), txtar.Format(archive))
}

// marshal returns the JSON of a value that always has one.
func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value of this package
	}
	return string(text)
}

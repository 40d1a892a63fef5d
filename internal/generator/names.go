package generator

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ccwire/ccwire/schema"
)

// initialisms are words that Go writes in capitals.
var initialisms = map[string]string{
	"api": "API", "aws": "AWS", "cli": "CLI", "cwd": "CWD", "gif": "GIF", "html": "HTML", "http": "HTTP",
	"id": "ID", "ide": "IDE", "ids": "IDs", "jpeg": "JPEG", "json": "JSON", "mcp": "MCP", "ms": "MS", "os": "OS",
	"pdf": "PDF", "pid": "PID", "png": "PNG", "sdk": "SDK", "sse": "SSE", "ttft": "TTFT", "ttl": "TTL", "ui": "UI",
	"uri": "URI", "url": "URL", "usd": "USD", "utf": "UTF", "uuid": "UUID", "uuids": "UUIDs",
}

// An exception is a Go name that the rules would not give.
type exception struct{ definition, name, reason string }

// exceptions are all names that do not follow from the rules. A row that no definition uses is an
// error.
var exceptions = []exception{
	{"content/stream_event.json", "APIEvent", "StreamEvent is the frame around it"},
	{"content/block.json", "ContentBlock", "a bare Block says too little"},
	{"content/source.json", "MediaSource", "a bare Source says too little, and content is one of its arms"},
	{"envelope/control_request.json#/$defs/Request", "Request", "the union of all control requests"},
	{"envelope/control_response.json#/$defs/Response", "Response", "the union of the two outcomes"},
	{"envelope/control_response.json#/$defs/Success", "SuccessResponse", "an arm of Response"},
	{"envelope/control_response.json#/$defs/Error", "ErrorResponse", "an arm of Response"},
	{"mcp/message.json", "MCPMessage", "a bare Message says too little"},
	{"mcp/message.json#/$defs/Error", "MCPError", "the error object of JSON-RPC"},
	{"permission/result.json", "PermissionResult", "a bare Result is a message"},
	{"permission/update.json", "PermissionUpdate", "a bare Update says too little"},
	{"hook/input.json", "HookInput", "a bare Input says too little"},
	{"hook/output.json", "HookOutput", "a bare Output says too little"},
	{"hook/specific_output.json", "HookSpecificOutput", "the member is hookSpecificOutput"},
	{"hook/matcher.json", "HookMatcher", "a bare Matcher says too little"},
	{"message/error.json", "ErrorMessage", "error is a predeclared word of Go"},
	{"message/error.json#/$defs/Error", "ErrorMessageDetail", "the object inside it"},
}

// namer gives Go names to definitions and remembers who has which.
type namer struct {
	byDef map[string]string
	taken map[string]string
	used  map[string]bool
}

func newNamer() *namer {
	return &namer{byDef: map[string]string{}, taken: map[string]string{}, used: map[string]bool{}}
}

// definition returns the Go name of a definition.
func (n *namer) definition(d *schema.Definition) (string, error) {
	if name := n.byDef[d.Name()]; name != "" {
		return name, nil
	}
	name := ruleName(d)
	for _, e := range exceptions {
		if e.definition == d.Name() {
			n.used[e.definition] = true
			name = e.name
		}
	}
	if err := n.take(name, d.Name()); err != nil {
		return "", err
	}
	n.byDef[d.Name()] = name
	return name, nil
}

// take reserves a Go name.
func (n *namer) take(name, owner string) error {
	if other, ok := n.taken[name]; ok && other != owner {
		return fmt.Errorf("the Go name %s is wanted by %s and %s: add a row to the exceptions", name, other, owner)
	}
	n.taken[name] = owner
	return nil
}

// unused returns an error for exceptions that no definition uses.
func (n *namer) unused() error {
	for _, e := range exceptions {
		if !n.used[e.definition] {
			return fmt.Errorf("the naming exception for %s is not used", e.definition)
		}
	}
	return nil
}

// Namer returns a function that gives definitions their Go names. A name that two definitions want
// is an error.
func Namer() func(d *schema.Definition) (string, error) { return newNamer().definition }

// ruleName names a definition after its file and key.
//
//	control/set_model.json#/$defs/Request   SetModelRequest
//	hook/PreToolUse.json#/$defs/Input       PreToolUseInput
//	message/system.init.json                SystemInit
//	content/block.text.json                 TextBlock
//	content/stream_event.ping.json          PingEvent
//	permission/update.addRules.json         AddRulesUpdate
//	permission/result.allow.json            PermissionAllow
//	tool/Bash.json#/$defs/Input             BashInput
//	tool/patch.json                         ToolPatch
func ruleName(d *schema.Definition) string {
	folder, base := path.Split(strings.TrimSuffix(d.File, ".json"))
	family, rest, dotted := strings.Cut(base, ".")
	name := pascal(base)
	switch {
	case folder == "content/" && family == "block" && dotted:
		name = pascal(rest) + "Block"
	case folder == "content/" && family == "source" && dotted:
		name = pascal(rest) + "Source"
	case folder == "content/" && family == "delta" && dotted:
		name = pascal(rest)
	case folder == "content/" && family == "stream_event" && dotted:
		name = pascal(rest) + "Event"
	case folder == "permission/" && family == "update" && dotted:
		name = pascal(rest) + "Update"
	case folder == "permission/" && family == "result" && dotted:
		name = "Permission" + pascal(rest)
	}
	if folder == "tool/" && d.Tool == nil && unicode.IsLower(rune(base[0])) { // what several tools have
		name = "Tool" + name
	}
	if d.Pointer != "" {
		key := pascal(defName(d))
		if !strings.HasPrefix(key, name) {
			key = name + key
		}
		name = key
	}
	return name
}

// pascal writes a wire name as a Go name.
func pascal(s string) string {
	var b strings.Builder
	for _, w := range words(s) {
		if up, ok := initialisms[strings.ToLower(w)]; ok {
			b.WriteString(up)
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// words splits at everything that is no letter or digit, and where a small letter is followed by a
// capital.
func words(s string) []string {
	var out []string
	var w []rune
	flush := func() {
		if len(w) > 0 {
			out = append(out, string(w))
			w = nil
		}
	}
	prev := rune(0)
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev)):
			flush()
			w = append(w, r)
		default:
			w = append(w, r)
		}
		prev = r
	}
	flush()
	return out
}

// fieldNames are Go names of members that would collide with what every struct has, or that are
// flags of a command.
var fieldNames = map[string]string{
	"extra": "ExtraMember",
	"-A":    "LinesAfter", "-B": "LinesBefore", "-C": "LinesAround", "-i": "IgnoreCase", "-n": "LineNumbers", "-o": "OnlyMatching",
}

// fieldName names a struct field.
func fieldName(wire string) string {
	if n, ok := fieldNames[wire]; ok {
		return n
	}
	return pascal(wire)
}

// private returns a name that is not exported: the first word in small letters.
func private(name string) string {
	runes := []rune(name)
	i := 0
	for i < len(runes) && unicode.IsUpper(runes[i]) {
		i++
	}
	if i > 1 && i < len(runes) {
		i--
	}
	out := strings.ToLower(string(runes[:i])) + string(runes[i:])
	if slices.Contains([]string{"type", "range", "func", "default", "error", "string", "request", "response"}, out) {
		out += "Of"
	}
	return out
}

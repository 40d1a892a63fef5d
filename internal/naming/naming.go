// Package naming gives the definitions of the schemas their names: those of the Go types, which
// bundles and packages of other languages have too.
package naming

import (
	"fmt"
	"path"
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

// An Exception is a name that the rules would not give.
type Exception struct{ Definition, Name, Reason string }

// Exceptions are all names that do not follow from the rules. A row that no definition uses is an
// error.
var Exceptions = []Exception{
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

// A Namer gives names to definitions and remembers who has which.
type Namer struct {
	exceptions []Exception

	byDef map[string]string
	taken map[string]string
	used  map[string]bool
}

// New returns a Namer that has given no name yet.
func New() *Namer { return With(Exceptions) }

// With is New with a table of exceptions of its own.
func With(exceptions []Exception) *Namer {
	return &Namer{exceptions: exceptions, byDef: map[string]string{}, taken: map[string]string{}, used: map[string]bool{}}
}

// Definition returns the name of a definition. A name that two definitions want is an error.
func (n *Namer) Definition(d *schema.Definition) (string, error) {
	if name := n.byDef[d.Name()]; name != "" {
		return name, nil
	}
	name := byRule(d)
	for _, e := range n.exceptions {
		if e.Definition == d.Name() {
			n.used[e.Definition] = true
			name = e.Name
		}
	}
	if err := n.Take(name, d.Name()); err != nil {
		return "", err
	}
	n.byDef[d.Name()] = name
	return name, nil
}

// Take reserves a name.
func (n *Namer) Take(name, owner string) error {
	if other, ok := n.taken[name]; ok && other != owner {
		return fmt.Errorf("the name %s is wanted by %s and %s: add a row to the exceptions", name, other, owner)
	}
	n.taken[name] = owner
	return nil
}

// Unused returns an error for exceptions that no definition uses.
func (n *Namer) Unused() error {
	for _, e := range n.exceptions {
		if !n.used[e.Definition] {
			return fmt.Errorf("the naming exception for %s is not used", e.Definition)
		}
	}
	return nil
}

// byRule names a definition after its file and key.
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
func byRule(d *schema.Definition) string {
	folder, base := path.Split(strings.TrimSuffix(d.File, ".json"))
	family, rest, dotted := strings.Cut(base, ".")
	name := Pascal(base)
	switch {
	case folder == "content/" && family == "block" && dotted:
		name = Pascal(rest) + "Block"
	case folder == "content/" && family == "source" && dotted:
		name = Pascal(rest) + "Source"
	case folder == "content/" && family == "delta" && dotted:
		name = Pascal(rest)
	case folder == "content/" && family == "stream_event" && dotted:
		name = Pascal(rest) + "Event"
	case folder == "permission/" && family == "update" && dotted:
		name = Pascal(rest) + "Update"
	case folder == "permission/" && family == "result" && dotted:
		name = "Permission" + Pascal(rest)
	}
	if folder == "tool/" && d.Tool == nil && unicode.IsLower(rune(base[0])) { // what several tools have
		name = "Tool" + name
	}
	if d.Pointer != "" {
		key := Pascal(strings.TrimPrefix(d.Pointer, "/$defs/"))
		if !strings.HasPrefix(key, name) {
			key = name + key
		}
		name = key
	}
	return name
}

// Pascal writes a wire name as a Go name.
func Pascal(s string) string {
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

// Field returns the name of a struct's field for a member.
func Field(wire string) string {
	if n, ok := fieldNames[wire]; ok {
		return n
	}
	return Pascal(wire)
}

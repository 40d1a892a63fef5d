package sessions

import (
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/ccwire/ccwire/internal/object"
)

// longPrompt is how much of a prompt is shown, in UTF-16 units.
const longPrompt = 200

var (
	commandName = regexp.MustCompile(`<command-name>(.*?)</command-name>`)
	bashInput   = regexp.MustCompile(`(?s)<bash-input>(.*?)</bash-input>`)
	// madeUp are texts of the CLI that it keeps as messages of the user.
	madeUp = regexp.MustCompile(`^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])`)
)

// prompt looks for what the user has said.
type prompt struct {
	found   string
	command string // the first command, which counts if nothing else is found
}

// firstPrompt returns what the user said first, "" for nothing.
func firstPrompt(head []byte) string {
	var p prompt
	for o := range forward(head, `"user"`) {
		if p.read(o); p.found != "" {
			return p.found
		}
	}
	return p.command
}

// read looks at an entry.
func (p *prompt) read(entry object.Object) {
	if entry.Text("type") != "user" || entry.Bool("isMeta") || entry.Bool("isCompactSummary") {
		return
	}
	texts, result := said(entry)
	if result {
		return
	}
	for _, text := range texts {
		text = strings.TrimSpace(strings.ReplaceAll(text, "\n", " "))
		if text == "" {
			continue
		}
		if m := commandName.FindStringSubmatch(text); m != nil {
			if p.command == "" {
				p.command = m[1]
			}
			continue
		}
		if m := bashInput.FindStringSubmatch(text); m != nil {
			p.found = "! " + strings.TrimSpace(m[1])
			return
		}
		if !madeUp.MatchString(text) {
			p.found = shorten(text)
			return
		}
	}
}

// said returns the texts of a message, and whether it has the result of a tool in it.
func said(entry object.Object) (texts []string, result bool) {
	message := entry.Object("message")
	if text, ok := message.Get("content").(string); ok {
		return []string{text}, false
	}
	for _, v := range message.List("content") {
		block, _ := v.(object.Object)
		switch text, ok := block.Get("text").(string); {
		case block.Text("type") == "tool_result":
			return nil, true
		case ok && block.Text("type") == "text":
			texts = append(texts, text)
		}
	}
	return texts, false
}

// shorten cuts a long text.
func shorten(text string) string {
	units := utf16.Encode([]rune(text))
	if len(units) <= longPrompt {
		return text
	}
	units = units[:longPrompt]
	if last := rune(units[longPrompt-1]); utf16.IsSurrogate(last) && last < 0xdc00 {
		units = units[:longPrompt-1]
	}
	return strings.TrimSpace(string(utf16.Decode(units))) + "…"
}

// shownKind says what a first message shows that has no text.
func shownKind(head []byte) string {
	for o := range forward(head, `"user"`) {
		if o.Text("type") != "user" || o.Bool("isMeta") {
			continue
		}
		for _, v := range o.Object("message").List("content") {
			block, _ := v.(object.Object)
			switch block.Text("type") {
			case "image":
				return "Image"
			case "document":
				return "Document"
			}
		}
	}
	return ""
}

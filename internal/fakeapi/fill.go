package fakeapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/near"
)

// placeholder is {{name}} in what the model says. A backslash before it keeps it as it is.
var placeholder = regexp.MustCompile(`\\?\{\{ ?([A-Za-z0-9_.]+) ?\}\}`)

// fillNames are those that a placeholder can have, beside the groups of the turn's pattern and the
// members of a tool's input: input.command.
var fillNames = []string{
	"text",   // what the user said last
	"prompt", // what the user said first
	"model",  // the model that is asked for
	"tool",   // the tool whose result came, as the match found it
	"input",  // the tool's input, as JSON
	"result", // the text of the result
	"times",  // the how manieth request it is that the turn answers
}

// later begins the name of a time that is so many seconds away: later.3600. It is in seconds since
// 1970, as limits are told in headers.
const later = "later."

// PlaceNames are placeholders for folders. The simulated CLI fills them when it begins, wherever
// they are in a script.
var PlaceNames = []string{
	"cwd",  // the working directory
	"home", // the user's folder
}

// Escape returns a text in which nothing is a placeholder.
func Escape(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string { return `\` + found })
}

// Fills reports whether placeholders are filled.
func (s Script) Fills() bool { return s.Templates == nil || *s.Templates }

// filler fills the placeholders of an answer to one request.
type filler struct {
	call  *call
	fit   fitting
	times int
}

// turn returns the turn with its placeholders filled.
func (f filler) turn(t *Turn) *Turn {
	if !t.hasPlaceholder() {
		return t
	}
	filled := *t
	filled.Text = f.text(t.Text)
	if t.Error != nil {
		e := *t.Error
		e.Message = f.text(e.Message)
		filled.Error = &e
	}
	filled.Header = maps.Clone(t.Header)
	for name, value := range filled.Header {
		filled.Header[name] = f.text(value)
	}
	filled.Content = slices.Clone(t.Content)
	for i, b := range filled.Content {
		filled.Content[i] = make(Block, len(b))
		for member, value := range b {
			filled.Content[i][member] = FillJSON(value, f.value)
		}
	}
	return &filled
}

// hasPlaceholder reports whether there may be something to fill.
func (t *Turn) hasPlaceholder() bool {
	found := false
	t.eachText(func(text string) { found = found || strings.Contains(text, "{{") })
	return found
}

// eachText calls f with all texts that can have placeholders, as they are or as JSON.
func (t *Turn) eachText(f func(string)) {
	f(t.Text)
	if t.Error != nil {
		f(t.Error.Message)
	}
	for _, value := range t.Header {
		f(value)
	}
	for _, b := range t.Content {
		for _, value := range b {
			f(string(value))
		}
	}
}

func (f filler) text(text string) string { return Fill(text, f.value) }

// value returns what a name stands for, and whether it stands for anything.
func (f filler) value(name string) (string, bool) {
	if i := slices.Index(f.fit.names, name); i > 0 {
		return f.fit.groups[i], true
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(f.fit.groups) {
		return f.fit.groups[n], true
	}
	switch name {
	case "text":
		return f.call.said(), true
	case "prompt":
		return f.call.firstUser().matchText(), true
	case "model":
		return f.call.Model, true
	case "tool":
		return f.fit.use.name, true
	case "result":
		if f.fit.result == nil {
			return "", true
		}
		return withoutReminders(f.fit.result.Content.text), true
	case "times":
		return strconv.Itoa(f.times), true
	}
	if seconds, err := strconv.Atoi(strings.TrimPrefix(name, later)); err == nil && strings.HasPrefix(name, later) {
		return strconv.FormatInt(time.Now().Unix()+int64(seconds), 10), true
	}
	return InputValue(f.fit.use.input, name)
}

// said returns what the user said last, in this message or an earlier one.
func (c *call) said() string {
	for _, m := range slices.Backward(c.Messages) {
		if text := m.Content.userText(); m.Role == "user" && text != "" {
			return text
		}
	}
	return ""
}

// InputValue returns what the name input, or input.MEMBER, stands for with a tool's input. What the
// input does not have is empty.
func InputValue(input json.RawMessage, name string) (text string, ok bool) {
	path := strings.Split(name, ".")
	if path[0] != "input" {
		return "", false
	}
	for _, member := range path[1:] {
		var o map[string]json.RawMessage
		_ = json.Unmarshal(input, &o) // what is not an object has no members
		input = o[member]
	}
	if json.Unmarshal(input, &text) == nil {
		return text, true
	}
	return string(input), true
}

// Fill returns a text in which values stand in place of the placeholders. One that value does not
// know is left as it is.
func Fill(text string, value func(name string) (string, bool)) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if rest, kept := strings.CutPrefix(found, `\`); kept {
			return rest
		}
		if v, ok := value(placeholder.FindStringSubmatch(found)[1]); ok {
			return v
		}
		return found
	})
}

// text in JSON, and what tells that it is the name of a member.
var jsonText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\s*:)?`)

// FillJSON is [Fill] for the texts of a JSON value; the names of members stay as they are.
func FillJSON(data json.RawMessage, value func(name string) (string, bool)) json.RawMessage {
	return jsonText.ReplaceAllFunc(data, func(found []byte) []byte {
		var text string
		if !strings.Contains(string(found), "{{") || json.Unmarshal(found, &text) != nil {
			return found
		}
		return quote(Fill(text, value))
	})
}

// checkNames refuses placeholders that are not known and look like one that is. Others are texts as
// any.
func (t *Turn) checkNames() (err error) {
	known := slices.Concat(fillNames, PlaceNames)
	if t.Match != nil && t.Match.Pattern != "" {
		re := regexp.MustCompile(t.Match.Pattern) // it was checked
		for i, name := range re.SubexpNames() {
			known = append(known, strconv.Itoa(i), name)
		}
	}
	t.eachText(func(text string) {
		if wrong := CheckNames(text, known); wrong != nil && err == nil {
			err = wrong
		}
	})
	return err
}

// CheckNames refuses placeholders in a text that look like one that is known and begin as it does:
// {{name}} is more often a text than a misspelt {{home}}.
func CheckNames(text string, known []string) error {
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		name := found[1]
		if strings.HasPrefix(found[0], `\`) || strings.HasPrefix(name, "input.") || strings.HasPrefix(name, later) || slices.Contains(known, name) {
			continue
		}
		words := near.Words(name, slices.DeleteFunc(slices.Clone(known), func(k string) bool { return k == "" || k[0] != name[0] }))
		if _, err := strconv.Atoi(name); err == nil {
			return fmt.Errorf(`{{%s}} is not a group of the match's pattern; \{{%s}} is the text as it is`, name, name)
		}
		if len(words) > 0 {
			return fmt.Errorf(`{{%s}} is not known; did you mean {{%s}}? \{{%s}} is the text as it is`, name, words[0], name)
		}
	}
	return nil
}

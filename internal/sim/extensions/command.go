package extensions

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Command returns the command or skill of a name, nil if there is none.
func (e *Extensions) Command(name string) *Extension {
	if e.options.NoCommands {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range slices.Concat(e.files.commands, e.files.skills) {
		if x.Name == name || x.Title != "" && x.Title == name {
			return x
		}
	}
	return nil
}

var (
	inlineCommand = regexp.MustCompile("!`([^`]*)`")
	placeholder   = regexp.MustCompile(`\\?(\$ARGUMENTS(\[\d+\])?|\$\d+)`)
)

// Expand is the text of a command with its arguments, which are counted from 0. The commands of the
// shell in it are run by run; if that is nil they stay as they are. The first that fails is the
// error.
func (x *Extension) Expand(args string, run func(command string) (string, error)) (string, error) {
	words, found := split(args), false
	text := placeholder.ReplaceAllStringFunc(x.Text, func(m string) string {
		if plain, ok := strings.CutPrefix(m, `\`); ok { // not a place for an argument
			return plain
		}
		if m == "$ARGUMENTS" {
			found = true
			return args
		}
		i, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(m, "$ARGUMENTS"), "$[]"))
		switch {
		case err == nil && i < len(words):
			found = true
			return words[i]
		case strings.HasSuffix(m, "]"):
			found = true
			return ""
		}
		return m
	})
	if !found && args != "" {
		text += "\n\nARGUMENTS: " + args
	}
	var failed error
	if run != nil {
		text = inlineCommand.ReplaceAllStringFunc(text, func(m string) string {
			if failed != nil {
				return m
			}
			var out string
			out, failed = run(inlineCommand.FindStringSubmatch(m)[1])
			return out
		})
	}
	if x.Dir != "" {
		text = strings.ReplaceAll(text, "${CLAUDE_SKILL_DIR}", x.Dir)
		text = "Base directory for this skill: " + x.Dir + "\n\n" + text
	}
	return text, failed
}

// split splits arguments into words, as a shell does with quotes.
func split(args string) (words []string) {
	var word strings.Builder
	var quote rune
	open := false
	for _, c := range args + " " {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(c)
			open = true
		}
	}
	return words
}

// Split splits a message that is a command into its name and arguments.
func Split(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	return name, strings.TrimSpace(args), name != ""
}

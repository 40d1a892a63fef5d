package permission

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/glob"
)

// Rule names uses of a tool: all of them, or those that fit its content.
type Rule struct {
	Tool    string
	Content string // "" for every use
}

// ParseRule reads a rule such as Bash(npm run:*). Brackets in the content have a backslash before
// them.
func ParseRule(text string) Rule {
	name, content, ok := strings.Cut(strings.TrimSpace(text), "(")
	content, closed := strings.CutSuffix(content, ")")
	if !ok || !closed || content == "*" {
		return Rule{Tool: name}
	}
	return Rule{Tool: name, Content: strings.NewReplacer(`\(`, "(", `\)`, ")", `\\`, `\`).Replace(content)}
}

// String returns the rule as settings have it.
func (r Rule) String() string {
	if r.Content == "" {
		return r.Tool
	}
	return r.Tool + "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(r.Content) + ")"
}

// names reports whether the rule is about a tool. A rule for an MCP server is about all its tools,
// one for Edit about all tools that change files.
func (r Rule) names(tool string) bool {
	switch {
	case r.Tool == tool:
		return true
	case strings.HasPrefix(tool, "mcp__"):
		server, _ := strings.CutSuffix(r.Tool, "__*")
		return strings.HasPrefix(tool, server+"__") && strings.HasPrefix(r.Tool, "mcp__")
	case r.Tool == "Agent" || r.Tool == "Task":
		return tool == "Agent" || tool == "Task"
	case r.Content != "" && r.Tool == "Edit":
		return edits(tool)
	case r.Content != "" && r.Tool == "Read":
		return tool == "Glob" || tool == "Grep"
	}
	return false
}

// fits reports whether the name in a rule is a pattern that a tool fits.
func (r Rule) fits(tool string) bool {
	ok, err := path.Match(r.Tool, tool)
	return err == nil && ok && strings.Contains(r.Tool, "*")
}

// mayAsk reports whether the rule may ask for a tool, as far as its name says. Rules for files are
// Edit and Read, which are tried with the path before; other names of tools for files with a
// content are not, and may be meant for it.
func (r Rule) mayAsk(tool string) bool {
	reads := func(name string) bool { return name == "Read" || name == "Glob" || name == "Grep" }
	switch {
	case edits(tool):
		return r.Tool != "Edit" && (edits(r.Tool) || reads(r.Tool))
	case reads(tool):
		return r.Tool != "Read" && reads(r.Tool)
	}
	return r.names(tool)
}

// command reports whether the content of a rule for Bash fits a command, and whether it names it as
// a whole. A prefix fits as a whole word.
func (r Rule) command(text string) (fits, exact bool) {
	if r.Content == "" || r.Content == text {
		return true, true
	}
	prefix, whole := strings.CutSuffix(r.Content, ":*")
	ok := whole
	if !ok {
		prefix, ok = strings.CutSuffix(r.Content, " *")
	}
	if ok && !strings.Contains(prefix, "*") {
		return text == prefix || strings.HasPrefix(text, prefix+" "), whole && text == prefix
	}
	if !strings.Contains(r.Content, "*") {
		return false, false
	}
	parts := strings.Split(r.Content, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	expression, err := regexp.Compile("^" + strings.Join(parts, ".*") + "$")
	return err == nil && expression.MatchString(text), false
}

// skill reports whether the content of a rule fits the name of a skill.
func (r Rule) skill(name string) bool { return strings.TrimSuffix(r.Content, ":*") == name }

// path reports whether the content of a rule fits an absolute path: //x is absolute, ~/x below the
// home directory, /x and ./x below the working directory, x anywhere below it.
func (r Rule) path(path, dir, home string) bool {
	base, pattern := dir, r.Content
	switch {
	case pattern == "":
		return true
	case strings.HasPrefix(pattern, "//"):
		base, pattern = "/", pattern[2:]
	case strings.HasPrefix(pattern, "~/"):
		base, pattern = home, pattern[2:]
	case strings.HasPrefix(pattern, "/"):
		pattern = pattern[1:]
	case strings.HasPrefix(pattern, "./"):
		pattern = pattern[2:]
	case !strings.Contains(strings.TrimSuffix(pattern, "/"), "/"):
		pattern = "**/" + pattern
	}
	rel, err := filepath.Rel(base, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	expression, err := glob.Tree(strings.TrimSuffix(pattern, "/"))
	if err != nil {
		return false
	}
	for ; rel != "."; rel = filepath.Dir(rel) { // what fits a folder fits all that is in it
		if expression.MatchString(filepath.ToSlash(rel)) {
			return true
		}
	}
	return false
}

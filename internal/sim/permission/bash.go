package permission

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/shell"
)

const (
	needsApproval = "This command requires approval"
	nested        = "A nested command in this command can't be checked before it runs"
	variable      = "A variable in this command can't be checked before it runs"
)

func (p *Policy) bash(r *Request, mode string) Decision {
	text := r.Input.Text("command")
	line, err := shell.Parse(text)
	if d, ok := p.bashRules(text, line); ok {
		return d
	}
	if mode == "bypassPermissions" {
		return Decision{Behavior: Allow, Reason: "mode"}
	}
	e, ok := p.find(Allow, func(rule Rule) bool {
		_, exact := rule.command(text)
		return rule.names("Bash") && exact
	})
	switch {
	case ok:
		return Decision{Behavior: Allow, Reason: "rule", Source: e.source}
	case err != nil || line.Compound && !line.Nested && !line.Variable:
		return approval()
	case line.Nested:
		return Decision{Behavior: Ask, Reason: "other", Text: nested, Message: nested, Suggestions: []any{}}
	case line.Variable:
		return Decision{Behavior: Ask, Reason: "other", Text: variable, Message: variable, Suggestions: []any{}}
	}
	return p.parts(line, r.Now, mode)
}

func approval() Decision {
	return Decision{Behavior: Ask, Reason: "other", Text: needsApproval, Message: needsApproval, Suggestions: []any{}}
}

// bashRules decides by the rules that deny and ask.
func (p *Policy) bashRules(text string, line *shell.Line) (Decision, bool) {
	denied := Decision{Behavior: Deny, Reason: "subcommandResults", Message: fmt.Sprintf("Permission to use Bash with command %s has been denied.", text)}
	texts := []string{text}
	if line != nil {
		for _, part := range line.Parts {
			texts = append(texts, part.Text, strings.Join(part.Words, " "))
		}
	}
	fits := func(rule Rule) bool {
		return rule.names("Bash") && slices.ContainsFunc(texts, func(t string) bool { fits, _ := rule.command(t); return fits })
	}
	if e, ok := p.find(Deny, fits); ok {
		if e.rule.Content == text || e.rule.Content == "" {
			denied.Reason = "rule"
		}
		denied.Source = e.source
		return denied, true
	}
	if line != nil && p.deniesFile(line) {
		return denied, true
	}
	if e, ok := p.find(Ask, fits); ok {
		return Decision{Behavior: Ask, Reason: "rule", Source: e.source, Policy: true, ByRule: true, Message: needsApproval}, true
	}
	return Decision{}, false
}

// deniesFile reports whether a command names a file that may not be read or changed.
func (p *Policy) deniesFile(line *shell.Line) bool {
	for _, part := range line.Parts {
		words := part.Words
		for _, f := range part.Files {
			words = append(words, f.Path)
		}
		for _, w := range words {
			path := absolute(w, p.Dir)
			if _, ok := p.find(Deny, func(r Rule) bool {
				return (r.Tool == "Read" || r.Tool == "Edit") && r.Content != "" && r.path(path, p.Dir, p.Home)
			}); ok {
				return true
			}
		}
	}
	return false
}

func absolute(path, now string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(now, path)
}

// parts decides by the simple commands of a line.
func (p *Policy) parts(line *shell.Line, now, mode string) Decision {
	if now == "" {
		now = p.Dir
	}
	var open []Rule // what would have to be allowed
	var last Decision
	for i := range line.Parts {
		part := &line.Parts[i]
		d := p.part(part, now, mode)
		if d.Behavior == Ask {
			open = append(open, suggested(part))
			last = d
		} else if len(line.Parts) == 1 {
			return d
		}
		if len(part.Words) > 1 && part.Words[0] == "cd" {
			now = absolute(part.Words[len(part.Words)-1], now)
		}
	}
	switch {
	case len(open) == 0:
		return Decision{Behavior: Allow, Reason: "subcommandResults"}
	case len(line.Parts) == 1:
		last.Suggestions = append([]any{addRules(LocalSettings, open...)}, last.Suggestions...)
		return last
	}
	return Decision{Behavior: Ask, Reason: "subcommandResults", Message: needsApproval, Suggestions: []any{addRules(LocalSettings, open...)}}
}

var subcommand = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// suggested is the rule that would allow a command and those that are like it.
func suggested(part *shell.Part) Rule {
	words := strings.Fields(part.Text)
	if len(words) > 1 && len(part.Assigns) == 0 && subcommand.MatchString(words[1]) && words[0] != "sudo" {
		return Rule{"Bash", words[0] + " " + words[1] + " *"}
	}
	return Rule{"Bash", part.Text}
}

// part decides on a simple command.
func (p *Policy) part(part *shell.Part, now, mode string) Decision {
	if _, ok := p.find(Allow, func(r Rule) bool { fits, _ := r.command(part.Text); return r.names("Bash") && fits }); ok && len(part.Files) == 0 {
		return Decision{Behavior: Allow, Reason: "subcommandResults"}
	}
	for _, f := range part.Files {
		if path := absolute(f.Path, now); f.Write && path != "/dev/null" && !p.mayChange(path, mode) {
			return Decision{Behavior: Ask, BlockedPath: path, Suggestions: []any{addFolders(filepath.Dir(path))}, Message: changeMessage("redirection", path, p.Dir)}
		} else if !f.Write && !p.inside(path) {
			return outside(path)
		}
	}
	if len(part.Assigns) > 0 || len(part.Words) == 0 {
		return approval()
	}
	if path := changes(part.Words); path != "" {
		path = absolute(path, now)
		if p.mayChange(path, mode) {
			return Decision{Behavior: Allow, Reason: "subcommandResults"}
		}
		d := Decision{Behavior: Ask, BlockedPath: path, Suggestions: []any{addFolders(folder(path))}, Message: changeMessage(part.Words[0], path, p.Dir)}
		if mode != "acceptEdits" {
			d.Suggestions = append(d.Suggestions, setMode("acceptEdits"))
		}
		return d
	}
	if !harmless(part.Words) {
		return approval()
	}
	if named(part.Words[0]) {
		for _, w := range part.Words[1:] {
			if path := absolute(w, now); !strings.HasPrefix(w, "-") && !p.inside(path) && (filepath.IsAbs(w) || strings.HasPrefix(w, "..")) {
				return outside(path)
			}
		}
	}
	return Decision{Behavior: Allow, Reason: "subcommandResults"}
}

func (p *Policy) mayChange(path, mode string) bool {
	return p.inside(path) && (mode == "acceptEdits" || mode == "auto") && p.sensitive(path) == ""
}

func changeMessage(name, path, dir string) string {
	return fmt.Sprintf("%s in '%s' needs approval. The path is inside the working directories for this session ('%s'), "+
		"and Claude Code asks before a shell command creates, changes or removes files there.", name, path, dir)
}

// outside asks for a file that is not in a working directory.
func outside(path string) Decision {
	return Decision{
		Behavior: Ask, BlockedPath: path, Message: fmt.Sprintf("Claude requested permissions to read from %s, but you haven't granted it yet.", path),
		Suggestions: []any{addRules(SessionRules, Rule{"Read", "/" + folder(path) + "/**"})},
	}
}

// folder is a path if it is a folder, else the folder that it is in.
func folder(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

// changes returns the first file that a command makes, changes or removes, "" if it does nothing of
// that.
func changes(words []string) string {
	if words[0] == "sed" {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-i") || w == "--in-place" }) {
			return words[len(words)-1]
		}
		return ""
	}
	if !slices.Contains([]string{"mkdir", "touch", "rm", "rmdir", "mv", "cp"}, words[0]) {
		return ""
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return ""
}

// readers are the commands that change nothing; the names of files are among their arguments.
var readers = strings.Fields("cat head tail wc stat file ls cd grep egrep fgrep rg find sort uniq cut diff cmp comm nl tac rev " +
	"realpath readlink tree strings od hexdump md5sum sha1sum sha256sum cksum du")

// others are commands that change nothing and read no files that they are given.
var others = strings.Fields("echo printf true false sleep pwd which whereis type date whoami id groups uname hostname df ps free uptime " +
	"tr paste basename dirname seq test [ expr nproc arch cal locale")

// safe are the subcommands that change nothing.
var safe = map[string][]string{
	"git":    {"status", "diff", "log", "show", "rev-parse", "ls-files", "blame", "describe", "shortlog", "reflog", "rev-list", "cat-file", "ls-tree"},
	"docker": {"ps", "images", "logs", "inspect"},
}

func named(name string) bool { return slices.Contains(readers, name) }

// harmless reports whether a command changes nothing.
func harmless(words []string) bool {
	name, args := words[0], words[1:]
	has := func(list ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(list, a) })
	}
	switch {
	case name == "find":
		return !has("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls")
	case name == "sort":
		return !has("-o", "--output")
	case name == "date":
		return !has("-s", "--set")
	case named(name) || slices.Contains(others, name):
		return true
	case len(args) == 0:
		return false
	case slices.Contains(safe[name], args[0]):
		return !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--output") || strings.HasPrefix(a, "--ext-diff") })
	}
	return len(args) == 1 && slices.Contains([]string{"-v", "-V", "--version"}, args[0]) && subcommand.MatchString(name)
}

package permission

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/shell"
)

const (
	needsApproval     = "This command requires approval"
	nested            = "The output of a command is part of another one here, which can't be checked before"
	variable          = "A variable in this command can't be checked before it runs"
	background        = "A command in the background can't be checked before it runs"
	pattern           = "A pattern can't be checked before files are changed; name them"
	traversal         = "A path that goes up again can't be checked before it is used"
	evaluates         = "The arguments of this command are commands, which can't be checked before they run"
	assigns           = "Variables in this command can't be checked before it runs"
	changesShell      = "This command changes how the shell reads what comes after it, which can't be checked"
	emptied           = "A pattern that takes all files of a folder can't be undone; name them"
	severalFolders    = "A line that goes from one folder to the next needs approval, so that it is clear where its commands run"
	versionsElsewhere = "A line that goes to a folder and calls git there can run hooks and settings of a repository that nobody may have looked at"
	changedFolder     = "Files in another folder can't be checked before the command is there"
)

func (p *Policy) bash(r *Request, mode string) Decision {
	text := r.Input.Text("command")
	line, err := shell.Parse(text)
	if err != nil { // a text in single quotes may be open at the end
		line, err = shell.Parse(text + "'")
	}
	if d, ok := p.bashRules(text, line, r.Now); ok {
		return d
	}
	if mode == "bypassPermissions" {
		return Decision{Behavior: Allow, Reason: "mode"}
	}
	e, ok := p.find(Allow, func(rule Rule) bool {
		_, exact := rule.command(text)
		return rule.names("Bash") && exact && mode != "plan"
	})
	switch {
	case ok:
		return Decision{Behavior: Allow, Reason: "rule", Source: e.source}
	case err != nil:
		return other("Parse error")
	}
	if d, ok := assigned(line); ok {
		return d
	}
	switch {
	case line.Declares != "":
		return other(fmt.Sprintf("What '%s' gives to '%s=$(…)' is known only when it runs, and a shell may take it for the number of an element, as $(cmd)",
			line.Declares, line.Declared))
	case line.Nested:
		return other(nested)
	case line.Variable:
		return other(variable)
	case line.Braces:
		return other("Brace expansion")
	case line.Exports:
		return p.exports(line)
	case line.Construct != "":
		return other(line.Construct + " in this command can't be checked before it runs")
	case travels(line) != "":
		d := other(travels(line))
		d.Suggestions = nil
		return d
	case line.Background && p.parts(text, line, r.Now, mode).Behavior == Allow:
		return Decision{Behavior: Ask, Reason: "safetyCheck", Text: background, Message: background, Unapprovable: true}
	case line.Background && len(line.Parts) > 1:
		return Decision{Behavior: Ask, Reason: "subcommandResults", Message: needsApproval}
	case line.Background || line.Subshell:
		return Decision{Behavior: Ask, Reason: "other", Text: needsApproval, Message: needsApproval}
	case line.Compound:
		return approval()
	}
	d := p.parts(text, line, r.Now, mode)
	if r.Fresh {
		d = fresh(d, line)
	}
	if d.Behavior == Allow && d.writes && mode == "auto" {
		d.Reason = "mode"
	}
	return d
}

// travels says why a line that goes to another folder is asked for, whatever its commands are; ""
// for no reason.
func travels(line *shell.Line) string {
	folders, versions := 0, false
	for _, part := range line.Parts {
		words := command(part.Words)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "cd", "pushd", "popd":
			folders++
		case "git":
			versions = true
		}
	}
	switch {
	case folders > 1:
		return severalFolders
	case folders == 1 && versions:
		return versionsElsewhere
	}
	return ""
}

func approval() Decision { return other(needsApproval) }

// other asks, for a reason that no rule can take away.
func other(reason string) Decision {
	return Decision{Behavior: Ask, Reason: "other", Text: reason, Message: reason, Suggestions: []any{}}
}

// bashRules decides by the rules that deny and ask, but for those that ask for every command.
func (p *Policy) bashRules(text string, line *shell.Line, now string) (Decision, bool) {
	denied := Decision{Behavior: Deny, Reason: "subcommandResults", Message: fmt.Sprintf("Permission to use Bash with command %s has been denied.", text)}
	texts := []string{text}
	if line != nil {
		if line.Subshell {
			texts = append(texts, strings.Trim(text, "() "))
		}
		for _, part := range line.Parts {
			texts = append(texts, part.Text, strings.Join(part.Words, " "), strings.Join(command(part.Words), " "))
		}
	}
	fits := func(rule Rule) bool {
		return rule.names("Bash") && slices.ContainsFunc(texts, func(t string) bool { fits, _ := rule.command(t); return fits })
	}
	if e, ok := p.find(Deny, fits); ok {
		if c := e.rule.Content; c == text || c == text+":*" || c == "" || line == nil || line.Subshell {
			denied.Reason = "rule"
		}
		if e.rule.Content == "" && e.source == FlagSettings {
			denied.Message = "Permission to use Bash has been denied."
		}
		denied.Source = e.source
		return denied, true
	}
	if line != nil {
		if d, ok := p.deniesFile(line, now); ok {
			d.Message = cmp.Or(d.Message, denied.Message)
			return d, true
		}
	}
	if e, ok := p.find(Ask, func(rule Rule) bool { return rule.Content != "" && fits(rule) }); ok {
		if line != nil && len(line.Segments) > 0 {
			return Decision{Behavior: Ask, Reason: "subcommandResults", ByRule: true, Message: needsApproval}, true
		}
		return Decision{Behavior: Ask, Reason: "rule", Source: e.source, Policy: true, ByRule: true, Message: needsApproval}, true
	}
	return Decision{}, false
}

// deniesFile returns the decision on a line that names a file, or a folder with files, that may not
// be read or changed, or that goes to one and lists it.
func (p *Policy) deniesFile(line *shell.Line, now string) (Decision, bool) {
	for _, s := range p.steps(line, cmp.Or(now, p.Dir)) {
		words := command(s.part.Words)
		if len(words) == 0 || words[0] == "cd" && len(line.Parts) > 1 {
			continue
		}
		var names []string
		if named(words[0]) || words[0] == "git" || words[0] == "sed" || len(changes(words)) > 0 {
			names = slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
		}
		edits := len(changes(words)) > 0
		for _, f := range s.part.Files {
			if !f.Write {
				names, edits = append(names, f.Path), true
			}
		}
		if len(names) == 0 && words[0] == "ls" {
			names = []string{"."}
		}
		for _, w := range names {
			path := absolute(p.expand(w), s.now)
			e, ok := p.find(Deny, func(r Rule) bool {
				return (r.Tool == "Read" || r.Tool == "Edit" && edits) && r.Content != "" &&
					(r.path(path, p.Dir, p.Home) || r.path(filepath.Join(path, "x"), p.Dir, p.Home) && strings.HasSuffix(r.Content, "/**"))
			})
			switch {
			case !ok:
			case s.moved:
				return Decision{Behavior: Deny, Reason: "rule", Source: e.source, Message: fmt.Sprintf("%s from '%s' was blocked by a deny rule.", words[0], path)}, true
			default:
				return Decision{Behavior: Deny, Reason: "subcommandResults"}, true
			}
		}
	}
	return Decision{}, false
}

// expand returns a path whose ~ is the home directory.
func (p *Policy) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		return p.Home + rest
	}
	return path
}

func absolute(path, now string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(now, path)
}

// step is a simple command of a line.
type step struct {
	part  *shell.Part
	now   string // where it runs
	moved bool   // that is another folder than the line's
}

// steps returns the simple commands of a line, which is run in a folder.
func (p *Policy) steps(line *shell.Line, now string) (list []step) {
	moved := false
	for i := range line.Parts {
		part := &line.Parts[i]
		list = append(list, step{part, now, moved})
		if len(part.Words) > 1 && part.Words[0] == "cd" {
			now, moved = absolute(p.expand(part.Words[len(part.Words)-1]), now), true
		}
	}
	return list
}

// guards asks for what no line does unasked, and for a line of several commands one of which
// changes a file that is not changed without asking.
func (p *Policy) guards(steps []step, mode string) (Decision, bool) {
	for _, s := range steps {
		if d, ok := p.removes(command(s.part.Words), s.now); ok {
			return d, true
		}
	}
	for _, s := range steps {
		if d := p.part(s.part, s.now, mode); d.Approvable && len(steps) > 1 {
			return Decision{Behavior: Ask, Reason: "subcommandResults", Text: d.Text, Message: d.Text, Approvable: true, Suggestions: []any{}}, true
		}
	}
	return Decision{}, false
}

var subcommand = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// wrappers are commands that run another one.
var wrappers = strings.Fields("sudo xargs nohup nice time timeout env")

// suggested is the rule that would allow a command and those that are like it.
func suggested(text string) Rule {
	if before, _, ok := strings.Cut(text, "<<"); ok {
		if words := strings.Fields(before); len(words) > 2 {
			return Rule{"Bash", words[0] + " " + words[1] + " *"}
		}
	}
	words := strings.Fields(text)
	for len(words) > 0 && harmlessVariable(words[0]) {
		words = words[1:]
	}
	if len(words) > 1 && !strings.Contains(words[0], "=") && subcommand.MatchString(words[1]) && !slices.Contains(wrappers, words[0]) && words[0] != "if" {
		return Rule{"Bash", strings.TrimSuffix(words[0]+" "+words[1], ";") + " *"}
	}
	return Rule{"Bash", text}
}

// quiet are the variables that change nothing of what a command does to the machine.
var quiet = strings.Fields("NODE_ENV GOOS GOARCH CGO_ENABLED RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED LANG LC_ALL TERM NO_COLOR FORCE_COLOR TZ")

// plainText is the text of a simple command without variables that change nothing.
func plainText(part *shell.Part) string {
	text := part.Text
	for _, a := range part.Assigns {
		name, _, _ := strings.Cut(a, "=")
		rest, ok := strings.CutPrefix(text, a+" ")
		if !ok || !slices.Contains(quiet, name) {
			return part.Text
		}
		text = rest
	}
	return text
}

// part decides on a simple command.
func (p *Policy) part(part *shell.Part, now, mode string) Decision {
	text := plainText(part)
	if _, ok := p.find(Allow, func(r Rule) bool { fits, _ := r.command(text); return r.names("Bash") && fits }); ok && len(part.Files) == 0 && mode != "plan" {
		return Decision{Behavior: Allow, Reason: "subcommandResults"}
	}
	if d := p.redirection(part, now, mode); d.Behavior != Allow {
		return d
	}
	words := command(part.Words)
	ask := approval()
	ask.rule, ask.open = true, true
	switch {
	case len(words) == 0 && len(part.Assigns) > 0:
		return other(assigns)
	case len(words) == 0 || slices.ContainsFunc(part.Assigns, func(a string) bool { return !harmlessVariable(a) }):
		return ask
	case slices.Contains([]string{"source", ".", "eval", "exec", "trap"}, words[0]) && len(words) > 1 || words[0] == "alias":
		return other(evaluates)
	case slices.Contains(options, words[0]):
		return other(changesShell)
	case words[0] == "find" && !harmless(words):
		return other(evaluates)
	}
	if files := changes(words); len(files) > 0 {
		for i, f := range files {
			files[i] = absolute(p.expand(f), now)
		}
		if d := p.change(words, files, mode); d.Behavior == Ask || words[0] != "tee" {
			return d
		}
		return ask
	}
	switch {
	case words[0] == "sed" && !sedReads(words[1:]):
		return uncheckedSed()
	case !harmless(words) || words[0] == "[" && strings.Contains(part.Text, "$"):
		return ask
	}
	if words[0] == "cd" && len(words) == 1 {
		words = []string{"cd", "~"}
	}
	if named(words[0]) || words[0] == "sed" {
		args := words[1:]
		if words[0] == "sed" {
			args = sedFiles(args)
		}
		for _, w := range args {
			name := p.expand(w)
			path := absolute(name, now)
			switch {
			case strings.HasPrefix(w, "-"):
			case !p.inside(path) && (filepath.IsAbs(name) || strings.HasPrefix(name, "..")):
				return outside(path)
			case strings.Contains(strings.TrimLeft(name, "./"), "/.."):
				return Decision{Behavior: Ask, Reason: "other", Text: traversal, Message: traversal, BlockedPath: name}
			}
		}
	}
	return Decision{Behavior: Allow, Reason: "subcommandResults", writes: slices.ContainsFunc(part.Files, func(f shell.Redirection) bool { return f.Write && f.Path != "/dev/null" })}
}

// change decides on a command that changes files.
func (p *Policy) change(words, files []string, mode string) Decision {
	if !slices.ContainsFunc(files, func(f string) bool { return !p.mayChange(f, mode) }) {
		if words[0] == "sed" && !sedReplaces(words[1:]) {
			return uncheckedSed()
		}
		return Decision{Behavior: Allow, Reason: "subcommandResults", writes: true}
	}
	path, text := files[0], ""
	if i := slices.IndexFunc(files, func(f string) bool { return !p.inside(f) }); i >= 0 {
		path = files[i]
	} else if i := slices.IndexFunc(files, func(f string) bool { return p.sensitive(f) != "" }); i >= 0 {
		path, text = files[i], p.sensitive(files[i])
	}
	d := Decision{Behavior: Ask, BlockedPath: path, Suggestions: []any{addFolders(folder(path))}, Message: changeMessage(words[0], path, p.Dir), rule: true, writes: true}
	if strings.ContainsAny(path, "*?[") {
		d.BlockedPath, d.Reason, d.Text = words[len(words)-1], "other", pattern
	}
	if words[0] == "cp" || words[0] == "mv" {
		if slices.ContainsFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") }) {
			d = other(words[0] + " command with flags requires manual approval")
			d.rule, d.writes = true, true
		}
	}
	if mode != "acceptEdits" {
		d.Suggestions = append(d.Suggestions, setMode("acceptEdits"))
	}
	return d.guarded(text)
}

// guarded returns the decision on a file that is not changed without asking, whose reason text is;
// "" for none.
func (d Decision) guarded(text string) Decision {
	if text != "" {
		d.Reason, d.Text, d.Message, d.Approvable, d.rule = "safetyCheck", text, text, true, false
	}
	return d
}

// redirection decides on the files that a command is redirected from and to.
func (p *Policy) redirection(part *shell.Part, now, mode string) Decision {
	for _, f := range part.Files {
		if path := absolute(p.expand(f.Path), now); f.Write && path != "/dev/null" && !p.mayChange(path, mode) {
			d := Decision{Behavior: Ask, BlockedPath: path, Suggestions: []any{addFolders(filepath.Dir(path))},
				Message: changeMessage("redirection", path, p.Dir), redirects: true, rule: true}
			return d.guarded(p.sensitive(path))
		} else if !f.Write && path != "/dev/null" && !p.inside(path) {
			return outside(path)
		}
	}
	return Decision{Behavior: Allow}
}

// removes asks for a command that removes a folder which the session or the machine needs.
func (p *Policy) removes(words []string, now string) (Decision, bool) {
	if len(words) == 0 || words[0] != "rm" && words[0] != "rmdir" {
		return Decision{}, false
	}
	for _, f := range changes(words) {
		name, all := strings.CutSuffix("/"+f, "/*")
		path := absolute(p.expand(f), now)
		if all {
			path = absolute(p.expand(strings.TrimPrefix(name, "/")), now)
			if filepath.IsAbs(f) && name == "/" {
				path = "/"
			}
		}
		rel, err := filepath.Rel(path, p.Dir)
		if filepath.Dir(path) != "/" && path != p.Home && (err != nil || !filepath.IsLocal(rel)) {
			continue
		}
		text := fmt.Sprintf("%s would take %s away, and everything that is in it", words[0], path)
		if all {
			text = emptied
		}
		return Decision{Behavior: Ask, Reason: "safetyCheck", Text: text, Message: text, Unapprovable: true, Suggestions: []any{}}, true
	}
	return Decision{}, false
}

// command returns the words of the command that the words of another one run in the end.
func command(words []string) []string {
	for len(words) > 0 {
		inner := unwrapped(words)
		if len(inner) == len(words) {
			break
		}
		words = inner
	}
	return words
}

// unwrapped returns the command that another one runs with a time limit, or the words as they are.
func unwrapped(words []string) []string {
	switch {
	case words[0] == "timeout" && len(words) > 2 && !strings.HasPrefix(words[1], "-"):
		return words[2:]
	case (words[0] == "command" || words[0] == "builtin") && len(words) > 1 && !strings.HasPrefix(words[1], "-"):
		return words[1:]
	}
	return words
}

func (p *Policy) mayChange(path, mode string) bool {
	return p.inside(path) && (mode == "acceptEdits" || mode == "auto") && p.sensitive(path) == ""
}

func changeMessage(name, path, dir string) string {
	return fmt.Sprintf("%s in '%s' needs approval: it is in a working directory of this session ('%s'), "+
		"where no command makes, changes or removes a file unasked.", name, path, dir)
}

// outside asks for a file that is not in a working directory.
func outside(path string) Decision {
	need := Rule{"Read", "/" + folder(path) + "/**"}
	d := Decision{Behavior: Ask, BlockedPath: path, Message: fmt.Sprintf("Claude requested permissions to read from %s, but you haven't granted it yet.", path), Suggestions: []any{}, need: need}
	if folder(path) != "/" { // nobody is offered to have all files read
		d.Suggestions, d.rule = []any{addRules(SessionRules, need)}, true
	}
	return d
}

// folder is a path if it is a folder, else the folder that it is in.
func folder(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

// changes returns the files that a command makes, changes or removes.
func changes(words []string) []string {
	var files []string
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			files = append(files, w)
		}
	}
	switch {
	case words[0] == "sed" && !sedReads(words[1:]):
		return sedFiles(words[1:])
	case words[0] == "tee":
		return slices.DeleteFunc(files, func(f string) bool { return f == "/dev/null" })
	case slices.Contains([]string{"mkdir", "touch", "rm", "rmdir", "mv", "cp"}, words[0]):
		return files
	}
	return nil
}

// readers are the commands that change nothing; the names of files are among their arguments.
var readers = strings.Fields("cat head tail wc stat file ls cd grep egrep fgrep rg find sort cut diff cmp comm nl tac rev fold fmt column " +
	"realpath readlink tree strings od hexdump md5sum sha1sum sha256sum cksum du base64 tsort jq fd")

// others are commands that change nothing and read no files that they are given.
var others = strings.Fields("echo printf true false sleep pwd which type date whoami id groups uname hostname df ps free uptime " +
	"tr paste basename dirname seq test [ expr nproc arch cal locale history help lsof netstat ss ifconfig pgrep tput")

// safe are the subcommands that change nothing.
var safe = map[string][]string{
	"git": {"status", "diff", "log", "show", "rev-parse", "ls-files", "blame", "describe", "shortlog", "reflog", "rev-list", "cat-file", "ls-tree", "grep", "ls-remote",
		"for-each-ref", "merge-base"},
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
	case name == "sed":
		return sedReads(args) && !dollar(args)
	case name == "grep" || name == "egrep" || name == "fgrep":
		return !dollar(args)
	case name == "hostname" || name == "uniq": // which writes the second file that it is given
		return !slices.ContainsFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	case name == "xargs":
		return len(args) > 0 && slices.Contains([]string{"echo", "grep", "head", "tail", "wc"}, args[0])
	case name == "ip":
		return len(args) > 0 && args[0] == "addr"
	case named(name) || slices.Contains(others, name):
		return true
	case len(args) == 0:
		return false
	case slices.Contains(safe[name], args[0]):
		return !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--output") || strings.HasPrefix(a, "--ext-diff") })
	}
	return name == "git" && lists(args) || len(args) == 1 && slices.Contains([]string{"-v", "--version"}, args[0]) && slices.Contains([]string{"node", "python", "python3"}, name)
}

// dollar reports whether an argument has the sign that variables begin with, be it quoted.
func dollar(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "$") })
}

// lists reports whether the arguments of git list something that others of the kind change.
func lists(args []string) bool {
	rest := strings.Join(args[1:], " ")
	switch args[0] {
	case "branch":
		return slices.Contains([]string{"", "-a", "-r", "-v", "-vv", "--list", "--show-current"}, rest)
	case "tag":
		return slices.Contains([]string{"", "-l", "--list"}, rest)
	case "remote":
		return slices.Contains([]string{"", "-v", "show"}, rest)
	case "stash":
		return rest == "list" || rest == "show"
	case "worktree":
		return rest == "list"
	case "config":
		return strings.HasPrefix(rest, "--get ")
	}
	return false
}

// options are commands that change how a shell behaves.
var options = strings.Fields("shopt setopt unsetopt zmodload emulate")

// variables are those that a command may be given without asking.
var variables = strings.Fields("LANG LANGUAGE LC_ALL LC_TIME CHARSET TERM COLORTERM NO_COLOR FORCE_COLOR TZ LS_COLORS LSCOLORS GREP_COLOR GREP_COLORS " +
	"GCC_COLORS TIME_STYLE BLOCK_SIZE BLOCKSIZE COLUMNS LINES CI NODE_ENV RUST_LOG RUST_BACKTRACE GOEXPERIMENT GOOS GOARCH CGO_ENABLED GO111MODULE " +
	"PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTEST_DEBUG ANTHROPIC_API_KEY")

// harmlessVariable reports whether NAME=value before a command does not matter.
func harmlessVariable(assign string) bool {
	name, value, ok := strings.Cut(assign, "=")
	return ok && slices.Contains(variables, name) && !strings.Contains(value, "$")
}

// ReadOnly reports whether it can be seen in a command line that it changes nothing: one with
// variables, or with words that stand for several, is not looked at.
func ReadOnly(line string) bool {
	l, err := shell.Parse(line)
	if err != nil || l.Nested || l.Compound || l.Expands || l.Braces || l.Construct != "" || len(l.Parts) == 0 || len(l.Sets) > 0 {
		return false
	}
	return !slices.ContainsFunc(l.Parts, func(p shell.Part) bool {
		words := command(p.Words)
		return len(words) == 0 || !harmless(words) ||
			slices.ContainsFunc(p.Assigns, func(a string) bool { return !harmlessVariable(a) }) ||
			slices.ContainsFunc(p.Files, func(f shell.Redirection) bool { return f.Write && f.Path != "/dev/null" })
	})
}

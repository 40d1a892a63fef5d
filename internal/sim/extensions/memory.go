package extensions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/glob"
)

// Instructions are what a file tells the model in every conversation.
type Instructions struct {
	Path, Text string
	Whose      string // User, Project or Local
}

// Rule is what a file tells the model when it reads one of some files.
type Rule struct {
	Instructions
	Paths []string // patterns, relative to the working directory
	Body  string   // the text of the file after what it says of itself
	Whole string   // all of the file
}

// Fits reports whether the rule is about a file, by its path relative to the working directory.
func (r *Rule) Fits(rel string) bool {
	return slices.ContainsFunc(r.Paths, func(pattern string) bool {
		expression, err := glob.Tree(pattern)
		return err == nil && expression.MatchString(filepath.ToSlash(rel))
	})
}

// Memory is what files with instructions tell the model.
func (e *Extensions) Memory() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, m := range e.files.memory {
		b.WriteString("Contents of " + m.Path + ":\n\n" + m.Text + "\n\n")
	}
	return b.String()
}

// Files are the files with instructions for every conversation.
func (e *Extensions) Files() []Instructions {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.memory
}

// Rules are the rules for files that the model reads.
func (e *Extensions) Rules() []Rule {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.rules
}

// memory reads files with instructions.
type memory struct {
	home  string
	whose string // the files that are read now
	files []Instructions
	rules []Rule
}

// remember reads the instructions of the user, and those of the project from the outermost folder
// to the working directory.
func (e *Extensions) remember() ([]Instructions, []Rule) {
	m := &memory{home: e.place.Get("HOME"), whose: "User"}
	if e.options.User {
		m.read(filepath.Join(e.place.ConfigDir(), "CLAUDE.md"), "/", 0)
		m.readRules(filepath.Join(e.place.ConfigDir(), "rules"))
	}
	var folders []string
	for dir := e.place.Dir(); ; dir = filepath.Dir(dir) {
		folders = append(folders, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range slices.Backward(folders) {
		m.whose = "Project"
		if e.options.Project {
			if !m.read(filepath.Join(dir, "CLAUDE.md"), e.place.Dir(), 0) {
				m.read(filepath.Join(dir, "AGENTS.md"), e.place.Dir(), 0)
			}
			if dir != m.home { // what is in there is the user's
				m.read(filepath.Join(dir, ".claude", "CLAUDE.md"), e.place.Dir(), 0)
				m.readRules(filepath.Join(dir, ".claude", "rules"))
			}
		}
		m.whose = "Local"
		if e.options.Local {
			m.read(filepath.Join(dir, "CLAUDE.local.md"), e.place.Dir(), 0)
		}
	}
	return m.files, m.rules
}

// maxImports is how many files may import one another.
const maxImports = 5

var (
	imported = regexp.MustCompile(`(?:^|\s)@(\S+)`)
	quoted   = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// read reads a file and those in a folder that it imports. It reports whether there is one.
func (m *memory) read(path, within string, depth int) bool {
	if depth > maxImports || slices.ContainsFunc(m.files, func(i Instructions) bool { return i.Path == path }) {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := Read(path)
	if err != nil {
		return false
	}
	text := strings.TrimSpace(string(data))
	m.files = append(m.files, Instructions{path, text, m.whose})
	for _, found := range imported.FindAllStringSubmatch(quoted.ReplaceAllString(text, ""), -1) {
		name := found[1]
		switch {
		case strings.HasPrefix(name, "~/"):
			name = filepath.Join(m.home, name[2:])
		case !filepath.IsAbs(name):
			name = filepath.Join(filepath.Dir(path), name)
		}
		if rel, err := filepath.Rel(within, name); err == nil && filepath.IsLocal(rel) {
			m.read(name, within, depth+1)
		}
	}
	return true
}

// readRules reads the rules of a folder: those for some files, and those for every conversation.
func (m *memory) readRules(root string) {
	for _, rel := range markdown(root) {
		path := filepath.Join(root, rel)
		data, err := Read(path)
		if err != nil {
			continue
		}
		head, text := frontMatter(string(data))
		i := Instructions{path, strings.TrimSpace(text), m.whose}
		if paths := list(head["paths"]); len(paths) > 0 {
			m.rules = append(m.rules, Rule{i, paths, text, string(data)})
		} else {
			m.files = append(m.files, i)
		}
	}
}

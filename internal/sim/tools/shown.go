package tools

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/shell"
)

// noteShown notes the files that a command line has shown to the model, if it does nothing else.
func (s *Set) noteShown(dir, line string, l *shell.Line) {
	if l.Compound || l.Nested || l.Expands || l.Variable || l.Background || l.Subshell || len(l.Segments) > 0 || len(l.Sets) > 0 ||
		strings.Contains(line, "||") || strings.ContainsAny(line, "<>") {
		return
	}
	var files []showing
	for _, p := range l.Parts {
		if len(p.Words) > 0 && p.Words[0] == "echo" {
			continue
		}
		f, ok := showingOf(p.Words)
		if !ok || len(p.Assigns) > 0 {
			return
		}
		files = append(files, f)
	}
	for _, f := range files {
		if !filepath.IsAbs(f.path) {
			f.path = filepath.Join(dir, f.path)
		}
		if data, err := s.readFile(f.path); err == nil {
			text, _ := lines(data)
			s.see(f.path, seen{text: text, partial: f.part || f.until > 0 && f.until <= strings.Count(text, "\n")})
		}
	}
}

// showing is what a command shows of a file.
type showing struct {
	path  string
	part  bool // not all of it
	until int  // the last line; 0 if there is no limit
}

// What is understood of commands that show files.
var (
	number = regexp.MustCompile(`^-n?(\d+)$`)
	ranged = regexp.MustCompile(`^(\d+)(?:,(\d+))?p$`)
)

// showingOf returns what the words of a command show of one file. It reports false for every other
// command.
func showingOf(words []string) (showing, bool) {
	if len(words) < 2 {
		return showing{}, false
	}
	args, path := words[1:len(words)-1], words[len(words)-1]
	if len(args) == 2 && args[0] == "-n" && words[0] != "sed" && words[0] != "grep" {
		args = []string{"-n" + args[1]}
	}
	arg := strings.Join(args, " ")
	switch words[0] {
	case "cat":
		return showing{path: path}, arg == "" || arg == "-n"
	case "nl":
		return showing{path: path}, arg == ""
	case "head", "tail":
		until := 10
		if m := number.FindStringSubmatch(arg); m != nil {
			until, _ = strconv.Atoi(m[1])
		} else if arg != "" {
			return showing{}, false
		}
		return showing{path: path, part: words[0] == "tail", until: until}, true
	case "sed":
		if len(args) != 2 || args[0] != "-n" {
			return showing{}, false
		}
		m := ranged.FindStringSubmatch(args[1])
		if m == nil {
			return showing{}, false
		}
		until, _ := strconv.Atoi(m[2])
		return showing{path: path, part: m[1] != "1" || m[2] == "", until: until}, true
	case "grep", "egrep":
		return showing{path: path, part: true}, len(args) == 1 && !strings.HasPrefix(args[0], "-") || len(args) == 2 && args[0] == "-n"
	}
	return showing{}, false
}

package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Refuse reads a command line that is to run in the folder now, and returns the first word that
// leaves some folders, "" if none does. The first of them is the home directory. Programs of the
// system may be named by their path. A line that is not one of bash is returned whole.
func Refuse(line, now string, folders ...string) string {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return line
	}
	r := refusal{dir: folders[0], now: now, folders: folders, quiet: map[*syntax.Word]bool{}}
	syntax.Walk(f, func(n syntax.Node) bool {
		if r.found != "" {
			return false
		}
		switch n := n.(type) {
		case *syntax.CallExpr:
			r.call(n)
		case *syntax.Word:
			if !r.quiet[n] {
				r.path(plain(n))
			}
		}
		return true
	})
	return r.found
}

type refusal struct {
	dir, now string // now is "" when it is not known
	folders  []string
	quiet    map[*syntax.Word]bool // words that open no file
	found    string
}

// call looks at a simple command before its words are looked at.
func (r *refusal) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	switch name := plain(c.Args[0]); {
	case name == "echo" || name == "printf" || name == ":":
		for _, w := range c.Args {
			r.quiet[w] = true
		}
	case name == "cd" && len(c.Args) == 1:
		r.now = r.dir // HOME is the folder
	case name == "cd" || name == "pushd":
		last := c.Args[len(c.Args)-1]
		target := plain(last)
		r.path(target)
		r.quiet[last] = true
		if strings.Contains(target, "$") || target == "-" {
			r.now = ""
		} else {
			r.now = r.absolute(target)
		}
	case filepath.IsAbs(name) && system(name):
		r.quiet[c.Args[0]] = true
	}
}

// programs are the folders whose files may be named.
var programs = []string{"/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/"}

// devices may be named too.
var devices = []string{"/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/urandom", "/dev/random"}

func system(path string) bool {
	return slices.ContainsFunc(programs, func(dir string) bool { return strings.HasPrefix(filepath.Clean(path), dir) })
}

// path looks at a word as the name of a file, whole and after the = or the letter of an option.
func (r *refusal) path(word string) {
	candidates := []string{word}
	if _, value, ok := strings.Cut(word, "="); ok {
		candidates = append(candidates, strings.Split(value, ":")...)
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		candidates = append(candidates, word[2:])
	}
	for _, c := range candidates {
		if r.found == "" && r.leaves(c) {
			r.found = word
		}
	}
}

func (r *refusal) leaves(path string) bool {
	switch {
	case slices.Contains(devices, path):
		return false
	case strings.HasPrefix(path, "~") && path != "~" && !strings.HasPrefix(path, "~/"):
		return true // someone else's home
	case filepath.IsAbs(path):
		return !InsideAny(r.folders, path)
	case r.now == "":
		return slices.Contains(strings.Split(path, "/"), "..")
	}
	return !InsideAny(r.folders, r.absolute(path))
}

func (r *refusal) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		return filepath.Join(r.dir, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(r.now, path)
}

// InsideAny reports whether an absolute path is in one of the folders, as [Inside] does.
func InsideAny(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(dir string) bool { return Inside(dir, path) })
}

// Inside reports whether an absolute path is in the folder, also after its links are followed. Of a
// path that does not exist, the part that does counts.
func Inside(dir, path string) bool {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.Join(real, rel)
		}
		dir = real
	}
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = filepath.Join(real, rest)
			break
		}
		if _, err := os.Lstat(path); err == nil {
			return false // a link to what is not there yet
		}
		if parent := filepath.Dir(path); parent != path {
			rest, path = filepath.Join(filepath.Base(path), rest), parent
			continue
		}
		break
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// plain returns a word without its quotes; what is known only when the line runs is a "$".
func plain(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		literal(&b, p)
	}
	return b.String()
}

package tools

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/glob"
)

// maxFound is how many files Glob lists.
const maxFound = 100

// found is a file below the working directory.
type found struct {
	path string // as the model is told it
	time time.Time
}

// below lists the regular files below a path, which may be one of them. Links are not followed.
func (s *Set) below(ctx context.Context, path string) (list []found, err error) {
	r, rel := s.roots[0], "."
	if path != "" {
		if r, rel, err = s.local(path); err != nil {
			return nil, err
		}
	}
	err = fs.WalkDir(r.FS(), filepath.ToSlash(rel), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if d.IsDir() && name != rel && slices.Contains([]string{".git", ".svn", ".hg"}, d.Name()) {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			list = append(list, found{s.shown(r, filepath.FromSlash(name)), info.ModTime()})
		}
		return nil
	})
	return list, err
}

// shown is how the model is told a path of a folder: one in the working directory without it.
func (s *Set) shown(r root, rel string) string {
	if r.path == s.options.Dir {
		return rel
	}
	return filepath.Join(r.path, rel)
}

func (s *Set) glob(ctx context.Context, in object.Object) Result {
	start := time.Now()
	path := in.Text("path")
	if path != "" {
		if info, err := s.stat(path); err != nil || !info.IsDir() {
			return failf("Directory does not exist: %s. Note: your current working directory is %s.", path, s.Now())
		}
	}
	expression, err := glob.Compile(in.Text("pattern"))
	if err != nil {
		return Fail(err.Error())
	}
	list, err := s.below(ctx, path)
	if err != nil {
		return s.fileError(path, err)
	}
	r, rel, _ := s.local(path)
	base := s.shown(r, rel)
	list = slices.DeleteFunc(list, func(f found) bool {
		rel, err := filepath.Rel(base, f.path)
		return err != nil || !expression.MatchString(filepath.ToSlash(rel))
	})
	slices.SortStableFunc(list, func(a, b found) int { return a.time.Compare(b.time) })
	total := len(list)
	names := []any{}
	for _, f := range list[:min(total, maxFound)] {
		names = append(names, f.path)
	}
	result := Result{Content: "No files found", Use: object.Of("filenames", names, "durationMs", time.Since(start).Milliseconds(),
		"numFiles", len(names), "truncated", total > maxFound, "totalMatches", total, "countIsComplete", true)}
	if total > 0 {
		result.Content = join(names)
	}
	return result
}

func join(list []any) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i], _ = list[i].(string)
	}
	return strings.Join(texts, "\n")
}

// query is what Grep looks for.
type query struct {
	expression    *regexp.Regexp
	glob          *regexp.Regexp // nil for every file
	before, after int
	numbers, only bool
}

func (s *Set) grep(ctx context.Context, in object.Object) Result {
	q := query{numbers: true, only: in.Bool("-o")}
	if v, ok := in.Lookup("-n"); ok {
		q.numbers = v == true
	}
	flags := ""
	if in.Bool("-i") {
		flags += "i"
	}
	if in.Bool("multiline") {
		flags += "s"
	}
	text := in.Text("pattern")
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	var err error
	if q.expression, err = regexp.Compile(text); err != nil {
		return failf("Search failed — ripgrep rejected the pattern, glob, or file type without searching:\n%v", err)
	}
	names := in.Text("glob")
	if t := in.Text("type"); t != "" && names == "" {
		names = "*." + t
	}
	if names != "" {
		if !strings.Contains(names, "/") {
			names = "**/" + names
		}
		if q.glob, err = glob.Compile(names); err != nil {
			return Fail(err.Error())
		}
	}
	for name, n := range map[string]*int{"-B": &q.before, "-A": &q.after} {
		for _, member := range []string{"context", "-C", name} {
			if v, ok := in.Number(member); ok {
				*n = int(min(max(v, 0), 1<<20))
			}
		}
	}
	path := in.Text("path")
	list, err := s.below(ctx, path)
	if err != nil {
		return s.fileError(path, err)
	}
	hits := s.search(list, &q)
	limit := 250
	if n, ok := in.Number("head_limit"); ok {
		limit = int(min(max(n, 0), 1<<30))
	}
	switch in.Text("output_mode") {
	case "content":
		single := len(list) == 1 && filepath.Clean(path) == list[0].path || path != "" && len(list) == 1 && s.absolute(path) == s.absolute(list[0].path)
		return content(hits, &q, single, cutOf(in, limit))
	case "count":
		return count(hits)
	}
	return matching(hits, cutOf(in, limit))
}

// cut is the part of what was found that is shown.
type cut struct{ offset, limit int }

func cutOf(in object.Object, limit int) cut {
	n, _ := in.Number("offset")
	return cut{int(min(max(n, 0), 1<<30)), limit}
}

// of returns where the part begins and ends.
func (c cut) of(total int) (from, to int) {
	from = min(c.offset, total)
	to = total
	if c.limit > 0 {
		to = min(from+c.limit, total)
	}
	return from, to
}

// tell notes in the result of a tool what was left out, and returns it for the model.
func (c cut) tell(use *object.Object, to, total int) string {
	var notes []string
	if to < total {
		use.Set("appliedLimit", c.limit)
		notes = append(notes, fmt.Sprintf("limit: %d", c.limit))
	}
	if c.offset > 0 {
		use.Set("appliedOffset", c.offset)
		notes = append(notes, fmt.Sprintf("offset: %d", c.offset))
	}
	return strings.Join(notes, ", ")
}

// hit is a file in which something was found.
type hit struct {
	found
	lines []string
	at    []int // the lines that match, from 0
	n     int   // matches
}

func (s *Set) search(list []found, q *query) (hits []hit) {
	for _, f := range list {
		if q.glob != nil && !q.glob.MatchString(filepath.ToSlash(f.path)) {
			continue
		}
		data, err := s.readFile(f.path)
		if err != nil || strings.IndexByte(string(data), 0) >= 0 {
			continue // gone, too large, or not a text
		}
		h := hit{found: f, lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")}
		for i, line := range h.lines {
			if n := len(q.expression.FindAllStringIndex(line, -1)); n > 0 {
				h.at = append(h.at, i)
				h.n++
			}
		}
		if len(h.at) > 0 {
			hits = append(hits, h)
		}
	}
	return hits
}

func content(hits []hit, q *query, single bool, c cut) Result {
	var lines []string
	for _, h := range hits {
		last := -1
		for _, at := range h.at {
			for i := max(last+1, at-q.before); i <= min(at+q.after, len(h.lines)-1); i++ {
				if last >= 0 && i > last+1 && q.before+q.after > 0 {
					lines = append(lines, "--")
				}
				mark, text := "-", h.lines[i]
				if slices.Contains(h.at, i) {
					mark = ":"
					if q.only {
						text = strings.Join(q.expression.FindAllString(text, -1), "\n")
					}
				}
				prefix := ""
				if !single {
					prefix = h.path + mark
				}
				if q.numbers {
					prefix += fmt.Sprint(i+1) + mark
				}
				lines = append(lines, prefix+text)
				last = i
			}
		}
	}
	total := len(lines)
	from, to := c.of(total)
	lines = lines[from:to]
	text := strings.Join(lines, "\n")
	use := object.Of("mode", "content", "numFiles", 0, "filenames", []any{}, "content", text, "numLines", len(lines), "totalLines", total)
	note := c.tell(&use, to, total)
	if text == "" {
		text = "No matches found"
	}
	if note != "" {
		text += "\n\n[" + note + "]"
	}
	return Result{Content: text, Use: use}
}

func count(hits []hit) Result {
	var lines []string
	n := 0
	for _, h := range hits {
		lines = append(lines, fmt.Sprintf("%s:%d", h.path, h.n))
		n += h.n
	}
	text := strings.Join(lines, "\n")
	use := object.Of("mode", "count", "numFiles", len(hits), "filenames", []any{}, "content", text, "numMatches", n)
	if text == "" {
		text = "No matches found"
	}
	return Result{Content: fmt.Sprintf("%s\n\nFound %d total %s across %d %s.", text, n, plural(n, "occurrence"), len(hits), plural(len(hits), "file")), Use: use}
}

func matching(hits []hit, c cut) Result {
	slices.SortStableFunc(hits, func(a, b hit) int { return b.time.Compare(a.time) })
	names := []any{}
	for _, h := range hits {
		names = append(names, h.path)
	}
	total := len(names)
	from, to := c.of(total)
	names = names[from:to]
	use := object.Of("mode", "files_with_matches", "filenames", names, "numFiles", len(names), "totalFiles", total)
	if total == 0 {
		return Result{Content: "No files found", Use: use}
	}
	head := fmt.Sprintf("Found %d %s", len(names), plural(len(names), "file"))
	if note := c.tell(&use, to, total); note != "" {
		head += " " + note
	}
	return Result{Content: head + "\n" + join(names), Use: use}
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/tools/txtar"
)

// Dialect says what the files of one kind of scenarios have beside that of a [File]. Its functions
// keep what they read; an error that is an [*Error] need not have the name of the scenario.
type Dialect struct {
	Headers []Header
	NoLevel bool               // there is no header for the level
	Script  func([]Line) error // reads the steps
	// Attachment is the name of the file beside the script, which Attach reads; its errors say the
	// name.
	Attachment string
	Attach     func(name string, data []byte) error
	// Check looks at the whole when everything is read; nil means that there is nothing to check.
	Check func() error
}

// Read reads a scenario file. The error is an [*Error].
func (d *Dialect) Read(name string, data []byte) (File, error) {
	f := File{Name: name, Text: string(data), Files: map[string][]byte{}}
	if err := d.read(&f, txtar.Parse(data)); err != nil {
		e, ok := err.(*Error)
		if !ok {
			e = &Error{Err: err}
		}
		e.Name = name
		return File{}, e
	}
	return f, nil
}

func (d *Dialect) read(f *File, a *txtar.Archive) error {
	if err := d.comment(f, string(a.Comment)); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, file := range a.Files {
		if seen[file.Name] {
			return fmt.Errorf("duplicate file %s", file.Name)
		}
		seen[file.Name] = true
		rest, inFiles := strings.CutPrefix(file.Name, "files/")
		switch {
		case file.Name == "script":
			if err := d.Script(joinLines(string(file.Data))); err != nil {
				return err
			}
		case file.Name == d.Attachment:
			if err := d.Attach(file.Name, file.Data); err != nil {
				return err
			}
		case inFiles && fs.ValidPath(rest):
			f.Files[rest] = file.Data
		default:
			return fmt.Errorf("unknown file %q (script, %s, files/…)", file.Name, d.Attachment)
		}
	}
	switch {
	case !seen["script"]:
		return errors.New("no file script")
	case d.Check != nil:
		return d.Check()
	}
	return nil
}

// A Line is a step as it is written. A line of the script that starts with white space goes on with
// the step before it.
type Line struct {
	Number int // of its first line, from 1
	Text   string
}

// Fail returns what is wrong with the line.
func (l Line) Fail(err error) error { return &Error{Line: l.Number, Err: err} }

// Word returns the word that the step starts with, and the rest.
func (l Line) Word() (word, rest string) { return cutWord(l.Text) }

func cutWord(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

func joinLines(text string) (lines []Line) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
		case (line[0] == ' ' || line[0] == '\t') && len(lines) > 0:
			lines[len(lines)-1].Text += " " + strings.TrimSpace(line)
		default:
			lines = append(lines, Line{number, strings.TrimSpace(line)})
		}
	}
	return lines
}

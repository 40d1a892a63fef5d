package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Current is what the model is told of a file whose contents it knows.
const Current = " (file state is current in your context — no need to Read it back)"

// Why a file is not written.
const (
	unread   = "File has not been read yet. Read it first before writing to it."
	modified = "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it."
)

func (s *Set) checkWrite(in object.Object) *Refusal {
	path := in.Text("file_path")
	if info, err := s.stat(path); err == nil && info.IsDir() {
		return Refuse(path + " is a directory, not a file. To create a file inside it, include the file name in file_path.")
	}
	data, err := s.readFile(path)
	if err != nil {
		return nil // a new file; or said when it runs, by whoever may
	}
	f, known := s.seen(path)
	text, _ := lines(data)
	switch {
	case !known && s.readsFirst():
		return Refuse(unread)
	case known && f.stale(text):
		return Refuse(modified)
	}
	return nil
}

func (s *Set) write(_ context.Context, in object.Object) Result {
	path, content := in.Text("file_path"), in.Text("content")
	before, err := s.readFile(path)
	created := errors.Is(err, fs.ErrNotExist)
	if err != nil && !created {
		return s.fileError(path, err)
	}
	if err := s.writeFile(path, []byte(content)); err != nil {
		return s.fileError(path, err)
	}
	s.see(path, seen{text: content, followed: true})
	use := object.Of("type", "update", "filePath", path, "content", content, "structuredPatch", patch(string(before), content),
		"originalFile", string(before), "userModified", false)
	text := fmt.Sprintf("The file %s has been updated successfully.%s", path, Current)
	if created {
		use = use.With("type", "create", "structuredPatch", []any{}, "originalFile", nil)
		text = fmt.Sprintf("File created successfully at: %s%s", path, Current)
	}
	return Result{Content: text, Use: use}
}

func (s *Set) checkEdit(in object.Object) *Refusal {
	path, was, will := in.Text("file_path"), in.Text("old_string"), in.Text("new_string")
	if was == will {
		return Refuse("No changes to make: old_string and new_string are exactly the same.")
	}
	if info, err := s.stat(path); err == nil && info.IsDir() {
		const text = "Error calling tool (Edit): EISDIR: illegal operation on a directory, read"
		return &Refusal{Text: text, Use: text}
	}
	data, err := s.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && was == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return Refuse(s.noFile(path))
	case was == "" && len(data) > 0:
		return Refuse("Cannot create new file - file already exists.")
	case strings.HasSuffix(path, ".ipynb"):
		return Refuse("File is a Jupyter Notebook. Use the NotebookEdit to edit this file.")
	}
	if r := s.mustKnow(path); r != nil {
		return r
	}
	if err != nil {
		return nil // said when it runs, by whoever may
	}
	text, _ := lines(data)
	n := strings.Count(text, was)
	f, known := s.seen(path)
	if known && f.stale(text) && n != 1 && !(n > 1 && in.Bool("replace_all")) {
		return Refuse(modified)
	}
	switch {
	case n == 0:
		return Refuse("String to replace not found in file.\nString: " + was)
	case n > 1 && !in.Bool("replace_all"):
		return Refuse(fmt.Sprintf("Found %d matches of the string to replace, but replace_all is false. "+
			"To replace all occurrences, set replace_all to true. "+
			"To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: %s", n, was))
	case !known && s.readsFirst():
		return Refuse(unread)
	}
	return nil
}

// lines returns the text of a file with line feeds at the ends of its lines, and whether they have
// a carriage return before them in the file.
func lines(data []byte) (text string, returns bool) {
	text = strings.TrimPrefix(string(data), "\ufeff")
	return strings.ReplaceAll(text, "\r\n", "\n"), strings.Contains(text, "\r\n")
}

// mustKnow refuses to change a file that the model could not have read unasked, and has not.
func (s *Set) mustKnow(path string) *Refusal {
	if _, ok := s.seen(path); ok || s.options.Readable == nil || s.options.Readable(s.absolute(path)) {
		return nil
	}
	return Refuse(unread)
}

// readsFirst reports whether the model must have read each file that it changes.
func (s *Set) readsFirst() bool { return s.options.ReadFirst != nil && s.options.ReadFirst() }

func (s *Set) edit(_ context.Context, in object.Object) Result {
	path, was, will, all := in.Text("file_path"), in.Text("old_string"), in.Text("new_string"), in.Bool("replace_all")
	data, err := s.readFile(path)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && was == "") {
		return s.fileError(path, err)
	}
	before, returns := lines(data)
	f, known := s.seen(path)
	stale := known && f.stale(before)
	after := will
	switch {
	case was == "" && err != nil:
		f, known = seen{}, true
	case was == "":
	case !strings.Contains(before, was): // changed since it was checked
		return Fail("String to replace not found in file.\nString: " + was)
	case all:
		after = strings.ReplaceAll(before, was, will)
	default:
		after = strings.Replace(before, was, will, 1)
	}
	written := after
	if returns {
		written = strings.ReplaceAll(after, "\n", "\r\n")
	}
	if err := s.writeFile(path, []byte(written)); err != nil {
		return s.fileError(path, err)
	}
	use := object.Of("filePath", path, "oldString", was, "newString", will, "originalFile", before,
		"structuredPatch", patch(before, after), "userModified", false, "replaceAll", all)
	text := fmt.Sprintf("The file %s has been updated successfully.", path)
	if all {
		text = fmt.Sprintf("The file %s has been updated. All occurrences were successfully replaced.", path)
	}
	unknown := !known || f.partial || stale
	switch {
	case stale:
		use.Set("staleRecovered", true)
		text += " (note: it was not as you have read it; what else has changed in it is not known to you)"
	case !unknown:
		text += Current
	}
	if unknown {
		use.Set("contentNotInModelContext", true)
	}
	s.see(path, seen{text: after, partial: unknown, followed: true})
	return Result{Content: text, Use: use}
}

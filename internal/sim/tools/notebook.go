package tools

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// source returns the text of a cell.
func source(cell object.Object) string {
	if list, ok := cell.Get("source").([]any); ok {
		var b strings.Builder
		for _, line := range list {
			text, _ := line.(string)
			b.WriteString(text)
		}
		return b.String()
	}
	return cell.Text("source")
}

func language(book object.Object) string {
	if name := book.Object("metadata").Object("language_info").Text("name"); name != "" {
		return name
	}
	return "python"
}

func (s *Set) readNotebook(data []byte, path string) Result {
	v, err := object.Parse(data)
	book, ok := v.(object.Object)
	if err != nil || !ok {
		return failf("%s is not a notebook", path)
	}
	cells, texts := []any{}, []string{}
	for i, c := range book.List("cells") {
		cell, _ := c.(object.Object)
		id, kind := cellID(cell, i), cell.Text("cell_type")
		read := object.Of("cellType", kind, "source", source(cell))
		mark := ""
		if kind == "code" {
			if n, ok := cell.Number("execution_count"); ok {
				read.Set("execution_count", n)
			}
		} else {
			mark = "<cell_type>" + kind + "</cell_type>"
		}
		read.Set("cell_id", id)
		if kind == "code" {
			read.Set("language", language(book))
		}
		cells = append(cells, read)
		texts = append(texts, fmt.Sprintf("<cell id=%q>%s%s</cell id=%q>", id, mark, source(cell), id))
	}
	s.setKnown(path)
	return Result{
		Content: []any{object.Of("text", strings.Join(texts, "\n"), "type", "text")},
		Use:     object.Of("type", "notebook", "file", object.Of("filePath", path, "cells", cells)),
	}
}

func cellID(cell object.Object, i int) string {
	if id := cell.Text("id"); id != "" {
		return id
	}
	return fmt.Sprintf("cell-%d", i)
}

func (s *Set) checkNotebook(in object.Object) *Refusal {
	path := in.Text("notebook_path")
	if !strings.HasSuffix(path, ".ipynb") {
		return Refuse("File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.")
	}
	if r := s.mustKnow(path); r != nil {
		return r
	}
	if _, err := s.stat(path); errors.Is(err, fs.ErrNotExist) {
		return Refuse("Notebook file does not exist.")
	}
	return nil
}

func (s *Set) editNotebook(_ context.Context, in object.Object) Result {
	path, id, text := in.Text("notebook_path"), in.Text("cell_id"), in.Text("new_source")
	mode := in.Text("edit_mode")
	if mode == "" {
		mode = "replace"
	}
	data, err := s.readFile(path)
	if err != nil {
		return s.fileError(path, err)
	}
	v, err := object.Parse(data)
	book, ok := v.(object.Object)
	if err != nil || !ok {
		return Fail("Notebook is not valid JSON.")
	}
	cells := book.List("cells")
	at := -1
	for i, c := range cells {
		if cell, _ := c.(object.Object); cellID(cell, i) == id {
			at = i
		}
	}
	if at < 0 && (mode != "insert" || id != "") {
		return failf("Cell with ID %q not found in notebook.", id)
	}
	kind, old := in.Text("cell_type"), object.Absent
	if at >= 0 {
		cell, _ := cells[at].(object.Object)
		if kind == "" {
			kind = cell.Text("cell_type")
		}
		if mode != "insert" {
			old = source(cell)
		}
	}
	told := ""
	switch mode {
	case "insert":
		id = newID()
		cell := object.Of("cell_type", kind, "id", id, "source", text, "metadata", object.Object{})
		if kind == "code" {
			cell = cell.With("execution_count", nil, "outputs", []any{})
		}
		list := append([]any(nil), cells[:at+1]...)
		cells = append(append(list, cell), cells[at+1:]...)
		told = fmt.Sprintf("Inserted cell %s with %s", id, text)
	case "delete":
		cells = append(append([]any(nil), cells[:at]...), cells[at+1:]...)
		told = "Deleted cell " + id
	default:
		cell, _ := object.Clone(cells[at]).(object.Object)
		cell.Set("source", text)
		cell.Set("cell_type", kind)
		if kind == "code" {
			cell.Set("execution_count", nil)
			cell.Set("outputs", []any{})
		}
		cells = append([]any(nil), cells...)
		cells[at] = cell
		told = fmt.Sprintf("Updated cell %s with %s", id, text)
	}
	updated := indent(book.With("cells", cells), " ", "")
	if err := s.writeFile(path, []byte(updated)); err != nil {
		return s.fileError(path, err)
	}
	s.setKnown(path)
	return Result{Content: told, Use: object.Of("new_source", text, "old_source", old, "cell_type", kind, "language", language(book),
		"edit_mode", mode, "cell_id", id, "error", "", "notebook_path", s.absolute(path), "original_file", string(data), "updated_file", updated)}
}

// newID returns a random id of eight digits.
func newID() string {
	var b [4]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

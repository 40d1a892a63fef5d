package tools

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// source returns the text of a cell.
func source(cell object.Object) string { return joined(cell.Get("source")) }

// joined returns a text that may be a list of its lines.
func joined(v any) string {
	list, ok := v.([]any)
	if !ok {
		text, _ := v.(string)
		return text
	}
	var b strings.Builder
	for _, line := range list {
		text, _ := line.(string)
		b.WriteString(text)
	}
	return b.String()
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
		return Fail("Notebook file is not valid JSON (it may be truncated, corrupted, or still being written).")
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
		told := ""
		if kind == "code" {
			read.Set("language", language(book))
			if outputs := outputs(cell); len(outputs) > 0 {
				read.Set("outputs", outputs)
				for _, o := range outputs {
					told += "\n\n" + o.(object.Object).Text("text")
				}
			}
		}
		cells = append(cells, read)
		texts = append(texts, fmt.Sprintf("<cell id=%q>%s%s</cell id=%q>%s", id, mark, source(cell), id, told))
	}
	s.see(path, seen{text: string(data)})
	return Result{
		Content: []any{object.Of("text", strings.Join(texts, "\n"), "type", "text")},
		Use:     object.Of("type", "notebook", "file", object.Of("filePath", path, "cells", cells)),
	}
}

// outputs are what a cell has written when it ran.
func outputs(cell object.Object) (list []any) {
	for _, v := range cell.List("outputs") {
		o, _ := v.(object.Object)
		text := ""
		switch kind := o.Text("output_type"); kind {
		case "stream":
			text = joined(o.Get("text"))
		case "execute_result", "display_data":
			text = joined(o.Object("data").Get("text/plain"))
		case "error":
			text = fmt.Sprintf("%s: %s", o.Text("ename"), o.Text("evalue"))
			for _, line := range o.List("traceback") {
				text += fmt.Sprintf("\n%v", line)
			}
		}
		list = append(list, object.Of("output_type", o.Get("output_type"), "text", text))
	}
	return list
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
	mode, id := in.Text("edit_mode"), in.Text("cell_id")
	if mode == "insert" && in.Text("cell_type") == "" {
		return Refuse("Cell type is required when using edit_mode=insert.")
	}
	f, ok := s.seen(path)
	if !ok {
		return Refuse("File has not been read yet. Read it first before writing to it.")
	}
	data, err := s.readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Refuse("Notebook file does not exist.")
	}
	if f.stale(string(data)) {
		return Refuse("File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.")
	}
	book, ok := parsed(data)
	switch {
	case !ok:
		return Refuse("Notebook is not valid JSON.")
	case id == "" && mode != "insert":
		return Refuse("Cell ID must be specified when not inserting a new cell.")
	case id != "" && find(book, id) < 0:
		if n, err := strconv.Atoi(strings.TrimPrefix(id, "cell-")); err == nil && strings.HasPrefix(id, "cell-") {
			return Refuse(fmt.Sprintf("Cell with index %d does not exist in notebook.", n))
		}
		return Refuse(fmt.Sprintf("Cell with ID %q not found in notebook.", id))
	}
	return nil
}

// parsed reads a notebook.
func parsed(data []byte) (object.Object, bool) {
	v, err := object.Parse(data)
	book, ok := v.(object.Object)
	return book, ok && err == nil
}

// find returns the index of the cell with an id, -1 if there is none. The n-th cell, from 0, is
// also called cell-n.
func find(book object.Object, id string) int {
	cells := book.List("cells")
	at := -1
	for i, c := range cells {
		if cell, _ := c.(object.Object); cellID(cell, i) == id {
			at = i
		}
	}
	if number, ok := strings.CutPrefix(id, "cell-"); ok && at < 0 {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(cells) {
			at = n
		}
	}
	return at
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
	book, ok := parsed(data)
	if !ok {
		return Fail("Notebook is not valid JSON.")
	}
	cells, at := book.List("cells"), find(book, id)
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
	var told string
	var shown any = id
	switch mode {
	case "insert":
		cell := object.Of("cell_type", kind, "id", object.Absent, "source", text, "metadata", object.Object{})
		told, shown = "Inserted a new cell with "+text, object.Absent
		if hasIDs(book) {
			id = newID()
			cell = object.Of("cell_type", kind, "id", id, "source", text, "metadata", object.Object{})
			told, shown = fmt.Sprintf("Inserted cell %s with %s", id, text), id
		}
		if kind == "code" {
			cell = cell.With("execution_count", nil, "outputs", []any{})
		}
		list := append([]any(nil), cells[:at+1]...)
		cells = append(append(list, cell), cells[at+1:]...)
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
	if s.options.KeepsEnd && bytes.HasSuffix(data, []byte("\n")) {
		updated += "\n"
	}
	if err := s.writeFile(path, []byte(updated)); err != nil {
		return s.fileError(path, err)
	}
	s.see(path, seen{text: updated, followed: true})
	return Result{Content: told, Use: object.Of("new_source", text, "old_source", old, "cell_type", cmp.Or(in.Text("cell_type"), "code"), "language", language(book),
		"edit_mode", mode, "cell_id", shown, "error", "", "notebook_path", s.absolute(path), "original_file", string(data), "updated_file", updated)}
}

// hasIDs reports whether the cells of a notebook have ids: since its format 4.5.
func hasIDs(book object.Object) bool {
	major, _ := book.Number("nbformat")
	minor, _ := book.Number("nbformat_minor")
	return major > 4 || major == 4 && minor >= 5
}

// newID returns a random id of eight digits.
func newID() string {
	var b [4]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

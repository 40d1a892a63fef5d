package diff

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
)

// An item is what is compared: a line, or the deltas of a block as one.
type item struct {
	view.Row
	text   string // what is compared
	pieces int    // how many deltas it is made of
	point  string // what it is about, such as the name of a tool
	mirror bool   // it is an entry of a transcript file in a line that repeats it
	sum    uint64 // of its kind and what it says without ids and times
	ids    []id
}

// read reads the items of a recording, and counts its lines.
func read(in *Input) (items []*item, lines int, err error) {
	open := folds{}
	err = view.Read(in.Src, in.Options, func(r view.Row) error {
		if slices.Contains(in.Without, r.Lane) {
			return nil
		}
		lines++
		it := &item{Row: r, text: r.Raw}
		if r.Lane == view.Other && r.Raw == "" {
			it.text = r.Summary
		}
		mirrored := mirrored(&r)
		switch {
		case r.Kind == "blank" || open.take(it):
		case mirrored != nil:
			items = append(items, mirrored...)
		default:
			items = append(items, it)
		}
		return nil
	})
	open.join()
	for _, it := range items {
		it.point, _, _ = strings.Cut(it.Summary, " ")
		it.sum, it.ids = digest(it.Kind, it.text)
	}
	return items, lines, err
}

// mirrored returns the entries of a line that repeats those of a transcript file, each as an item:
// how many are in one line, and where it comes, is chance. It is nil for any other line.
func mirrored(r *view.Row) (items []*item) {
	if r.Kind != recording.MirrorType {
		return nil
	}
	line := recording.ReadMirror([]byte(r.Raw))
	if line == nil {
		return nil
	}
	for _, entry := range line.Entries {
		var head struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(entry, &head) // what is not an object has no type
		it := &item{Row: *r, text: string(entry), mirror: true}
		it.Kind += "/" + terminal.Printable(head.Type)
		items = append(items, it)
	}
	return items
}

// folds are the blocks that deltas have begun.
type folds struct {
	byBlock map[block]*fold
	all     []*fold
}

// block says which block of which message a delta is a part of.
type block struct {
	parent string
	index  int
	kind   string
}

type fold struct {
	first *item
	block block
	text  strings.Builder
}

// streamEvent is what is read of a stream_event.
type streamEvent struct {
	Parent string `json:"parent_tool_use_id"`
	Event  struct {
		Type  string                     `json:"type"`
		Index int                        `json:"index"`
		Delta map[string]json.RawMessage `json:"delta"`
	} `json:"event"`
}

// deltaText are the members that deltas have a piece of a text in.
var deltaText = []string{"text", "thinking", "partial_json"}

// take takes a delta into the item that its block began with, and reports false for what is an item
// of its own.
func (f *folds) take(it *item) bool {
	if !strings.HasPrefix(it.Kind, "stream_event/") {
		return false
	}
	var e streamEvent
	if json.Unmarshal([]byte(it.Raw), &e) != nil {
		return false
	}
	kind, piece := "", ""
	for _, name := range deltaText {
		if json.Unmarshal(e.Event.Delta[name], &piece) == nil {
			kind = name
			break
		}
	}
	if e.Event.Type != "content_block_delta" || kind == "" {
		for b := range f.byBlock { // whatever comes else ends the blocks of its message
			if b.parent == e.Parent && e.Event.Type != "ping" {
				delete(f.byBlock, b)
			}
		}
		return false
	}
	b := block{e.Parent, e.Event.Index, kind}
	begun := f.byBlock[b]
	if begun == nil {
		begun = &fold{first: it, block: b}
		f.all = append(f.all, begun)
		if f.byBlock == nil {
			f.byBlock = map[block]*fold{}
		}
		f.byBlock[b] = begun
	}
	begun.text.WriteString(piece)
	begun.first.pieces++
	return begun.first != it
}

// join makes the text of each block that of its first delta.
func (f *folds) join() {
	for _, b := range f.all {
		whole := map[string]any{"index": b.block.index, b.block.kind: b.text.String()}
		if b.block.parent != "" {
			whole["parent_tool_use_id"] = b.block.parent
		}
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if e.Encode(whole) == nil {
			b.first.text = text.String()
		}
		b.first.Summary = b.text.String()
	}
}

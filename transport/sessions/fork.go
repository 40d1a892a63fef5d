package sessions

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/object"
)

// ForkOptions say what a fork is. Nil means a copy of the whole conversation.
type ForkOptions struct {
	// UpTo is the UUID of the last message that is copied, one that [Session.Messages] yields.
	UpTo  string
	Title string // default: that of the session, with " (fork)" after it
}

// Fork copies the conversation to a new session, with new ids, beside the old one. It does not copy
// the entries of subagents and the copies of files for rewind_files.
func (s *Session) Fork(ctx context.Context, o *ForkOptions) (*Session, error) {
	if o == nil {
		o = &ForkOptions{}
	}
	f, err := s.newFork(ctx, o)
	if err != nil {
		return nil, s.failedIf("forking", err)
	}
	return f.to, s.failedIf("forking", f.write(ctx))
}

// A fork is a conversation that is copied.
type fork struct {
	from, to *Session
	title    string
	now      string
	ids      map[string]string // new ids by the old ones
	parents  map[string]*node
	last     int    // the place of the last entry that is copied
	summary  string // the compaction's summary that is the last, whose kept messages are left out

	hidden       bool // the session is kept out of the history, and so is the fork
	replacements []any
	after        map[string]object.Object // entries about the session, the last of each type
}

func (s *Session) newFork(ctx context.Context, o *ForkOptions) (*fork, error) {
	g, err := readGraph(ctx, s.path)
	if err != nil {
		return nil, err
	}
	f := &fork{from: s, title: strings.TrimSpace(o.Title), now: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), ids: map[string]string{}, parents: map[string]*node{}, last: -1, hidden: g.hidden, after: map[string]object.Object{}}
	end := len(g.all) - 1
	if o.UpTo != "" {
		n := g.upTo(o.UpTo)
		if n == nil {
			return nil, fmt.Errorf("%w: %s", ErrNoMessage, o.UpTo)
		}
		if end = n.at; n.summary {
			f.summary = n.uuid
		}
	}
	for _, n := range g.all[:end+1] {
		if n.sidechain {
			continue
		}
		f.ids[n.uuid], f.parents[n.uuid] = newUUID(), n
		if n.kind != "progress" {
			f.last = n.at
		}
	}
	if f.last < 0 {
		return nil, ErrNoMessages
	}
	if f.title == "" {
		e, err := readEnds(s.path)
		if err != nil {
			return nil, err
		}
		f.title = cmp.Or(e.title(s.path), firstPrompt(e.head), "Forked session") + " (fork)"
	}
	id := newUUID()
	f.to = &Session{id: id, path: filepath.Join(filepath.Dir(s.path), id+".jsonl"), project: s.project}
	return f, nil
}

// upTo returns the entry of a message that is shown.
func (g *graph) upTo(uuid string) *node {
	chain, leaf := g.conversation()
	if leaf == nil {
		return nil
	}
	for _, p := range g.prompts(append(chain, g.after(chain, leaf)...), len(chain), false) {
		id := p.uuid
		if p.prompt {
			id = cmp.Or(p.queued.source, id)
		}
		if id == uuid && p.shown(false) {
			return p.node
		}
	}
	return nil
}

// write writes the file under another name first, so that nobody sees half a session.
func (f *fork) write(ctx context.Context) (err error) {
	file, err := os.CreateTemp(filepath.Dir(f.to.path), ".fork-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	defer file.Close()
	w := bufio.NewWriter(file)
	put := func(o object.Object) { w.Write(append(object.Append(nil, o), '\n')) } // Flush has the error
	if f.hidden {
		put(object.Of("type", "history-suppression", "sessionId", f.to.id, "cause", "fork_inherit", "ts", f.now))
	}
	place := 0
	err = scan(ctx, f.from.path, func(line codec.Line, _ object.Object, err error) bool {
		if err != nil {
			return true
		}
		v, err := object.ParseExact(line.Bytes)
		o, ok := v.(object.Object)
		if err != nil || !ok {
			return true
		}
		if newNode(o) == nil {
			f.note(o)
			return true
		}
		if place <= f.last && !o.Bool("isSidechain") && o.Text("type") != "progress" {
			put(f.copied(o, place == f.last))
		}
		place++
		return true
	})
	if err != nil {
		return err
	}
	for _, o := range f.closing() {
		put(o)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), f.to.path)
}

// ofSession are members of an entry that are about the session that it was written in.
var ofSession = []string{"teamName", "agentName", "sessionKind", "slug", "sourceToolAssistantUUID", "summarizedTurnPromptUuids", "droppedPromptUuids", "turnAttributionKey"}

// copied returns an entry as it is in the fork.
func (f *fork) copied(o object.Object, last bool) object.Object {
	from := o.Text("uuid")
	if o.Text("subtype") == "model_refusal_fallback" {
		o = o.With("neutralizedByFork", true)
	}
	if metadata := o.Object("compactMetadata"); metadata != nil && o.Text("type") == "system" {
		o = o.With("compactMetadata", f.kept(metadata))
	}
	if attachment := o.Object("attachment"); o.Text("type") == "attachment" {
		o = o.With("attachment", f.attached(attachment))
	}
	o = o.With("uuid", f.ids[from], "parentUuid", orNull(f.parent(o.Text("parentUuid"))))
	if o.Get("logicalParentUuid") != nil {
		o = o.With("logicalParentUuid", orNull(f.ids[o.Text("logicalParentUuid")]))
	}
	o = o.With("sessionId", f.to.id)
	if last {
		o = o.With("timestamp", f.now)
	}
	return o.With("isSidechain", false, "forkedFrom", object.Of("sessionId", f.from.id, "messageUuid", from)).Without(ofSession...)
}

// parent returns the new id of the entry before that is copied.
func (f *fork) parent(id string) string {
	seen := map[string]bool{}
	for n := f.parents[id]; n != nil && !seen[n.uuid]; n = f.parents[n.parent] {
		if n.kind != "progress" {
			return f.ids[n.uuid]
		}
		seen[n.uuid] = true
	}
	return ""
}

// kept puts the new ids into what a compaction has kept.
func (f *fork) kept(metadata object.Object) object.Object {
	for _, name := range []string{"preservedMessages", "preservedSegment"} {
		k := metadata.Object(name)
		if k == nil {
			continue
		}
		if f.summary != "" && k.Text("anchorUuid") == f.summary {
			metadata = metadata.Without("preservedMessages", "preservedSegment", "postTokens")
			break
		}
		for _, m := range k {
			k = k.With(m.Name, f.renamed(m.Value))
		}
		metadata = metadata.With(name, k)
	}
	return metadata.Without("runningTurnSends")
}

// renamed returns a value with new ids for the old ones.
func (f *fork) renamed(v any) any {
	switch v := v.(type) {
	case string:
		return cmp.Or(f.ids[v], v)
	case []any:
		list := slices.Clone(v)
		for i := range list {
			list[i] = f.renamed(list[i])
		}
		return list
	}
	return v
}

// attached puts the new ids into an attachment.
func (f *fork) attached(o object.Object) object.Object {
	switch o.Text("type") {
	case "queued_command":
		if source := o.Text("source_uuid"); f.ids[source] != "" {
			o = o.With("source_uuid", f.ids[source])
		}
	case "deferred_tools_record":
		if list, ok := o.Get("nameOnlyAnnouncements").([]any); ok {
			copied := []any{}
			for _, id := range texts(list) {
				if f.ids[id] != "" {
					copied = append(copied, f.ids[id])
				}
			}
			o = o.With("nameOnlyAnnouncements", copied)
		}
	}
	return o
}

// note keeps what an entry says about the session, for the end of the fork.
func (f *fork) note(o object.Object) {
	kind := o.Text("type")
	if o.Text("sessionId") != f.from.id {
		return
	}
	switch kind {
	case "content-replacement":
		f.replacements = append(f.replacements, o.List("replacements")...)
	case "atis-latch", "tools-used", "relocated":
		f.after[kind] = o
	}
}

// closing returns the entries about the fork.
func (f *fork) closing() []object.Object {
	var list []object.Object
	add := func(kind string, pairs ...any) {
		list = append(list, object.Of(append([]any{"type", kind, "sessionId", f.to.id}, pairs...)...))
	}
	if len(f.replacements) > 0 {
		add("content-replacement", "replacements", f.replacements, "uuid", newUUID(), "timestamp", f.now)
	}
	for _, kind := range []string{"atis-latch", "tools-used", "relocated"} {
		if o := f.after[kind]; o != nil {
			list = append(list, o.With("sessionId", f.to.id))
		}
	}
	add("custom-title", "customTitle", f.title, "uuid", newUUID(), "timestamp", f.now)
	return list
}

// newUUID returns a random UUID.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

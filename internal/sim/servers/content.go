package servers

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif" // so that it is known whether an image is one
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/mcp"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// returned is the use of a tool that has returned something. Structured content takes the place of
// texts.
func (s *Servers) returned(server string, r *mcp.Result) Use {
	if old, ok := r.Whole.Lookup("toolResult"); ok {
		return Use{Content: old, Result: old}
	}
	content, links := r.Content, []any{}
	for _, v := range content {
		if b, _ := v.(object.Object); b.Text("type") == "resource_link" {
			links = append(links, b.Without("type"))
		}
	}
	beside := object.Of("_meta", orAbsent(r.Whole, "_meta"), "structuredContent", orAbsent(r.Whole, "structuredContent"),
		"resourceLinks", object.If(len(links) > 0, links))
	if r.Structured == nil {
		blocks := s.blocks(server, content)
		return Use{Content: told(blocks), Result: blocks, Beside: beside}
	}
	text := object.Text(r.Structured)
	var others []any
	for _, v := range content {
		if b, _ := v.(object.Object); b.Text("type") != "text" {
			others = append(others, b)
		}
	}
	if len(others) == 0 {
		return Use{Content: text, Result: text, Beside: beside}
	}
	blocks := append(s.blocks(server, others), object.Of("type", "text", "text", text))
	return Use{Content: told(blocks), Result: blocks, Beside: beside}
}

// orAbsent is a member of an object, Absent if it has none.
func orAbsent(o object.Object, name string) any {
	if v, ok := o.Lookup(name); ok {
		return v
	}
	return object.Absent
}

// told is content as the model is told it, which is without what servers say beside it.
func told(blocks []any) []any {
	out := make([]any, len(blocks))
	for i, b := range blocks {
		out[i] = b.(object.Object).Without("_meta")
	}
	return out
}

// blocks makes blocks of the API of the content of a result.
func (s *Servers) blocks(server string, content []any) []any {
	out := []any{}
	say := func(text string, more ...any) {
		out = append(out, object.Of("type", "text", "text", text).With(more...))
	}
	for _, v := range content {
		b, _ := v.(object.Object)
		switch b.Text("type") {
		case "image":
			out = append(out, s.binary(server, "[Image from "+server+"] ", b.Text("mimeType"), b.Text("data"))...)
		case "audio":
			out = append(out, s.kept(server, "[Audio from "+server+"] ", b.Text("mimeType"), b.Text("data")))
		case "resource":
			r := b.Object("resource")
			from := fmt.Sprintf("[Resource from %s at %s] ", server, r.Text("uri"))
			if text, ok := r.Get("text").(string); ok {
				say(from + text)
				continue
			}
			if pictures[r.Text("mimeType")] {
				say(from)
			}
			out = append(out, s.binary(server, from, r.Text("mimeType"), r.Text("blob"))...)
		case "resource_link":
			text := fmt.Sprintf("[Resource link: %s] %s", b.Text("name"), b.Text("uri"))
			if more := b.Text("description"); more != "" {
				text += " (" + more + ")"
			}
			say(text)
		case "text":
			say(b.Text("text"), "_meta", orAbsent(b, "_meta"))
		default:
			say(object.Text(b))
		}
	}
	return out
}

// pictures are the types of images that the model can look at.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// binary is an image that the model can look at, with the file in which it is kept, or the file of
// something else.
func (s *Servers) binary(server, from, mediaType, data string) []any {
	if !pictures[mediaType] {
		return []any{s.kept(server, from, mediaType, data)}
	}
	path, raw := s.keep(server, mediaType, data)
	if _, _, err := image.DecodeConfig(bytes.NewReader(raw)); err != nil && mediaType != "image/webp" {
		return []any{
			object.Of("type", "text", "text", "[Image could not be processed: "+err.Error()+"]"),
			object.Of("type", "text", "text", "[Image source: "+path+"]"),
		}
	}
	return []any{
		object.Of("type", "image", "source", object.Of("type", "base64", "media_type", mediaType, "data", data)),
		object.Of("type", "text", "text", "[Image: source: "+path+"]"),
	}
}

// kept is a block that says where something is kept.
func (s *Servers) kept(server, from, mediaType, data string) object.Object {
	path, raw := s.keep(server, mediaType, data)
	return object.Of("type", "text", "text", fmt.Sprintf("%sBinary content (%s, %d bytes) saved to %s", from, cmp.Or(mediaType, "unknown type"), len(raw), path))
}

// endings are the endings of files by what is in them; others have "bin".
var endings = map[string]string{
	"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
	"audio/wav": "wav", "audio/mpeg": "mp3", "audio/ogg": "ogg", "video/mp4": "mp4", "video/webm": "webm",
	"application/pdf": "pdf", "application/json": "json", "application/zip": "zip", "text/csv": "csv", "text/html": "html", "text/plain": "txt", "text/markdown": "md",
}

// keep writes something to a file of the session, and returns its path and what it is.
func (s *Servers) keep(server, mediaType, data string) (path string, raw []byte) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		raw = []byte(data)
	}
	name := fmt.Sprintf("mcp-%s-blob-%d-%s.%s", workspace.Flat(server), time.Now().UnixMilli(), ids.UUID()[:6], cmp.Or(endings[strings.ToLower(mediaType)], "bin"))
	path = filepath.Join(s.Folder(), "tool-results", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		os.WriteFile(path, raw, 0o600) // a path that nothing is at is as good as the text
	}
	return path, raw
}

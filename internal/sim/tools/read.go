package tools

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif" // so that sizes are known
	_ "image/jpeg"
	_ "image/png"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// readLines is how many lines Read gives that has no limit of its own.
const readLines = 2000

var images = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}

func (s *Set) read(_ context.Context, in object.Object) Result {
	path := in.Text("file_path")
	info, err := s.stat(path)
	if err != nil {
		return s.fileError(path, err)
	}
	if info.IsDir() {
		return failf("EISDIR: illegal operation on a directory, read '%s'", s.absolute(path))
	}
	data, err := s.readFile(path)
	if err != nil {
		return s.fileError(path, err)
	}
	extension := strings.ToLower(filepath.Ext(path))
	switch {
	case images[extension] != "":
		return readImage(data, images[extension])
	case extension == ".pdf":
		return readPDF(data, s.absolute(path))
	case extension == ".ipynb":
		return s.readNotebook(data, path)
	}
	return s.readText(data, path, in)
}

func (s *Set) readText(data []byte, path string, in object.Object) Result {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	total, first, limit := len(lines), 1, readLines
	if n, ok := in.Number("offset"); ok && n >= 1 {
		first = int(min(n, 1<<30))
	}
	if n, ok := in.Number("limit"); ok && n >= 1 {
		limit = int(min(n, 1<<30))
	}
	lines = lines[min(first-1, total):]
	whole := first == 1 && len(lines) <= limit
	lines = lines[:min(limit, len(lines))]
	content := strings.Join(lines, "\n")
	result := Result{Use: object.Of("type", "text", "file", object.Of("filePath", path, "content", content,
		"numLines", len(lines), "startLine", first, "totalLines", total))}
	result.Content = renderText(content, first, total)
	if whole {
		s.setKnown(path)
	}
	return result
}

// renderText is what the model is told of a text that begins in a line of a file.
func renderText(text string, first, total int) string {
	if text == "" {
		if total <= 1 {
			return "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"
		}
		return fmt.Sprintf("<system-reminder>Warning: the file exists but is shorter than the provided offset (%d). The file has %d lines.</system-reminder>", first, total)
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d\t%s", first+i, line)
	}
	return b.String()
}

func readImage(data []byte, mediaType string) Result {
	text := base64.StdEncoding.EncodeToString(data)
	file := object.Of("base64", text, "type", mediaType, "originalSize", len(data))
	if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		file.Set("dimensions", object.Of("originalWidth", c.Width, "originalHeight", c.Height, "displayWidth", c.Width, "displayHeight", c.Height))
	}
	return Result{
		Content: []any{object.Of("type", "image", "source", object.Of("type", "base64", "data", text, "media_type", mediaType))},
		Use:     object.Of("type", "image", "file", file),
	}
}

func readPDF(data []byte, path string) Result {
	text := base64.StdEncoding.EncodeToString(data)
	return Result{
		Content: []any{
			object.Of("type", "text", "text", fmt.Sprintf("PDF file read: %s (%d bytes)", path, len(data))),
			object.Of("type", "document", "source", object.Of("type", "base64", "media_type", "application/pdf", "data", text)),
		},
		Use: object.Of("type", "pdf", "file", object.Of("filePath", path, "base64", text, "originalSize", len(data))),
	}
}

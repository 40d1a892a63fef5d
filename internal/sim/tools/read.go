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
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/object"
)

// maxRead is how large a file may be that is read without a limit.
const maxRead = 256 << 10

var images = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}

// binaries are the endings of files that are not texts.
var binaries = strings.Fields(".7z .a .avi .bin .bmp .bz2 .class .dat .db .deb .dll .dmg .doc .docx .dylib .eot .exe .flac .gz .ico .iso .jar " +
	".lib .m4a .mkv .mov .mp3 .mp4 .msi .o .obj .odp .ods .odt .ogg .otf .ppt .pptx .psd .pyc .rar .rpm .so .sqlite .sqlite3 .swf .tar " +
	".tgz .tiff .ttf .war .wasm .wav .webm .wmv .woff .woff2 .xls .xlsx .xz .zip")

var pageRange = regexp.MustCompile(`^\d+(-\d*)?$`)

func (s *Set) checkRead(in object.Object) *Refusal {
	path, ending := in.Text("file_path"), strings.ToLower(filepath.Ext(in.Text("file_path")))
	if pages := in.Text("pages"); pages != "" && !pageRange.MatchString(pages) {
		return Refuse(fmt.Sprintf("Invalid pages parameter: %q. It is one page, as \"3\", or one range, as \"1-5\".", pages))
	}
	if strings.HasPrefix(filepath.Clean(s.absolute(path)), "/dev/") {
		return Refuse(fmt.Sprintf("Cannot read '%s': it is a device, which this tool does not read.", path))
	}
	if images[ending] != "" || ending == ".pdf" || ending == ".ipynb" {
		return nil
	}
	binary := slices.Contains(binaries, ending)
	if !binary {
		data, err := s.readFile(path)
		binary = err == nil && bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0
	}
	if binary {
		return Refuse(fmt.Sprintf("This tool cannot read binary files. The file appears to be a binary %s file. Something that knows the format can.", ending))
	}
	return nil
}

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
		return readImage(data, images[extension], path)
	case extension == ".pdf" && in.Text("pages") != "":
		return Fail("pdftoppm is not installed. It renders the pages of PDF files.")
	case extension == ".pdf":
		return readPDF(data, s.absolute(path))
	case extension == ".ipynb":
		return s.readNotebook(data, path)
	}
	return s.readText(data, path, in)
}

func (s *Set) readText(data []byte, path string, in object.Object) Result {
	limit, limited := in.Number("limit")
	limited = limited && limit >= 1
	if len(data) > maxRead && !limited {
		return failf("File content (%.1fKB) exceeds maximum allowed size (256KB). A part of it can be read with offset and limit.", float64(len(data))/1024)
	}
	text, _ := lines(data)
	lines := strings.Split(text, "\n")
	total, first := len(lines), 1
	if n, ok := in.Number("offset"); ok && n >= 0 {
		first = int(min(n, 1<<30))
	}
	lines = lines[min(max(first-1, 0), total):]
	whole := first <= 1 && (!limited || len(lines) <= int(min(limit, 1<<30)))
	if limited {
		lines = lines[:min(int(min(limit, 1<<30)), len(lines))]
	}
	content := strings.Join(lines, "\n")
	result := Result{Use: object.Of("type", "text", "file", object.Of("filePath", path, "content", content,
		"numLines", len(lines), "startLine", first, "totalLines", total))}
	result.Content = renderText(content, len(lines), first, total)
	if !utf8.Valid(data) {
		result.Content = renderText(content, len(lines), first, total) + "\n\n[This file is not valid UTF-8. What could not be decoded is shown as U+FFFD, and Edit and Write refuse the file.]"
	}
	s.see(path, seen{text: text, partial: !whole})
	return result
}

// renderText is what the model is told of n lines that begin with the first of a file.
func renderText(text string, n, first, total int) string {
	switch {
	case text == "" && total <= 1:
		return "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"
	case n == 0:
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

func readImage(data []byte, mediaType, path string) Result {
	if len(data) == 0 {
		return Fail("Image file is empty: " + path)
	}
	if kind := http.DetectContentType(data); !strings.HasPrefix(kind, "image/") || kind == "image/bmp" {
		return Fail("File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP.")
	}
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

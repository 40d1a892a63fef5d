// Package archive packs files in the formats of registries. The same files give the same bytes.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"slices"
	"time"
)

// An Entry is a file in an archive.
type Entry struct {
	Path string // with slashes
	Data []byte
	Exec bool
}

func (e *Entry) mode() fs.FileMode {
	if e.Exec {
		return 0o755
	}
	return 0o644
}

// when is the time of all files: the first that a zip file can have.
var when = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// TarGz packs the entries, each below the folder prefix.
func TarGz(prefix string, entries []Entry) ([]byte, error) {
	var out bytes.Buffer
	squeezed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(squeezed)
	for _, e := range byPath(entries) {
		h := &tar.Header{Name: prefix + "/" + e.Path, Mode: int64(e.mode()), Size: int64(len(e.Data)), ModTime: when, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = squeezed.Close()
	return out.Bytes(), err
}

// Zip packs the entries.
func Zip(entries []Entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range byPath(entries) {
		h := &zip.FileHeader{Name: e.Path, Method: zip.Deflate, Modified: when}
		h.SetMode(e.mode())
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.Data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func byPath(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return entries
}

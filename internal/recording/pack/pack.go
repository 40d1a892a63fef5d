// Package pack keeps the recordings of the corpus in a form that is small enough to build into a
// program. In a folder of recordings there is a pack of each folder that has files:
//
//	VERSION/AREA/NAME.ndjson       packed/VERSION/AREA.txtar.gz
//	sessions/VERSION/NAME.ndjson   packed/sessions/VERSION.txtar.gz
//
// A pack is a txtar archive, compressed. The plain files are what people read and change. Packs are
// made of them, and one is stale if it holds anything else. The compressed bytes do not count,
// since compressors differ.
package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Folder is the folder of the packs, in that of the recordings.
const Folder = "packed"

const ext = ".txtar.gz"

// Name returns the path of the pack of a folder, such as 2.1.325/turn, from the folder of the
// recordings.
func Name(folder string) string { return path.Join(Folder, folder+ext) }

// Read returns the files in packs: AREA/NAME.ndjson in packs of a version.
func Read(packs ...[]byte) (fs.FS, error) {
	archive, err := unpack(packs...)
	if err != nil {
		return nil, err
	}
	return txtar.FS(archive)
}

// unpack returns the files in packs. Those of several are an archive too, since archives may follow
// each other in both formats.
func unpack(packs ...[]byte) (*txtar.Archive, error) {
	r, err := gzip.NewReader(bytes.NewReader(slices.Concat(packs...)))
	if err != nil {
		return nil, err
	}
	size := bytes.MinRead // which ReadFrom wants to be free at the end
	for _, packed := range packs {
		size += textSize(packed)
	}
	text := bytes.NewBuffer(make([]byte, 0, size))
	if _, err := text.ReadFrom(r); err != nil {
		return nil, err
	}
	return txtar.Parse(text.Bytes()), nil
}

// textSize returns how long the text of a pack is. Its last four bytes say so; a damaged one is not
// believed more than can be.
func textSize(packed []byte) int {
	const most = 1032 // bytes of text that a byte can stand for
	if len(packed) < 4 {
		return 0
	}
	return int(min(uint64(binary.LittleEndian.Uint32(packed[len(packed)-4:])), uint64(len(packed))*most))
}

// Update brings the packs in a folder of recordings up to date, and returns those that it has
// written or removed, as slash-separated paths from dir.
func Update(dir string) ([]string, error) {
	stale, err := compare(dir)
	if err != nil || len(stale) == 0 {
		return nil, err
	}
	for name, packed := range stale {
		if err := replace(filepath.Join(dir, filepath.FromSlash(name)), packed); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(stale)), nil
}

// replace writes a file, or removes it if there is nothing to write.
func replace(file string, packed []byte) error {
	dir := filepath.Dir(file)
	if packed == nil {
		err := os.Remove(file)
		os.Remove(dir) // fails, as it should, unless it is empty
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, packed, 0o644)
}

// Stale returns the packs that [Update] would write or remove.
func Stale(dir string) ([]string, error) {
	stale, err := compare(dir)
	return slices.Sorted(maps.Keys(stale)), err
}

// compare returns the stale packs of a folder of recordings by their paths, and what each should
// be: nil if there is nothing to pack.
func compare(dir string) (map[string][]byte, error) {
	fsys := os.DirFS(dir)
	names, err := fs.Glob(fsys, "*/*/*.ndjson")
	if err != nil {
		return nil, err
	}
	plain := map[string][]txtar.File{} // by the path of the pack
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		_, rest, _ := strings.Cut(name, "/")
		to := Name(path.Dir(name))
		plain[to] = append(plain[to], txtar.File{Name: rest, Data: text})
	}
	packs, err := fs.Glob(fsys, Name("*/*"))
	if err != nil {
		return nil, err
	}
	stale := map[string][]byte{}
	for _, name := range packs {
		if plain[name] == nil {
			stale[name] = nil
		}
	}
	for name, files := range plain {
		packed, err := fs.ReadFile(fsys, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if holds(packed, files) {
			continue
		}
		if stale[name], err = pack(files); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return stale, nil
}

// holds reports whether a pack has these files, in their order, and nothing else. One that cannot
// be read has none.
func holds(packed []byte, files []txtar.File) bool {
	archive, err := unpack(packed)
	return err == nil && len(archive.Comment) == 0 && slices.EqualFunc(archive.Files, files, equal)
}

func equal(a, b txtar.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }

// pack returns a pack of these files. It has no times and no names of systems, so that the same
// files give the same bytes with the same compressor.
func pack(files []txtar.File) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(txtar.Format(&txtar.Archive{Files: files})); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	archive, err := unpack(b.Bytes())
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if i >= len(archive.Files) || !equal(archive.Files[i], f) {
			return nil, fmt.Errorf("%s cannot be packed: it must be whole lines of JSON", f.Name)
		}
	}
	return b.Bytes(), nil
}

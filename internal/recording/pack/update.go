package pack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/gztext"
)

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
	plain, err := plainFiles(fsys)
	if err != nil {
		return nil, err
	}
	stale := map[string][]byte{}
	for _, pattern := range []string{"*", "*/*"} {
		packs, err := fs.Glob(fsys, Name(pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range packs {
			folder := strings.TrimSuffix(strings.TrimPrefix(name, Folder+"/"), Ext)
			if plain[folder] == nil {
				stale[name] = nil
			}
		}
	}
	folders := slices.SortedFunc(maps.Keys(plain), compareFolders)
	var base base // of the folder before, if that has the same name in another version
	for i, folder := range folders {
		if i == 0 || !sameKind(folders[i-1], folder) {
			base.folder, base.text = "", nil
		}
		text := txtar.Format(&txtar.Archive{Files: plain[folder]})
		packed, err := fs.ReadFile(fsys, Name(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		stands, ok := base.holds(packed, text)
		if !ok {
			if packed, stands, err = base.pack(text, plain[folder]); err != nil {
				return nil, fmt.Errorf("%s: %w", Name(folder), err)
			}
			stale[Name(folder)] = packed
		}
		if stands {
			base.folder, base.text = folder, text
		}
	}
	return stale, nil
}

// plainFiles returns the files to pack by their folders. A file of transcript entries is a folder
// of its own.
func plainFiles(fsys fs.FS) (map[string][]txtar.File, error) {
	plain := map[string][]txtar.File{}
	for _, pattern := range []string{"*/*/*.ndjson", "*.jsonl"} {
		names, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			folder, rest := strings.TrimSuffix(name, ".jsonl"), name
			if folder == name {
				folder = path.Dir(name)
				_, rest, _ = strings.Cut(name, "/")
			}
			plain[folder] = append(plain[folder], txtar.File{Name: rest, Data: text})
		}
	}
	return plain, nil
}

// compareFolders orders folders by what they are of, and then by version, the oldest first.
func compareFolders(a, b string) int {
	kindA, versionA := split(a)
	kindB, versionB := split(b)
	return cmp.Or(cmp.Compare(kindA, kindB), slices.Compare(numbers(versionA), numbers(versionB)))
}

func sameKind(a, b string) bool {
	kindA, _ := split(a)
	kindB, _ := split(b)
	return kindA == kindB
}

// numbers returns the numbers of a version.
func numbers(version string) (n []int) {
	for part := range strings.SplitSeq(version, ".") {
		i, _ := strconv.Atoi(part) // 0 for what is not a number
		n = append(n, i)
	}
	return n
}

// split tells the area, or the folder of other sessions, from the version.
func split(folder string) (kind, version string) {
	first, second, _ := strings.Cut(folder, "/")
	if len(numbers(first)) > 1 {
		return second, first
	}
	return first, second
}

// base is what a pack may take lines from: the nearest older one of its kind that stands for
// itself. It has no folder if there is none.
type base struct {
	folder string
	text   []byte
}

// holds reports whether a pack has this text and nothing else, and whether it stands for itself.
// One that cannot be read, or takes lines from another than this base, has none.
func (b *base) holds(packed, text []byte) (stands, ok bool) {
	have, err := gztext.Read(packed)
	if err != nil {
		return false, false
	}
	from, rest, shares := cutBase(have)
	if !shares {
		return true, bytes.Equal(have, text)
	}
	if from != b.folder {
		return false, false
	}
	have, err = restore(rest, b.text)
	return false, err == nil && bytes.Equal(have, text)
}

// pack returns a pack of a text, which has these files. It takes lines from the base if that makes
// it half as long or shorter.
func (b *base) pack(text []byte, files []txtar.File) (packed []byte, stands bool, err error) {
	archive := txtar.Parse(text)
	for i, f := range files {
		if i >= len(archive.Files) || archive.Files[i].Name != f.Name || !bytes.Equal(archive.Files[i].Data, f.Data) {
			return nil, false, fmt.Errorf("%s cannot be packed: it must be whole lines of JSON", f.Name)
		}
	}
	if packed, err = gztext.Pack(text); err != nil || b.folder == "" {
		return packed, true, err
	}
	shared, err := gztext.Pack(append(baseLine(b.folder), share(text, b.text)...))
	if err != nil || 2*len(shared) > len(packed) {
		return packed, true, err
	}
	if _, ok := b.holds(shared, text); !ok { // it has lines that look like ours
		return packed, true, nil
	}
	return shared, false, nil
}

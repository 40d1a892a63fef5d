// Package pack keeps the recordings of the corpus in a form that is small enough to build into a
// program. In a folder of recordings, or of transcript entries, there is a pack of each folder that
// has files:
//
//	VERSION/AREA/NAME.ndjson       packed/VERSION/AREA.txtar.gz
//	sessions/VERSION/NAME.ndjson   packed/sessions/VERSION.txtar.gz
//	VERSION.jsonl                  packed/VERSION.txtar.gz
//
// A pack is a txtar archive, compressed. One that has much in common with the pack of an older
// version begins with a line that names it, "lines of 2.1.325/turn", and then a line "=7,9" stands
// for the lines 7 to 9 of that one's text. The named pack stands for itself: it names no other.
//
// The plain files are what people read and change. Packs are made of them, and one is stale if it
// holds anything else. The compressed bytes do not count, since compressors differ.
package pack

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/gztext"
)

// Folder is the folder of the packs, in that of the recordings.
const Folder = "packed"

// Ext ends the name of a pack.
const Ext = ".txtar.gz"

// Name returns the path of the pack of a folder, such as 2.1.325/turn, from the folder of the
// recordings.
func Name(folder string) string { return path.Join(Folder, folder+Ext) }

// Read returns the files in the packs of folders, such as 2.1.325/turn: AREA/NAME.ndjson in packs
// of a version. The packs are in fsys, a folder of recordings.
func Read(fsys fs.FS, folders ...string) (fs.FS, error) {
	var texts [][]byte
	for _, folder := range folders {
		text, err := whole(fsys, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name(folder), err)
		}
		texts = append(texts, text)
	}
	return txtar.FS(txtar.Parse(slices.Concat(texts...))) // archives may follow each other
}

// whole returns the text of the pack of a folder, with what it takes from another.
func whole(fsys fs.FS, folder string) ([]byte, error) {
	text, err := open(fsys, folder)
	if err != nil {
		return nil, err
	}
	from, rest, ok := cutBase(text)
	if !ok {
		return text, nil
	}
	base, err := open(fsys, from)
	if err != nil {
		return nil, err
	}
	return restore(rest, base)
}

// open returns the text of the pack of a folder, as it is.
func open(fsys fs.FS, folder string) ([]byte, error) {
	packed, err := fs.ReadFile(fsys, Name(folder))
	if err != nil {
		return nil, err
	}
	return gztext.Read(packed)
}

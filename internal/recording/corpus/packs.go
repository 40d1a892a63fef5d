package corpus

import (
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/recording/pack"
)

// root is the folder of the corpus.
const root = "conformance/recordings"

// folders returns the names of the folders in it, sorted. Nothing is unpacked for that.
func folders() (names []string) {
	entries, err := ccwire.Recordings.ReadDir(path.Join(root, pack.Folder))
	if err != nil {
		panic(err) // it is built in
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// These unpack what they are asked for once, and keep it.
var (
	keptFolder = kept(unpackFolder)
	keptArea   = kept(unpackArea)
)

// unpackFolder returns the files of a folder, such as that of a version.
func unpackFolder(name string) (fs.FS, error) {
	entries, err := ccwire.Recordings.ReadDir(path.Join(root, pack.Folder, name))
	if err != nil {
		return nil, err
	}
	var packed []string
	for _, e := range entries {
		packed = append(packed, path.Join(name, strings.TrimSuffix(e.Name(), pack.Ext)))
	}
	return unpack(packed...)
}

// unpackArea returns the files of one folder in it, such as 2.1.325/turn, as unpackFolder does.
func unpackArea(name string) (fs.FS, error) { return unpack(name) }

func unpack(folders ...string) (fs.FS, error) {
	fsys, err := fs.Sub(ccwire.Recordings, root)
	if err != nil {
		return nil, err
	}
	return pack.Read(fsys, folders...)
}

// kept returns a function that calls unpack once for each name.
func kept(unpack func(name string) (fs.FS, error)) func(name string) (fs.FS, error) {
	var all sync.Map // of func() (fs.FS, error), by name
	return func(name string) (fs.FS, error) {
		once, _ := all.LoadOrStore(name, sync.OnceValues(func() (fs.FS, error) { return unpack(name) }))
		return once.(func() (fs.FS, error))()
	}
}

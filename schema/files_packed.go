//go:build packed

package schema

import (
	_ "embed"
	"io/fs"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/gztext"
)

// packed is a txtar archive of the schemas, compressed, which package schemapack writes before a
// release is built: a seventh of their size.
//
//go:embed packed.txtar.gz
var packed []byte

// Files returns all schemas of this package as they were written, FOLDER/NAME.json.
var Files = sync.OnceValue(func() fs.FS {
	fsys, err := txtar.FS(txtar.Parse(gztext.Must(packed)))
	if err != nil {
		panic(err) // a release is run by a test
	}
	return fsys
})

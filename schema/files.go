//go:build !packed

package schema

import (
	"embed"
	"io/fs"
)

//go:embed content/*.json control/*.json envelope/*.json hook/*.json host/*.json legacy/*.json
//go:embed mcp/*.json message/*.json permission/*.json shared/*.json tool/*.json transcript/*.json
var files embed.FS

// Files returns all schemas of this package as they were written, FOLDER/NAME.json.
func Files() fs.FS { return files }

package script

import _ "embed"

// Schema is the JSON Schema of scripts, for editors.
//
//go:embed schema.json
var Schema []byte

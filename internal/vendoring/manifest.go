package vendoring

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// manifestName is the file that lists what the last run wrote.
const manifestName = "ccwire.manifest.json"

// manifest is the contents of that file.
type manifest struct {
	Comment string            `json:"comment"`
	Flags   flags             `json:"flags"`
	Files   map[string]string `json:"files"` // hashes by slash-separated path
}

// readManifest returns the manifest of a folder, an empty one if there is none.
func readManifest(dir string) (manifest, error) {
	var m manifest
	name := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s is damaged (%w): restore it, or remove the folder", name, err)
	}
	for file := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return m, fmt.Errorf("%s is damaged: %q is outside of the folder", name, file)
		}
	}
	return m, nil
}

// newManifest lists the files of a copy.
func newManifest(files map[string][]byte, flags flags) manifest {
	m := manifest{Comment: "Files that protogen vendor wrote, with their SHA-256, and its flags.", Flags: flags, Files: map[string]string{}}
	for name, text := range files {
		m.Files[name] = hash(text)
	}
	return m
}

func (m manifest) text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// hash returns the SHA-256 of a text. Line ends do not count: a version control system may change
// them.
func hash(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

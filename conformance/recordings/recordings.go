// Package recordings holds recordings of real CLIs, in a folder per version.
// The newest is the part of the simulated CLI.
package recordings

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/conformance/recording"
	"github.com/ccwire/ccwire/transport/cli"
)

//go:embed */*/*.ndjson
var files embed.FS

// Versions returns the recorded versions, the oldest first.
var Versions = sync.OnceValues(func() ([]cli.Version, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var list []cli.Version
	for _, e := range entries {
		v, err := cli.ParseVersion(e.Name())
		if err != nil {
			return nil, fmt.Errorf("folder %s: %w", e.Name(), err)
		}
		list = append(list, v)
	}
	slices.SortFunc(list, cli.Version.Compare)
	return list, nil
})

// Newest returns the newest recorded version.
func Newest() (cli.Version, error) {
	list, err := Versions()
	if err != nil {
		return cli.Version{}, err
	}
	if len(list) == 0 {
		return cli.Version{}, fmt.Errorf("no recordings")
	}
	return list[len(list)-1], nil
}

// FS returns the recordings of one version, by area and name.
func FS(v cli.Version) (fs.FS, error) { return fs.Sub(files, v.String()) }

// Read returns the recording of a scenario. The error wraps fs.ErrNotExist if there is none.
func Read(v cli.Version, scenario string) ([]recording.Entry, error) {
	data, err := files.ReadFile(path.Join(v.String(), scenario+".ndjson"))
	if err != nil {
		return nil, fmt.Errorf("scenario %s is not recorded for %s: %w", scenario, v, err)
	}
	return recording.Read(bytes.NewReader(data))
}

// Names returns the names of the recorded scenarios of a version, sorted.
func Names(v cli.Version) ([]string, error) {
	list, err := fs.Glob(files, v.String()+"/*/*.ndjson")
	if err != nil {
		return nil, err
	}
	for i, name := range list {
		list[i] = strings.TrimSuffix(strings.TrimPrefix(name, v.String()+"/"), ".ndjson")
	}
	return list, nil
}

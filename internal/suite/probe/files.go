package probe

import (
	"os"
	"path/filepath"
)

// readPackage collects the names in the files of a CLI: the executable and, if it is in a package
// of npm, the files beside it.
func readPackage(path string) (*names, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	files := []string{path}
	dir := filepath.Dir(path)
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if file := filepath.Join(dir, e.Name()); e.Type().IsRegular() && file != path {
				files = append(files, file)
			}
		}
	}
	n := newNames()
	for _, file := range files {
		if err := n.scanFile(file); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (n *names) scanFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return n.scan(f)
}

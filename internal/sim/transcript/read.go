package transcript

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// maxLine is the longest entry that is read.
const maxLine = 256 << 20

// Newest returns the session of a folder that was kept last, "" if there is none.
func Newest(folder string) (id string) {
	var at time.Time
	files, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")) // the pattern is good
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(at) {
			id, at = strings.TrimSuffix(filepath.Base(file), ".jsonl"), info.ModTime()
		}
	}
	return id
}

// Read reads the entries of a session in a folder, up to the one with an id if until is not "". It
// returns the id of the last entry, nil for none, and whether until was found.
func Read(folder, session, until string, see func(entry object.Object)) (last any, found bool, err error) {
	f, err := os.Open(filepath.Join(folder, filepath.Base(session)+".jsonl"))
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		v, err := object.Parse(lines.Bytes())
		e, ok := v.(object.Object)
		if err != nil || !ok || e.Bool("isSidechain") {
			continue
		}
		id := e.Text("uuid")
		if id != "" {
			last = id
		}
		see(e)
		if until != "" && id == until {
			return last, true, nil
		}
	}
	return last, until == "", nil // what came before an error counts
}

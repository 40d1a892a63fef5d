package vendoring

import (
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/vendoring/footprint"
)

// sdkModule is a module with a path as long as most: it is in the name of every function.
const sdkModule = "github.com/someone/claude-agent-sdk-go/internal"

// sdkCopy returns the root of a module with the copy that a typical SDK needs, and its folder.
func sdkCopy(t testing.TB) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	writeTestFile(t, filepath.Join(root, "go.mod"), "module "+sdkModule+"\n\ngo "+OldestGo+"\n")
	dir = filepath.Join(root, "wire")
	copyOf(t, Options{Dir: dir, Only: []string{SDK}, Recorded: true})
	return root, dir
}

func TestTheCopyOfATypicalSDKHasFewLines(t *testing.T) {
	_, dir := sdkCopy(t)
	lines, err := footprint.Lines(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines", lines)
	if lines > footprint.MostLines {
		t.Errorf("%d lines, want %d at most", lines, footprint.MostLines)
	}
}

func TestTheCopyOfATypicalSDKAddsFewBytesToAProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it links two programs; make test-all runs it")
	}
	root, _ := sdkCopy(t)
	size, err := footprint.Copy(root, sdkModule+"/wire")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", size)
	if size > footprint.MostBytes {
		t.Errorf("%d bytes, want %d at most", size, footprint.MostBytes)
	}
}

package framing

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// plantedCommand is the command of the parsers. It is built once, without the race detector, which
// would make every one of the many runs slow.
var plantedCommand = sync.OnceValues(func() (string, error) {
	var err error
	if plantedDir, err = os.MkdirTemp("", "planted"); err != nil {
		return "", err
	}
	name := filepath.Join(plantedDir, "planted.exe")
	cmd := exec.Command("go", "build", "-o", name, "./internal/planted/run")
	cmd.Stderr = os.Stderr
	return name, cmd.Run()
})

var plantedDir string // empty until plantedCommand was called

func TestMain(m *testing.M) {
	code := m.Run()
	if plantedDir != "" {
		os.RemoveAll(plantedDir)
	}
	os.Exit(code)
}

// parserCommand returns the command of a parser.
func parserCommand(t testing.TB, parser string) []string {
	t.Helper()
	name, err := plantedCommand()
	if err != nil {
		t.Fatalf("the parsers cannot be built: %v", err)
	}
	return []string{name, parser}
}

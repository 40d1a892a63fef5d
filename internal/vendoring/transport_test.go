package vendoring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// transportUse is a program on a copy with the transport.
const transportUse = `package main

import (
	"context"
	"errors"
	"fmt"

	"example.com/sdk/internal/claude"
	"example.com/sdk/internal/claude/transport"
	"example.com/sdk/internal/claude/transport/cli"
)

func main() {
	s, err := transport.Open(context.Background(), nil)
	if err != nil {
		fmt.Println(err, errors.As(err, new(*cli.ExitError)))
		return
	}
	for frame := range s.Messages() {
		if r, ok := frame.(*claude.ResultSuccess); ok {
			fmt.Println(r.Result)
		}
	}
}
`

// TestTransportBuildsInAForeignModuleWithItsOldestGo runs the real tool chain of that version.
func TestTransportBuildsInAForeignModuleWithItsOldestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a module with another tool chain; make test-all runs it")
	}
	root := t.TempDir()
	writeTestFile(t, filepath.Join(root, "go.mod"), "module example.com/sdk\n\ngo "+OldestGoWithTransport+"\n")
	copyOf(t, Options{Dir: filepath.Join(root, "internal", "claude"), With: []string{"transport"}})
	writeTestFile(t, filepath.Join(root, "main.go"), transportUse)
	goIn(t, "go"+OldestGoWithTransport+".13", root, "build", "./...")
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || strings.Contains(string(text), "require") {
		t.Errorf("go.mod needs more than the standard library: %s, %v", text, err)
	}
}

func TestTransportIsRefusedInAModuleOfAnOlderGo(t *testing.T) {
	_, err := New(Options{Dir: filepath.Join(scratchModule(t), "wire"), With: []string{"transport"}, Sources: whole(), Info: info})
	if want := "the copy needs go " + OldestGoWithTransport; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}

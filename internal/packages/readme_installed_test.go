//go:build packages

package packages_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

// readmeCommands returns the commands of the README that make and install the packages.
func readmeCommands(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := bytes.Cut(text, []byte("```sh\nmake packages "))
	block, _, closed := bytes.Cut(block, []byte("```"))
	if !found || !closed {
		t.Fatal("the README does not make packages")
	}
	return strings.Split(strings.TrimSpace("make packages "+string(block)), "\n")
}

func TestTheInstalledPackagesAreThoseThatTheReadmeMakes(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the README names linux/amd64")
	}
	commands, project := readmeCommands(t), t.TempDir()
	makes := exec.CommandContext(t.Context(), "sh", "-c", commands[0]+` DIST="$1"`, "sh", filepath.Join(project, "dist"))
	makes.Dir = filepath.Join("..", "..")
	if out, err := makes.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", commands[0], err, out)
	}
	run := func(command string) string {
		t.Helper()
		cmd := packagestest.Command(t, project, "sh", "-c", command)
		path := filepath.Join(project, "venv", "bin")
		cmd.Env = append(cmd.Env, "PATH="+path+string(os.PathListSeparator)+strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "PATH="))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	for _, command := range []string{"npm init --yes", "python3 -m venv venv", "cargo init --quiet --name agent"} {
		run(command)
	}
	for _, command := range commands[1:] {
		run(command)
	}
	for _, command := range []string{"npx ccwire version", "ccwire version"} {
		if out := run(command); !strings.Contains(out, "schema revision") {
			t.Errorf("%s prints %s", command, out)
		}
	}
	if manifest, err := os.ReadFile(filepath.Join(project, "Cargo.toml")); err != nil || !strings.Contains(string(manifest), "ccwire") {
		t.Errorf("the manifest is %s, %v", manifest, err)
	}
}

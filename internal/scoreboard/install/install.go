// Package install installs SDKs at the versions that are pinned, beside the programs of package
// scoreboard that use them.
package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An SDK is one that is installed from a registry.
type SDK struct {
	Folder  string     // of its programs, in that of package scoreboard
	kit     string     // the folder of the core of its driver, in conformance/driver/kit
	lock    string     // the file that pins what they need
	install [][]string // what installs that
	build   []string   // what makes the driver of the files, each time; nil if nothing does
	release string     // "" if the version is that of the lock file
}

// The official SDKs.
var (
	Node = &SDK{Folder: "node", kit: "node", lock: "package-lock.json",
		install: [][]string{npm("ci")}}
	// The wheel of the SDK has a CLI in it, its source has none.
	Python = &SDK{Folder: "python", kit: "python", lock: "requirements.txt", install: [][]string{
		{"python3", "-m", "venv", "."},
		{"bin/pip", "install", "--quiet", "--no-deps", "--no-binary", "claude-agent-sdk", "--requirement", "requirements.txt"},
	}}
)

func npm(words ...string) []string {
	return append(append([]string{"npm"}, words...), "--no-fund", "--no-audit", "--ignore-scripts", "--omit=optional")
}

// NodeRelease returns the official TypeScript SDK at another version, with that of zod which it
// works with.
func NodeRelease(version, zod string) *SDK {
	s := *Node
	s.release = version
	s.install = [][]string{npm("install", "--no-save", "@anthropic-ai/claude-agent-sdk@"+version, "zod@"+zod)}
	return &s
}

// PythonRelease returns a release of the official Python SDK or of its predecessor. Both import
// what mcp has had before its second version.
func PythonRelease(name, version string) *SDK {
	s := *Python
	s.release = name + "-" + version
	s.install = [][]string{
		{"python3", "-m", "venv", "."},
		{"bin/pip", "install", "--quiet", "--no-binary", name, name + "==" + version, "mcp<2"},
	}
	return &s
}

// OtherNode, OtherPython and OtherRust return an SDK by others, whose driver is in a folder of that
// name in the folder others.
func OtherNode(name string) *SDK {
	return &SDK{Folder: "others/" + name, kit: "node", lock: "package.json", install: [][]string{npm("install")}}
}

func OtherPython(name string) *SDK {
	return &SDK{Folder: "others/" + name, kit: "python", lock: "requirements.txt", install: [][]string{
		{"python3", "-m", "venv", "."},
		{"bin/pip", "install", "--quiet", "--requirement", "requirements.txt"},
	}}
}

func OtherRust(name string) *SDK {
	return &SDK{Folder: "others/" + name, kit: "rust", lock: "Cargo.lock", build: []string{"cargo", "build", "--quiet", "--locked"}}
}

// patience is how long a command that installs or builds something may take.
const patience = 10 * time.Minute

// Installed returns a folder with the programs and what they need, one for each state of the lock
// file, in the user's cache or LANGUAGES_CACHE. Drivers is the folder of package scoreboard.
func (s *SDK) Installed(ctx context.Context, drivers string) (dir string, err error) {
	source := filepath.Join(drivers, s.Folder)
	lock, err := os.ReadFile(filepath.Join(source, s.lock))
	if err != nil {
		return "", err
	}
	parent, err := cache()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	name := s.release
	if name == "" {
		name = hex.EncodeToString(sum[:6])
	}
	dir = filepath.Join(parent, "driver-"+strings.ReplaceAll(s.Folder, "/", "-")+"-"+name)
	for _, from := range []string{source, filepath.Join(drivers, "..", "..", "conformance", "driver", "kit", s.kit)} {
		if err := copyFiles(dir, from); err != nil {
			return "", err
		}
	}
	if s.release != "" && s.kit == "node" {
		// Npm would install what the file asks for, too.
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o644); err != nil {
			return "", err
		}
		if err := os.Remove(filepath.Join(dir, s.lock)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	mark := filepath.Join(dir, ".installed")
	if _, err := os.Stat(mark); err != nil {
		for _, command := range s.install {
			if err := run(ctx, dir, command); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			return "", err
		}
	}
	if s.build != nil {
		err = run(ctx, dir, s.build)
	}
	return dir, err
}

// cache returns the folder that SDKs are installed in.
func cache() (string, error) {
	if dir := os.Getenv("LANGUAGES_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	user, err := os.UserCacheDir()
	return filepath.Join(user, "ccwire", "languages"), err
}

// copyFiles copies the files of a folder into another, which is made if it is not there.
func copyFiles(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, filepath.Base(file))
		if there, err := os.ReadFile(copied); err == nil && bytes.Equal(there, data) {
			continue // a new time would have it built again
		}
		if err := os.WriteFile(copied, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// run runs a command in a folder. A command with a slash is in it.
func run(ctx context.Context, dir string, command []string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := command[0]
	if filepath.Base(name) != name {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(ctx, name, command[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd.Args, err, bytes.TrimSpace(out[:min(len(out), 8000)]))
	}
	return nil
}

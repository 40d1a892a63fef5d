package npm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Package is the CLI's package on npm.
const Package = "@anthropic-ai/claude-code"

var exactVersion = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// Cache is a folder with one folder for each installed version.
type Cache struct {
	Dir string
	// Log, if set, is told what is installed.
	Log func(text string)
}

// DefaultCache returns the cache of this user: $CCWIRE_CACHE, or ccwire in the user's folder for
// caches.
func DefaultCache() (*Cache, error) {
	if dir := os.Getenv("CCWIRE_CACHE"); dir != "" {
		return &Cache{Dir: dir}, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no folder for caches: %w; set CCWIRE_CACHE", err)
	}
	return &Cache{Dir: filepath.Join(dir, "ccwire", "cli")}, nil
}

// Resolve returns the version that a name such as "latest" stands for. A version stands for itself.
func Resolve(ctx context.Context, name string) (string, error) {
	if exactVersion.MatchString(name) {
		return name, nil
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(name) {
		return "", fmt.Errorf("%q is neither a version nor a tag of npm", name)
	}
	out, err := npm(ctx, "", "view", Package+"@"+name, "version")
	if err != nil {
		return "", err
	}
	version := strings.TrimSpace(out)
	if !exactVersion.MatchString(version) {
		return "", fmt.Errorf("npm says that %s is version %q", name, version)
	}
	return version, nil
}

// Path returns the executable of a version, installed if it is not there yet.
func (c *Cache) Path(ctx context.Context, version string) (string, error) {
	if !exactVersion.MatchString(version) {
		return "", fmt.Errorf("%q is not a version", version)
	}
	dir := filepath.Join(c.Dir, version)
	if path, err := executable(dir); err == nil {
		return path, nil
	}
	if c.Log != nil {
		c.Log("installing " + Package + "@" + version + " from npm")
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", err
	}
	// Installed aside and moved, so that a folder with a version's name is always complete.
	temp, err := os.MkdirTemp(c.Dir, ".install-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := os.WriteFile(filepath.Join(temp, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
		return "", err
	}
	if _, err := npm(ctx, temp, "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", Package+"@"+version); err != nil {
		return "", err
	}
	if _, err := executable(temp); err != nil {
		return "", err
	}
	if err := os.Rename(temp, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, there := executable(dir); there != nil {
			return "", err
		}
	}
	return executable(dir)
}

// executable finds the CLI below dir: a native binary in a package of its own for the platform, or,
// up to 2.1.112, a script for node.
func executable(dir string) (string, error) { return executableFor(dir, runtime.GOOS, runtime.GOARCH) }

func executableFor(dir, goos, goarch string) (string, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[goarch]
	platform := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}[goos]
	base := filepath.Join(dir, "node_modules", filepath.FromSlash(Package))
	suffixes := []string{"-" + platform + "-" + arch, "-" + platform + "-" + arch + "-musl"}
	for _, s := range suffixes {
		for _, name := range []string{"claude", "claude.exe"} {
			for _, root := range []string{base + s, filepath.Join(base, "node_modules", filepath.FromSlash(Package)+s)} {
				if path := filepath.Join(root, name); isFile(path) {
					return path, nil
				}
			}
		}
	}
	if path := filepath.Join(base, "cli.js"); isFile(path) {
		if err := os.Chmod(path, 0o755); err != nil {
			return "", err
		}
		return path, nil
	}
	return "", fmt.Errorf("%s has no executable for %s/%s", dir, goos, goarch)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func npm(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("npm is not installed: install Node.js, or give the CLI by --bin")
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		text := strings.TrimSpace(stderr.String())
		if len(text) > 2000 {
			text = "…" + text[len(text)-2000:]
		}
		return "", fmt.Errorf("npm %s: %w\n%s", args[0], err, text)
	}
	return stdout.String(), nil
}

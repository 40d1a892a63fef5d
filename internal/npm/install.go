package npm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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

// tagName is what a tag looks like.
var tagName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// A NoVersionError says that npm does not have a version or a tag.
type NoVersionError struct {
	Name  string
	Known []string // what npm has in its place; may be empty
}

func (e *NoVersionError) Error() string { return fmt.Sprintf("npm has no %s@%s", Package, e.Name) }

// Resolve returns the version that a name such as "latest" stands for. A version stands for itself.
// The error is a [*NoVersionError] if npm does not have the tag.
func Resolve(ctx context.Context, name string) (string, error) {
	if exactVersion.MatchString(name) {
		return name, nil
	}
	if !tagName.MatchString(name) {
		return "", fmt.Errorf("%q is neither a version nor a tag of npm", name)
	}
	var tags map[string]string
	if err := view(ctx, "dist-tags", &tags); err != nil {
		return "", err
	}
	version, ok := tags[name]
	if !ok {
		return "", &NoVersionError{name, slices.Sorted(maps.Keys(tags))}
	}
	if !exactVersion.MatchString(version) {
		return "", fmt.Errorf("npm says that %s is version %q", name, version)
	}
	return version, nil
}

// Versions returns the versions that npm has, in its order: the oldest first.
func Versions(ctx context.Context) (list []string, err error) {
	err = view(ctx, "versions", &list)
	return list, err
}

// view asks npm for one field of the package.
func view(ctx context.Context, field string, value any) error {
	out, err := npm(ctx, "", "view", Package, field, "--json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(out), value); err != nil {
		return fmt.Errorf("npm view %s: %w", field, err)
	}
	return nil
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
		return "", noVersion(ctx, version, err)
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

// noVersion returns what to say of an installation that failed: a [*NoVersionError] if npm does not
// have the version, else the error of npm.
func noVersion(ctx context.Context, version string, err error) error {
	if !strings.Contains(err.Error(), "ETARGET") {
		return err
	}
	known, _ := Versions(ctx) // they only help to say more
	return &NoVersionError{Name: version, Known: known}
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

// Package gomod makes the module for Go, as a folder that a module proxy serves: with
// GOPROXY=file://DIR/goproxy, go get and go install take it from there.
package gomod

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/ccwire/ccwire/internal/packages"
)

// Folder is the root of the proxy among the files.
const Folder = "goproxy"

// modulePath is the path of the module.
const modulePath = "github.com/ccwire/ccwire"

// ErrNoCheckout says that there is no repository to make the module of.
var ErrNoCheckout = errors.New("the module is made of a checkout of ccwire: run it in one")

// Target makes the module.
type Target struct{}

// Packages returns the files of the proxy: the last commit of the checkout, under the version.
func (Target) Packages(s *packages.Source) ([]packages.File, error) {
	if s.Checkout == "" {
		return nil, ErrNoCheckout
	}
	version := "v" + s.Info.Version
	var packed bytes.Buffer
	if err := zip.CreateFromVCS(&packed, module.Version{Path: modulePath, Version: version}, s.Checkout, "HEAD", ""); err != nil {
		return nil, err
	}
	mod, err := git(s.Checkout, "show", "HEAD:go.mod")
	if err != nil {
		return nil, err
	}
	when, err := git(s.Checkout, "log", "-1", "--format=%cI")
	if err != nil {
		return nil, err
	}
	info, err := json.Marshal(struct{ Version, Time string }{version, strings.TrimSpace(string(when))})
	if err != nil {
		return nil, err
	}
	dir := path.Join(Folder, modulePath, "@v")
	return []packages.File{
		{Name: path.Join(dir, "list"), Data: []byte(version + "\n")},
		{Name: path.Join(dir, version+".info"), Data: info},
		{Name: path.Join(dir, version+".mod"), Data: mod},
		{Name: path.Join(dir, version+".zip"), Data: packed.Bytes()},
	}, nil
}

// git returns what a command of git prints.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %s", args[0], bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

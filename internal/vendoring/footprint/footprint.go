// Package footprint measures what a copy of the types costs the module that has it: lines to carry,
// bytes of a program, time to compile.
package footprint

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The most that the subset of a typical SDK may cost.
const (
	MostLines = 15_000
	MostBytes = 800_000
	MostBuild = 2 * time.Second
)

// Lines counts the lines of the Go files below a folder, tests aside.
func Lines(dir string) (lines int, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		lines += bytes.Count(text, []byte("\n"))
		return err
	})
	return lines, err
}

// The programs that are compared: one that reads lines from its standard input and writes them
// again, with encoding/json, and the same with something more.
const (
	plain = `package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
%s)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var v map[string]any
		err := json.Unmarshal(in.Bytes(), &v)
		out, fault := json.Marshal(v)
		fmt.Println(string(out), err, fault, ctx.Err())
%s	}
}
`
	withCopy = `		frame, err := wire.Decode(in.Bytes())
		if r, ok := frame.(*wire.ControlRequest); ok {
			answer, err := wire.Dispatch(ctx, wire.BaseHandler{}, r.Request)
			fmt.Println(answer, err)
		}
		line, fault := wire.Append(nil, frame)
		fmt.Println(string(line), err, fault)
`
	withHTTP = `		reply, err := http.Get(in.Text())
		fmt.Println(reply, err)
`
)

// Copy returns how many bytes a copy adds to a stripped program that decodes, dispatches and
// encodes with it and uses encoding/json besides. Root is the folder of the module, and path the
// import path of the copy.
func Copy(root, path string) (int64, error) {
	return added(root, fmt.Sprintf("\n\twire %q\n", path), withCopy)
}

// HTTP returns how many bytes a client of net/http adds to the same program.
func HTTP(root string) (int64, error) { return added(root, "\t\"net/http\"\n", withHTTP) }

// added returns the difference between the program with something more and without.
func added(root, imports, statements string) (int64, error) {
	less, err := size(root, fmt.Sprintf(plain, "", ""))
	if err != nil {
		return 0, err
	}
	more, err := size(root, fmt.Sprintf(plain, imports, statements))
	return more - less, err
}

// size returns the size of a program of the module at root, as "go build -trimpath -ldflags '-s
// -w'" makes it.
func size(root, source string) (n int64, err error) {
	dir, err := os.MkdirTemp(root, "footprint")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600); err != nil {
		return 0, err
	}
	program := filepath.Join(dir, "program")
	if err := build(root, "-trimpath", "-ldflags", "-s -w", "-o", program, "./"+filepath.Base(dir)); err != nil {
		return 0, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Build returns the time that "go build" takes for a package of the module at root, and the
// processor time of it and of what it starts. It compiles what is not in its cache.
func Build(root, pkg string) (took, cpu time.Duration, err error) {
	start := time.Now()
	cmd := command(root, pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

func build(root string, args ...string) error {
	if out, err := command(root, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func command(root string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", append([]string{"build"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
	return cmd
}

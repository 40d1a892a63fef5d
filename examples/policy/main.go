// Policy runs a prompt under a permission policy: the model may read everything and write below one
// folder, and nothing else.
//
//	go run ./examples/policy /tmp/sandbox "Write a haiku to haiku.txt, and another one to /tmp/haiku.txt"
//
// The CLI comes from CLAUDE_CLI or PATH and must be logged in, or ANTHROPIC_API_KEY must be set. If
// the turn fails, the reason goes to stderr and the exit code is 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("policy: ")
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: policy FOLDER PROMPT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	opts := &transport.Options{Dir: os.Args[1]}
	if err := run(ctx, strings.Join(os.Args[2:], " "), opts, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run prints the result of a prompt and what was denied on the way. Writes are confined to
// opts.Dir.
func run(ctx context.Context, prompt string, opts *transport.Options, out io.Writer) error {
	folder, err := filepath.Abs(opts.Dir)
	if err != nil {
		return err
	}
	opts.CanUseTool = writesBelow(folder)
	result, err := transport.Query(ctx, prompt, opts).Result()
	if err != nil {
		return err
	}
	if success, ok := result.Frame.(*wire.ResultSuccess); ok {
		for _, denial := range success.PermissionDenials {
			fmt.Fprintf(out, "denied: %s %s\n", denial.ToolName, denial.ToolInput)
		}
	}
	fmt.Fprintln(out, result.Text())
	return nil
}

// writesBelow is the policy. The CLI asks it for every tool call that its own rules do not decide.
func writesBelow(folder string) transport.PermissionFunc {
	return func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		path := ""
		switch in := r.TypedInput().(type) {
		case *wire.ReadInput, *wire.GlobInput, *wire.GrepInput:
			return r.Allow(), nil
		case *wire.WriteInput:
			path = in.FilePath
		case *wire.EditInput:
			path = in.FilePath
		case *wire.MultiEditInput:
			path = in.FilePath
		default:
			return r.Deny("this session may only read, and write files below " + folder), nil
		}
		if !below(folder, path) {
			return r.Deny("files may be written below " + folder + " only"), nil
		}
		return r.Allow(), nil
	}
}

// below reports whether a path, which may be relative to the folder, is inside it, symbolic links
// considered.
func below(folder, path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	path, err = resolve(filepath.Clean(path))
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolve follows the links in the part of a path that exists.
func resolve(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return resolved, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere", path)
	}
	dir, err := resolve(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

package generator

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Generate returns the generated files by name.
func Generate(schemas fs.FS) (map[string][]byte, error) {
	in, err := load(schemas)
	if err != nil {
		return nil, err
	}
	return generateFrom(in)
}

// generateFrom returns the files of what was loaded.
func generateFrom(in *input) (map[string][]byte, error) {
	p, err := build(in)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	emit := func(name string, write func(f *jen.File)) {
		f := newFile(p.revision)
		write(f)
		err = errors.Join(err, render(out, name, f))
	}
	for _, file := range p.files {
		emit(file.folder+"_gen.go", func(f *jen.File) { emitTypes(f, file) })
		emit(file.folder+"_codec_gen.go", func(f *jen.File) { emitCodecs(f, file) })
	}
	if p.typedTools {
		emit("tools_gen.go", func(f *jen.File) { emitToolTypes(f, p) })
		emit("tools_codec_gen.go", func(f *jen.File) { emitToolCodecs(f, p) })
	}
	if choices := p.blockChoices(); len(choices) > 0 {
		emit("blocks_codec_gen.go", func(f *jen.File) { emitBlockChoices(f, choices) })
	}
	emit("frame_gen.go", func(f *jen.File) { emitFrames(f, p) })
	emit("call_gen.go", func(f *jen.File) { emitCalls(f, p) })
	if hosts := p.callsOf(hostFolder); len(hosts) > 0 {
		emit("host_call_gen.go", func(f *jen.File) { emitHostCalls(f, hosts) })
	}
	emit("registry_gen_test.go", func(f *jen.File) { emitRegistry(f, p) })
	return out, err
}

// apart finds declarations that follow the end of another one directly, in text that is not yet
// indented.
var apart = regexp.MustCompile(`(?m)^}\n(func|type|var \w+ =|const|//)`)

// short finds functions of one short statement, which stand on one line, and inner those among the
// arguments of a call and in a table.
var (
	short = regexp.MustCompile(`(?m)^(func .{1,110}) \{\n(return .{1,72})\n\}$`)
	inner = regexp.MustCompile(`(func \((?:dst|raw) [^\n]+) \{\n(return [^\n]{1,96})\n\}([,)])`)
)

// together finds methods that stand together, under one comment.
var together = regexp.MustCompile(`(?m)^(func \(v \w+\) MarshalJSON.*\})\n\n(func \(v \* ?\w+\) UnmarshalJSON.*\})\n\n(func)`)

// render formats a file, once: jen would format it before it is finished.
func render(out map[string][]byte, name string, f *jen.File) error {
	f.NoFormat = true
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text := apart.ReplaceAll(b.Bytes(), []byte("}\n\n$1"))
	text = together.ReplaceAll(short.ReplaceAll(text, []byte("$1 { $2 }")), []byte("$1\n$2\n$3"))
	text, err := format.Source(inner.ReplaceAll(text, []byte("$1 { $2 }$3")))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out[name] = text
	return nil
}

// Stale compares the generated files with a folder and returns the names of those that differ, are
// missing, or should not be there.
func Stale(files map[string][]byte, dir string) ([]string, error) {
	var stale []string
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if err != nil || !bytes.Equal(have, want) {
			stale = append(stale, name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, e := range entries {
		if _, ok := files[e.Name()]; !ok && strings.HasSuffix(e.Name(), "_gen.go") {
			stale = append(stale, e.Name())
		}
	}
	slices.Sort(stale)
	return stale, nil
}

// Write makes a folder hold exactly the generated files, besides files that are not generated, and
// returns the names of those that changed.
func Write(files map[string][]byte, dir string) ([]string, error) {
	stale, err := Stale(files, dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, name := range stale {
		path := filepath.Join(dir, name)
		if text, ok := files[name]; ok {
			err = os.WriteFile(path, text, 0o644)
		} else {
			err = os.Remove(path)
		}
		if err != nil {
			return nil, err
		}
	}
	return stale, nil
}

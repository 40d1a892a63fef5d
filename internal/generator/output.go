package generator

import (
	"bytes"
	"fmt"
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
	p, b, err := build(in)
	if err != nil {
		return nil, err
	}
	usual, err := newUsualLine(b)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, file := range p.files {
		if err := render(out, file.folder+"_gen.go", typesOf(p, file)); err != nil {
			return nil, err
		}
	}
	frames := newFile(p.revision)
	emitFrames(frames, p)
	if err := emitUsual(frames, usual); err != nil {
		return nil, err
	}
	if err := render(out, "frame_gen.go", frames); err != nil {
		return nil, err
	}
	calls := newFile(p.revision)
	emitCalls(calls, p)
	if err := render(out, "call_gen.go", calls); err != nil {
		return nil, err
	}
	registry := newFile(p.revision)
	emitRegistry(registry, p)
	return out, render(out, "registry_gen_test.go", registry)
}

// typesOf writes the types of one schema folder.
func typesOf(p *program, file *file) *jen.File {
	f := newFile(p.revision)
	for _, u := range file.unions {
		emitUnion(f, u)
	}
	for _, s := range file.structs {
		emitStruct(f, s)
	}
	for _, c := range file.choices {
		emitChoice(f, c)
	}
	for _, e := range file.enums {
		emitEnum(f, e)
	}
	return f
}

// apart finds declarations that follow the end of another one directly.
var apart = regexp.MustCompile(`(?m)^}\n(func|type|var|const|//)`)

// render formats a file.
func render(out map[string][]byte, name string, f *jen.File) error {
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out[name] = apart.ReplaceAll(b.Bytes(), []byte("}\n\n$1"))
	return nil
}

// Stale compares the generated files with a folder and returns the names of
// those that differ, are missing, or should not be there.
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

// Write makes a folder hold exactly the generated files, besides files that
// are not generated, and returns the names of those that changed.
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

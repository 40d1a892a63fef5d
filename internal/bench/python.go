package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/packages/pypi"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// pythonLines is how many recorded lines the readers in Python read.
const pythonLines = 10_000

//go:embed python.py
var pythonProgram []byte

// pythonReaders compares the wheel with pydantic, by the types that are generated from the bundle,
// and with the parser alone.
func pythonReaders(g *goals) error {
	tools, err := pythonTools(filepath.Join("..", "languages", "python", "requirements.txt"))
	if err != nil {
		fmt.Println("\nreaders in Python are not measured:", err)
		return nil
	}
	dir, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := pythonFiles(dir); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"bin/datamodel-codegen", "--input", "bundle.json", "--output", "models.py", "--input-file-type", "jsonschema",
			"--output-model-type", "pydantic_v2.BaseModel", "--enum-field-as-literal", "all", "--use-title-as-name",
			"--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp"},
		{"bin/pip", "install", "--quiet", "--no-deps", "--no-index", "--find-links", ".", "--target", ".", "ccwire"},
	} {
		if _, err := runIn(dir, slices.Concat([]string{filepath.Join(tools, command[0])}, command[1:])...); err != nil {
			return err
		}
	}
	cmd := exec.Command(filepath.Join(tools, "bin/python"), "python.py", "lines.ndjson")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var found struct {
		Lines  int
		Ccwire float64 // seconds
		Ratios []struct {
			Name  string
			Ratio float64
		}
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return err
	}
	fmt.Printf("\n%d recorded lines, read in Python: ccwire %.0f ms\n", found.Lines, found.Ccwire*1000)
	for _, r := range found.Ratios {
		fmt.Printf("  %-12s %.2f times that\n", r.Name, r.Ratio)
		g.printf("RATIO read-python/recorded/%s %.2f", r.Name, r.Ratio)
	}
	return nil
}

// pythonTools returns a virtual environment with what a file of requirements pins, in the user's
// cache.
func pythonTools(requirements string) (dir string, err error) {
	pinned, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(pinned)
	dir = filepath.Join(cache, "ccwire", fmt.Sprintf("bench-python-%x", sum[:6]))
	mark := filepath.Join(dir, ".installed")
	if _, err := os.Stat(mark); err == nil {
		return dir, nil
	}
	if _, err := runIn(".", "python3", "-m", "venv", dir); err != nil {
		return "", err
	}
	if _, err := runIn(".", filepath.Join(dir, "bin/pip"), "install", "--quiet", "--no-deps", "--requirement", requirements); err != nil {
		return "", err
	}
	return dir, os.WriteFile(mark, nil, 0o644)
}

// pythonFiles writes the wheel, the bundle, the lines and the program into a folder. The wheel has
// no command, which readers do not need.
func pythonFiles(dir string) error {
	m, err := model.New(schema.Default())
	if err != nil {
		return err
	}
	wheels, err := pypi.Target{}.Packages(&packages.Source{
		Model: m, Info: packages.Info{Version: "0.0.0"},
		Programs: []packages.Program{{OS: runtime.GOOS, Arch: runtime.GOARCH}},
	})
	if err != nil {
		return err
	}
	bundle, err := schema.Default().CodegenBundle(schema.CodegenOptions{Name: naming.New().Definition})
	if err != nil {
		return err
	}
	lines, err := recorded(corpus.Versions()...)
	if err != nil {
		return err
	}
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for name, text := range map[string][]byte{
		wheels[0].Name: wheels[0].Data, "bundle.json": bundle, "python.py": pythonProgram,
		"lines.ndjson": bytes.Join(texts(lines[:min(len(lines), pythonLines)]), []byte("\n")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

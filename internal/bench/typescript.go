package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/packages/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// pinned is the folder whose lock file pins zod and Ajv.
const pinned = "../packages/npm/node"

// typescript measures how the npm package reads 10,000 recorded lines, beside zod and Ajv with the
// bundles, and JSON.parse alone. Where Node.js is not installed, it says so.
func typescript(g *goals, rounds int) error {
	if _, err := exec.LookPath("node"); err != nil {
		fmt.Println("\ntypescript: node is not installed")
		return nil
	}
	dir, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := fillProject(dir); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts", "--omit=optional", "--silent"},
		{"npm", "install", "--no-save", "--no-fund", "--no-audit", "--ignore-scripts", "--omit=optional", "--silent", "./ccwire.tgz"},
	} {
		if _, err := runIn(dir, args...); err != nil {
			return err
		}
	}
	out, err := runIn(dir, "node", "bench.mjs", "lines.ndjson", "bundle.json", "codegen.json", strconv.Itoa(rounds))
	if err != nil {
		return err
	}
	var result map[string]struct{ Time, Ratio float64 }
	if err := json.Unmarshal(out, &result); err != nil {
		return err
	}
	fmt.Println("\nread 10,000 recorded lines in TypeScript: microseconds a line, and times that of ccwire")
	for _, name := range []string{"ccwire", "JSON.parse", "ajv", "zod"} {
		fmt.Printf("  %-10s  %8.2f  %8.2f\n", name, result[name].Time, result[name].Ratio)
		if name != "ccwire" {
			g.printf("RATIO typescript/%s %.2f", name, result[name].Ratio)
		}
	}
	return nil
}

// fillProject writes what is installed and measured.
func fillProject(dir string) error {
	if err := os.CopyFS(dir, os.DirFS(pinned)); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS("typescript")); err != nil {
		return err
	}
	m, err := model.New(schema.Default())
	if err != nil {
		return err
	}
	made, err := npm.Target{}.Packages(&packages.Source{Model: m, Info: packages.Info{Version: "0.0.0-bench"}})
	if err != nil {
		return err
	}
	bundle, err := schema.Default().Bundle(schema.BundleOptions{Direction: schema.FromCLI})
	if err != nil {
		return err
	}
	codegen, err := schema.Default().CodegenBundle(schema.CodegenOptions{Name: naming.New().Definition})
	if err != nil {
		return err
	}
	lines, err := recorded(corpus.Versions()...)
	if err != nil {
		return err
	}
	const count = 10_000
	var text bytes.Buffer
	for i := range count {
		text.Write(lines[i*len(lines)/count].text())
		text.WriteByte('\n')
	}
	for name, data := range map[string][]byte{"ccwire.tgz": made[0].Data, "bundle.json": bundle, "codegen.json": codegen, "lines.ndjson": text.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// runIn runs a command in a folder, and returns what it prints.
func runIn(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%q: %w", args, err)
	}
	return out, nil
}

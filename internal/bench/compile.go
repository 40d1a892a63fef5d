package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// compile measures what it takes to compile the package that people vendor, beside a large package
// of the standard library.
func compile(g *goals) error {
	dir, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("\ncompiling one package")
	for _, path := range []string{"github.com/ccwire/ccwire/gen/wire", "net/http"} {
		cpu, memory, err := compileOne(dir, path)
		if err != nil {
			return err
		}
		fmt.Printf("  %-34s %.1f s of processor time, %d MB\n", path, cpu.Seconds(), memory>>20)
		if path != "net/http" {
			g.printf("COMPILE %s %.1f s %d MB", path, cpu.Seconds(), memory>>20)
		}
	}
	return nil
}

// compileOne compiles a package as go build does, its imports aside, three times, and returns the
// least processor time and memory.
func compileOne(dir, path string) (cpu time.Duration, memory int64, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles,ImportMap", path).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("go list: %w", err)
	}
	type listed struct {
		ImportPath, Export, Dir string
		GoFiles                 []string
		ImportMap               map[string]string
	}
	var p listed
	var config strings.Builder
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		p = listed{} // the package itself comes last
		if err := d.Decode(&p); err != nil {
			return 0, 0, err
		}
		if p.Export != "" {
			fmt.Fprintf(&config, "packagefile %s=%s\n", p.ImportPath, p.Export)
		}
	}
	for from, to := range p.ImportMap {
		fmt.Fprintf(&config, "importmap %s=%s\n", from, to)
	}
	imports := filepath.Join(dir, "imports")
	if err := os.WriteFile(imports, []byte(config.String()), 0o600); err != nil {
		return 0, 0, err
	}
	args := []string{"tool", "compile", "-p", path, "-importcfg", imports, "-o", filepath.Join(dir, "out.a"), "-pack"}
	for _, name := range p.GoFiles {
		args = append(args, filepath.Join(p.Dir, name))
	}
	for i := range 3 {
		cmd := exec.Command("go", args...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return 0, 0, fmt.Errorf("compile %s: %w", path, err)
		}
		took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if i == 0 || took < cpu {
			cpu = took
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && (i == 0 || usage.Maxrss<<10 < memory) {
			memory = usage.Maxrss << 10
		}
	}
	return cpu, memory, nil
}

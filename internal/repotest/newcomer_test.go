package repotest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	modmodule "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// readmeProgram returns the program of the README and the commands before it.
func readmeProgram(t *testing.T) (commands, program string) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, program, found := strings.Cut(string(text), "```go\npackage main\n")
	program, _, closed := strings.Cut(program, "```\n")
	commands = before[strings.LastIndex(before, "```sh\n")+len("```sh\n"):]
	commands, _, _ = strings.Cut(commands, "```")
	if !found || !closed || !strings.Contains(commands, "go mod init") {
		t.Fatalf("no program, or no commands before it: %s", commands)
	}
	return commands, "package main\n" + program
}

// noCLI is what the program says where there is no CLI.
const noCLI = "the Claude Code CLI was not found"

// TestTheProgramOfTheReadmeRuns builds the program as if it were in this module.
func TestTheProgramOfTheReadmeRuns(t *testing.T) {
	_, program := readmeProgram(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{"examples/readme/main.go": file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(program), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-overlay", filepath.Join(dir, "overlay.json"), "./examples/readme")
	cmd.Env = append(os.Environ(), "CLAUDE_CLI="+filepath.Join(dir, "no-such-cli"))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), noCLI) {
		t.Errorf("go run: %v\n%s", err, out)
	}
}

// TestANewcomerCanPasteTheProgramOfTheReadme runs the commands before the program in an empty
// folder, with a module proxy that has this tree as the newest version, and runs the program.
func TestANewcomerCanPasteTheProgramOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds another module; make test-all runs it")
	}
	commands, program := readmeProgram(t)
	dir := t.TempDir()
	env := append(os.Environ(), "GOPROXY="+moduleProxy(t), "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=",
		"GOFLAGS=-modcacherw", "GOWORK=off", "GOMODCACHE="+filepath.Join(dir, "cache"),
		"CLAUDE_CLI="+filepath.Join(dir, "no-such-cli"))
	home := filepath.Join(dir, "hello")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir, cmd.Env = home, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for line := range strings.Lines(commands) {
		if out, err := command(strings.Fields(line)...); err != nil {
			t.Fatalf("%s%v\n%s", line, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := command("go", "run", "."); err == nil || !strings.Contains(out, noCLI) {
		t.Errorf("go run: %v\n%s", err, out)
	}
}

// oldestGo returns the go command of the version that go.mod states.
func oldestGo(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	version := f.Go.Version
	cmd := exec.CommandContext(t.Context(), "go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=go"+version)
	root, err := cmd.Output()
	if err != nil {
		t.Fatalf("Go %s: %v", version, err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "bin", "go")
}

// importer imports every package that is for other modules.
const importer = `package main

import (
	_ "github.com/ccwire/ccwire/codec"
	_ "github.com/ccwire/ccwire/conformance"
	_ "github.com/ccwire/ccwire/conformance/driver"
	_ "github.com/ccwire/ccwire/conformance/fakeapi"
	_ "github.com/ccwire/ccwire/conformance/sim"
	_ "github.com/ccwire/ccwire/fuzz"
	_ "github.com/ccwire/ccwire/gen/wire"
	_ "github.com/ccwire/ccwire/schema"
	_ "github.com/ccwire/ccwire/transport"
	_ "github.com/ccwire/ccwire/transport/batch"
	_ "github.com/ccwire/ccwire/transport/cli"
	_ "github.com/ccwire/ccwire/transport/mcpserver"
	_ "github.com/ccwire/ccwire/transport/sessions"
)

func main() {}
`

func TestTheOldestGoTakesTheModuleFromAProxyAndInstallsProtogen(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds everything with another Go; make test-all runs it")
	}
	dir := t.TempDir()
	tool := oldestGo(t)
	command := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY="+moduleProxy(t), "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=",
			"GOFLAGS=-modcacherw", "GOWORK=off", "GOTOOLCHAIN=local", "GOBIN="+dir, "GOMODCACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	command(tool, "mod", "init", "example.com/user")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(importer), 0o644); err != nil {
		t.Fatal(err)
	}
	command(tool, "get", "github.com/ccwire/ccwire@latest")
	command(tool, "mod", "tidy")
	command(tool, "build", "./...")
	command(tool, "install", "github.com/ccwire/ccwire/cmd/protogen@"+proxyVersion)
	if out := command(filepath.Join(dir, "protogen"), "version"); !strings.Contains(out, proxyVersion) {
		t.Errorf("protogen says %s", out)
	}
}

func TestTheImporterImportsWhatIsForOthers(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		inside, ok := strings.CutPrefix(name, module)
		private := strings.Contains(inside, "internal/") || strings.HasPrefix(inside, "examples") || strings.HasPrefix(inside, "cmd/")
		if ok && !private && !strings.Contains(importer, `"`+name+`"`) {
			t.Errorf("%s is not imported", name)
		}
	}
}

// proxyVersion is the version of this module in moduleProxy.
const proxyVersion = "v0.1.0"

// moduleProxy returns a list of proxies: one with this module, and what the cache of this user has
// of the others.
func moduleProxy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list": proxyVersion + "\n", proxyVersion + ".info": `{"Version":"` + proxyVersion + `"}`, proxyVersion + ".mod": string(mod),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Create(filepath.Join(folder, proxyVersion+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m := modmodule.Version{Path: strings.TrimSuffix(module, "/"), Version: proxyVersion}
	if err := zip.CreateFromDir(file, m, "."); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	return fileURL(dir) + "," + fileURL(cache)
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return "file://" + path
}

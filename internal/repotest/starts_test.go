package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// door is the only package of the simulated CLI that starts processes.
const door = "internal/sim/fence"

// starters are the packages and names with which a process can be started.
var starters = map[string][]string{
	"os":                       {"StartProcess"},
	"syscall":                  {"Exec", "ForkExec", "StartProcess", "RawSyscall", "RawSyscall6", "Syscall", "Syscall6", "AllThreadsSyscall", "AllThreadsSyscall6"},
	"golang.org/x/sys/unix":    {"Exec", "RawSyscall", "RawSyscall6", "Syscall", "Syscall6"},
	"golang.org/x/sys/windows": {"CreateProcess", "ShellExecute"},
	"github.com/modelcontextprotocol/go-sdk/mcp": {"CommandTransport"},
	"github.com/ccwire/ccwire/transport/cli":     {"Start"},
}

// forbidden are packages that are for little else.
var forbidden = []string{"os/exec", "plugin", "C"}

// simulated returns the packages that the simulated CLI is made of, from those that are below
// internal/sim, and conformance/sim.
func simulated(t *testing.T) (names []string) {
	t.Helper()
	imports := map[string][]string{}
	for _, p := range packages(t) {
		imports[p.name()] = p.Imports
		if strings.HasPrefix(p.name()+"/", "internal/sim/") || p.name() == "conformance/sim" {
			names = append(names, p.name())
		}
	}
	for i := 0; i < len(names); i++ {
		for _, path := range imports[names[i]] {
			// What an SDK is made of starts the CLI, simulated or not.
			name := inModule(path)
			if _, ours := imports[name]; ours && !slices.Contains(names, name) && name != "transport" && !strings.HasPrefix(name, "transport/") {
				names = append(names, name)
			}
		}
	}
	return names
}

func TestTheSimulatedCLIStartsProcessesThroughOneDoor(t *testing.T) {
	names := simulated(t)
	if !slices.Contains(names, door) || !slices.Contains(names, "internal/fakeapi") {
		t.Fatalf("only %v", names)
	}
	for _, name := range names {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(name), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(name, files, err)
		}
		for _, file := range files {
			if name == door || strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range starts(t, file, source) {
				t.Errorf("%s has %s: only %s starts processes", file, what, door)
			}
		}
	}
}

func TestAWayToStartAProcessIsSeen(t *testing.T) {
	for _, source := range []string{
		`import "os/exec"; var _ = exec.Command("x")`,
		`import run "os/exec"`,
		`import "os"; var _, _ = os.StartProcess("x", nil, nil)`,
		`import o "os"; var f = o.StartProcess`,
		`import "syscall"; var _ = syscall.Exec("x", nil, nil)`,
		`import . "syscall"; var _ = Exec("x", nil, nil)`,
		`import "golang.org/x/sys/unix"; var _ = unix.Exec`,
		`import "github.com/modelcontextprotocol/go-sdk/mcp"; var _ mcp.Transport = &mcp.CommandTransport{}`,
	} {
		if len(starts(t, "x.go", []byte("package x; "+source))) == 0 {
			t.Errorf("not seen: %s", source)
		}
	}
	if got := starts(t, "x.go", []byte(`package x; import "os"; var _ = os.Getpid()`)); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// starts returns what a file of Go has with which a process can be started.
func starts(t *testing.T, name string, source []byte) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	local := map[string][]string{} // by the name that the file has for a package
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		as := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			as = spec.Name.Name
		}
		if slices.Contains(forbidden, path) || as == "." && starters[path] != nil {
			found = append(found, path)
		}
		local[as] = starters[path]
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(local[x.Name], s.Sel.Name) {
				found = append(found, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found
}

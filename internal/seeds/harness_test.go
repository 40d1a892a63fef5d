package seeds

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestHarnessForCKeepsItsWord compiles the harness for AFL++ and gives it each stream.
func TestHarnessForCKeepsItsWord(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	program := filepath.Join(t.TempDir(), "harness")
	if out, err := exec.Command(cc, "-Wall", "-Wextra", "-Werror", "-DAFL", "-o", program, "harness/harness.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, in := range Streams() {
		cmd := exec.Command(program)
		cmd.Stdin = bytes.NewReader(in.Data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", in.Name, err, out)
		}
	}
}

// TestHarnessesForScriptsKeepTheirWord gives each harness the streams, without its fuzzer.
func TestHarnessesForScriptsKeepTheirWord(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds; make test-all runs it")
	}
	dir := t.TempDir()
	if _, err := Write(dir, Plain); err != nil {
		t.Fatal(err)
	}
	// A module in the place of Atheris calls the harness with each file.
	const atheris = `import os, sys
def instrument_func(f): return f
def Setup(argv, f): sys.modules[__name__].f = f
def Fuzz():
    for name in sorted(os.listdir("../framing")):
        f(open("../framing/" + name, "rb").read())
`
	const jazzer = `const fs = require("fs"), { fuzz } = require("./jazzer_harness.js");
for (const name of fs.readdirSync("../framing")) fuzz(fs.readFileSync("../framing/" + name));`
	harness := filepath.Join(dir, "harness")
	if err := os.WriteFile(filepath.Join(harness, "atheris.py"), []byte(atheris), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{"node", "-e", jazzer}, {"python3", "atheris_harness.py"}} {
		t.Run(argv[0], func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skip("there is no " + argv[0])
			}
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir = harness
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", argv, err, out)
			}
		})
	}
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ccwire/ccwire/internal/npm"
)

// elsewhere are the commands of the README that need more than this test has, and what runs them.
var elsewhere = map[string]string{
	"go run ./cmd/protogen conform":                                                 ".ci/run",
	`go run ./examples/try ask "What is the capital of France?"`:                    "TestTryRunsEachExampleWithoutACLI",
	"go mod init hello":                                                             "TestANewcomerCanPasteTheProgramOfTheReadme",
	"go get github.com/ccwire/ccwire":                                               "TestANewcomerCanPasteTheProgramOfTheReadme",
	"make packages PLATFORMS=linux/amd64":                                           "make test-packages",
	"npm install --save-dev ./dist/ccwire-linux-x64-*.tgz ./dist/ccwire-[0-9]*.tgz": "make test-packages",
	"pip install dist/ccwire-*.whl":                                                 "make test-packages",
	"tar xzf dist/ccwire-*.crate && cargo add --path ./ccwire-*":                    "make test-packages",
	"make test":                 ".ci/run",
	"go install ./cmd/protogen": ".ci/run",
	"protogen conform cli --npm " + npm.Pinned():                "make live",
	"protogen conform sdk --spawn 'python3 hello.py'":           "conform-sdk.txtar",
	`protogen api --script script.json -- claude -p "greet me"`: "api.txtar, with another program than claude",
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestReadmeCommandsWork runs every command of the README that needs nothing but this repository:
// each is in a script that checks its result.
func TestReadmeCommandsWork(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("testdata/readme/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	script := strings.ReplaceAll(string(file), "$NEWEST", npm.Pinned())
	commands := 0
	for _, block := range shellBlock.FindAllSubmatch(readme, -1) {
		for command := range strings.Lines(string(block[1])) {
			command = strings.TrimSpace(command)
			commands++
			if elsewhere[command] == "" && !strings.Contains(script, "exec "+command+"\n") {
				t.Errorf("no script runs %q", command)
			}
		}
	}
	if commands < 6 {
		t.Errorf("only %d commands found in the README", commands)
	}
	if testing.Short() {
		t.Skip("the rest runs the commands; make test-all runs it")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/readme",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NEWEST", npm.Pinned())
			cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			return err
		},
	})
}

// parser is a correct parser, written with the standard library, as a user of the framing fuzzer
// has one. It drops lines over a limit.
func parser() {
	const limit = 16 << 20
	in := bufio.NewReader(os.Stdin)
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		text := bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\xef\xbb\xbf"))
		var out bytes.Buffer
		if !long && len(text) > 0 && text[0] == '{' && json.Compact(&out, text) == nil {
			fmt.Println(out.String())
		}
		if err == io.EOF {
			return
		} else if err != nil {
			os.Exit(1)
		}
		line, long = line[:0], false
	}
}

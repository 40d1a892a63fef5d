//go:build packages

package npm_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

var pageFile = regexp.MustCompile("(?m)^<!-- file: (.*) -->\n```.*\n((?s:.*?))^```$")

// page writes the files that docs/typescript.md shows into the project.
func page(t *testing.T) (dir string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/typescript.md")
	if err != nil {
		t.Fatal(err)
	}
	dir = project(t)
	files := pageFile.FindAllSubmatch(text, -1)
	if code := bytes.Count(text, []byte("\n```ts")) + bytes.Count(text, []byte("\n```js")); len(files) != code {
		t.Errorf("%d of %d pieces of code are files", len(files), code)
	}
	for _, f := range files {
		write(t, dir, string(f[1]), f[2])
	}
	return dir
}

func TestInstalledPackageRunsTheProgramsOfThePage(t *testing.T) {
	dir := page(t)
	compile(t, dir, "ask.ts", "permission.ts")
	write(t, dir, "script.json", []byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}`))
	claude := strings.TrimSpace(string(run(t, dir, "npx", "ccwire", "sim", "install", "bin", "--script", "script.json")))
	if got := string(run(t, dir, "node", "ask.js", claude, "greet me")); got != "Hello.\n" {
		t.Errorf("it prints %q", got)
	}
	write(t, dir, "reply.mjs", []byte(`import { readFromCLI } from "ccwire";
import { reply } from "./permission.js";
const { value } = readFromCLI('{"type":"control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}');
console.log(JSON.stringify(reply(value)));
`))
	want := `{"type":"control_response","response":{"subtype":"success","request_id":"7","response":{"behavior":"deny","message":"no shell"}}}` + "\n"
	if got := string(run(t, dir, "node", "reply.mjs")); got != want {
		t.Errorf("it answers %s", got)
	}
}

func TestInstalledPackageRunsTheTestsOfThePage(t *testing.T) {
	run(t, page(t), "node", "--test", "greet.test.mjs", "parser.test.mjs")
}

func TestInstalledCommandJudgesTheSDKOfThePage(t *testing.T) {
	cmd := packagestest.Command(t, page(t), "npx", "ccwire", "conform", "sdk", "--spawn", "node hello.mjs")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	if failed := bytes.Count(out, []byte("\nFAIL ")); failed != 1 || !bytes.Contains(out, []byte("\nFAIL survive/scalars ")) {
		t.Errorf("%d scenarios fail:\n%s", failed, out)
	}
}

package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newestCLI is a repository where CLI 1.0.0 is verified and npm has the given version. Of any other
// a scenario does not hold, and something changed.
type newestCLI struct {
	t        *testing.T
	dir, npm string
}

func (n *newestCLI) sh(script string) string {
	n.t.Helper()
	cmd := exec.CommandContext(n.t.Context(), "bash", "-euc", script)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(n.dir, "stubs")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"PROTOGEN=protogen", "NPM_VERSION="+n.npm, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		n.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func newNewestCLI(t *testing.T, npm string) *newestCLI {
	script, err := os.ReadFile(".github/newest")
	if err != nil {
		t.Fatal(err)
	}
	n := &newestCLI{t, t.TempDir(), npm}
	for name, text := range map[string]string{
		".github/newest":           string(script),
		".gitignore":               "/dist/\n/stubs/\n/origin/\n/called\n",
		"internal/npm/cli-version": "1.0.0\n",
		"stubs/npm":                "#!/bin/sh\necho $NPM_VERSION\n",
		"stubs/gh":                 "#!/bin/sh\necho \"$@\" >> called\n",
		"stubs/make":               "#!/bin/sh\necho \"$@\" > docs/made.md; echo a new tag > schema.json; echo it says why; exit ${MAKE_FAILS:-0}\n",
		"docs/old.md":              "old\n",
		"schema.json":              "{}\n",
		"stubs/protogen": `#!/bin/sh
case $1 in
record) mkdir -p $5/$3 $5/packed/$3; echo '{}' > $5/$3/a.ndjson; echo a pack > $5/packed/$3/a.txtar.gz; echo "does not hold: turn/text: it hangs" >&2;;
drift) echo "a new member, $*";;
esac
exit 1
`,
	} {
		path := filepath.Join(n.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	n.sh(`git init -q -b main && git init -q --bare origin && git remote add origin ./origin && git add . &&
		git -c user.name=a -c user.email=a@example.com commit -qm start && git push -q origin main`)
	return n
}

func TestANewCLIBecomesOnePullRequest(t *testing.T) {
	n := newNewestCLI(t, "1.0.1")
	for range 2 { // as on two days
		n.sh(".github/newest record && .github/newest propose && git checkout -q main")
	}
	if got := n.sh("cat called"); got != "pr create --head cli-1.0.1 --title CLI 1.0.1 --body-file dist/newest.body.md\n" {
		t.Errorf("gh was called with %s", got)
	}
	body := n.sh("cat dist/newest.body.md")
	for _, want := range []string{"turn/text: it hangs", "a new member, drift --from 1.0.0 --to conformance/recordings/1.0.1 --format markdown"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in the body:\n%s", want, body)
		}
	}
	if strings.Contains(body, "does not pass") {
		t.Errorf("what is made from the recordings could be made:\n%s", body)
	}
	const want = "conformance/recordings/1.0.1/a.ndjson\nconformance/recordings/packed/1.0.1/a.txtar.gz\ndocs/made.md\nschema.json\n"
	if got := n.sh("git diff --name-only origin/main origin/cli-1.0.1"); got != want {
		t.Errorf("the pull request changes %s", got)
	}
	if got := n.sh("git show origin/cli-1.0.1:docs/made.md"); got != "generate compatibility reference\n" {
		t.Errorf("make was called with %s", got)
	}
}

func TestAPullRequestSaysWhatCouldNotBeMadeOfTheRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole job; make test-all runs it")
	}
	n := newNewestCLI(t, "1.0.1")
	n.sh("export MAKE_FAILS=2; .github/newest record && .github/newest propose")
	if body := n.sh("cat dist/newest.body.md"); !strings.Contains(body, "does not pass:\n\n```\nit says why\n```\n") {
		t.Errorf("the body says nothing of it:\n%s", body)
	}
}

func TestAVerifiedCLIIsNotProposed(t *testing.T) {
	n := newNewestCLI(t, "1.0.0")
	n.sh(".github/newest record && .github/newest propose && test ! -e called && test -z \"$(git branch --list 'cli-*')\"")
}

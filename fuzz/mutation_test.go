package fuzz_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutations break one promise each, and name the tests that must notice.
var mutations = []struct {
	name     string
	file     string // below the module
	old, new string // old is in the file once
	pkg, run string
}{
	{"framer loses the last line", "codec/reader.go",
		"	if r.start == r.end {\n		return Line{}, r.err", "	if r.start <= r.end {\n		return Line{}, r.err",
		"./codec", "Reader"},
	{"framer keeps the carriage return", "codec/reader.go",
		"l.Notes |= CarriageReturn\n		line = line[:n-1]", "l.Notes |= CarriageReturn",
		"./codec", "Reader"},
	{"unknown members are dropped", "gen/wire/internal/run/decoder.go",
		"addMember(to, name, v)", "_ = name",
		"./fuzz", "^FuzzDecode$"},
	{"a line is taken for the one before", "gen/wire/mold.go",
		"string(line[to:at]) != string(m.middle) || ", "",
		"./gen/wire", "^TestAStreamOfManyKindsIsReadAsEachLineIs$"},
	{"a permission without an answer is allowed", "transport/policy.go",
		"if f.policies.Permissions == FailOpen {", "if true {",
		"./transport", "^(TestASessionDoesWhatTheModelSays|FuzzSession)$"},
	{"a nil allow is an allow", "transport/permission.go",
		"	case *wire.PermissionAllow:\n		if result == nil {\n			return nil, errNilResult", "	case *wire.PermissionAllow:\n		if result == nil {\n			return r.Allow(), nil",
		"./transport", "^(TestASessionDoesWhatTheModelSays|FuzzSession)$"},
	{"a cancelled request is answered", "transport/withdraw.go",
		"		in.withdrawLocked(s)\n		if s.out", "		s.end(context.Canceled)\n		if s.out",
		"./transport", "^(TestConnDoesWhatItsModelDoes|FuzzConn)$"},
	{"a request is answered twice", "transport/answer.go",
		"	err := in.out.pushForHelp(&s.out)\n", "	in.out.pushForHelp(&outgoing{line: append([]byte{}, line.bytes...)})\n	err := in.out.pushForHelp(&s.out)\n",
		"./transport", "^(TestConnDoesWhatItsModelDoes|FuzzConn)$"},
	{"a call that ended stays pending", "transport/call.go",
		"	c := p.calls[id]\n	delete(p.calls, id)\n", "	c := p.calls[id]\n",
		"./transport", "^(TestConnDoesWhatItsModelDoes|FuzzConn)$"},
	{"calls do not fail at the peer's end", "transport/close.go",
		"		c.pending.failAll(forCalls)\n", "",
		"./transport", "^(TestConnDoesWhatItsModelDoes|FuzzConn)$"},
}

func TestBrokenPromisesAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and tests the module several times; make test-all runs it")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			overlay := mutate(t, filepath.Join(root, m.file), m.old, m.new)
			cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=2m", "-overlay", overlay, "-run", m.run, m.pkg, "-rapid.nofailfile")
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "GOFLAGS=")
			out, err := cmd.CombinedOutput()
			switch text := string(out); {
			case err == nil:
				t.Errorf("no test noticed:\n%s", text)
			case strings.Contains(text, "[build failed]"), !strings.Contains(text, "FAIL") && !strings.Contains(text, "panic"):
				t.Errorf("the tests did not run:\n%s", text)
			}
		})
	}
}

// mutate writes an overlay for the go command in which a file has another text.
func mutate(t *testing.T, file, old, new string) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), old); n != 1 {
		t.Fatalf("%s has the text %d times, want once: change the mutation\n%s", file, n, old)
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, filepath.Base(file))
	overlay := filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: broken}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{broken: []byte(strings.Replace(string(source), old, new, 1)), overlay: list} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}

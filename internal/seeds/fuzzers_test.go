//go:build languages

package seeds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A fuzzer runs a harness as the page in the folder of the harnesses says.
type fuzzer struct {
	name, file string
	right, bug string // a piece of the parser, and one that takes the end of a piece for that of a line
	finds      string // the files of inputs that crash
	install    func(t *testing.T, dir string) (env map[string]string)
}

const libFuzzerFinds = "crash-*"

var fuzzers = []fuzzer{
	{"libFuzzer", "harness.c", bugInC[0], bugInC[1], libFuzzerFinds, nil},
	{"AFL++", "harness.c", bugInC[0], bugInC[1], "out/default/crashes/id*", aflSettings},
	{"Atheris", "atheris_harness.py", `*lines, rest = (rest + piece).split(b"\n")`, `lines, rest = piece.split(b"\n"), b""`, libFuzzerFinds, installAtheris},
	{"Jazzer.js", "jazzer_harness.js", "(rest + decoder.decode(piece", "(decoder.decode(piece", libFuzzerFinds, installJazzer},
	{"cargo-fuzz", "cargo_fuzz.rs", "for &byte in pieces.flatten()", `for byte in pieces.flat_map(|piece| [piece, b"\n"].concat())`, libFuzzerFinds, nil},
}

var bugInC = [2]string{"p->line[p->length++] = (char)data[i];", "p->line[p->length++] = (char)data[i]; if (i + 1 == size) end_line(p);"}

func TestEachFuzzerFindsAPlantedBugAndNothingElse(t *testing.T) {
	for _, f := range fuzzers {
		t.Run(f.name, func(t *testing.T) {
			if out, err, found := f.run(t, f.right); err != nil || len(found) > 0 {
				t.Errorf("the plain parser: %v, found %d\n%s", err, len(found), out)
			}
			if out, err, found := f.run(t, f.bug); len(found) == 0 {
				t.Errorf("the planted bug is not found: %v\n%s", err, out)
			}
		})
	}
}

// run runs the fuzzer for some seconds with a harness in which a piece is in the place of another,
// and returns what it wrote last and the inputs that it found.
func (f *fuzzer) run(t *testing.T, piece string) (out string, err error, found []string) {
	t.Helper()
	dir := t.TempDir()
	if _, err := Write(dir, Plain); err != nil {
		t.Fatal(err)
	}
	harness := filepath.Join(dir, "harness")
	file := filepath.Join(harness, f.file)
	text := readFile(t, file)
	if strings.Count(text, f.right) != 1 {
		t.Fatalf("%s does not have %q once", f.file, f.right)
	}
	writeFile(t, file, strings.Replace(text, f.right, piece, 1))
	env := map[string]string{}
	if f.install != nil {
		maps.Copy(env, f.install(t, harness))
	}
	command := f.command(t, harness)
	if f.name == "cargo-fuzz" {
		command = buildRust(t, file) + " -dict=../ccwire.dict ../framing"
	}
	const seconds = "3"
	if f.name == "AFL++" {
		command = strings.Replace(command, "afl-fuzz ", "afl-fuzz -V "+seconds+" ", 1)
	} else {
		command += " -max_total_time=" + seconds
	}
	out, err = shell(t, harness, env, command)
	found, globErr := filepath.Glob(filepath.Join(harness, f.finds))
	if globErr != nil {
		t.Fatal(globErr)
	}
	return out, err, found
}

var installs = regexp.MustCompile(`^(pip|npm) install \S+ && `)

// command returns what the page says, without what the test has installed.
func (f *fuzzer) command(t *testing.T, harness string) string {
	t.Helper()
	for line := range strings.Lines(readFile(t, filepath.Join(harness, "README.md"))) {
		if cells := strings.Split(line, "|"); len(cells) > 3 && strings.TrimSpace(cells[2]) == f.name {
			return installs.ReplaceAllString(strings.Trim(cells[3], " `"), "")
		}
	}
	t.Fatalf("the page does not say how %s is run", f.name)
	return ""
}

// aflSettings let AFL++ run where the settings of the machine are not what it would like.
func aflSettings(*testing.T, string) map[string]string {
	return map[string]string{"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1"}
}

func installAtheris(t *testing.T, _ string) map[string]string {
	t.Helper()
	dir := installed(t, "python", "python3 -m venv . && bin/pip install --quiet --no-deps --requirement requirements.txt")
	return map[string]string{"PATH": filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")}
}

// installJazzer needs a C library that the addon of Jazzer.js takes; the package has no source of it.
func installJazzer(t *testing.T, harness string) map[string]string {
	t.Helper()
	modules := filepath.Join(installed(t, "node", "npm ci --no-fund --no-audit --ignore-scripts"), "node_modules")
	if err := os.Symlink(modules, filepath.Join(harness, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if out, err := shell(t, harness, nil, `node -e 'require("@jazzer.js/fuzzer")'`); err != nil {
		if missing := regexp.MustCompile("version `GLIBC\\S+ not found").FindString(out); missing != "" {
			t.Skipf("the C library is too old for Jazzer.js: %s", missing)
		}
		t.Fatal(out)
	}
	return nil
}

// buildRust compiles the harness with the flags of cargo-fuzz, but for the sanitizers, which need a
// nightly compiler, and returns the program.
func buildRust(t *testing.T, file string) string {
	t.Helper()
	dir := installed(t, "rust", "mkdir -p src")
	writeFile(t, filepath.Join(dir, "src/main.rs"), readFile(t, file))
	out, err := shell(t, dir, nil, "rustc -vV | sed -n 's/^host: //p'")
	if err != nil {
		t.Fatal(out)
	}
	host := strings.TrimSpace(out)
	flags := "--cfg fuzzing -Ccodegen-units=1 -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 " +
		"-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
	env := map[string]string{"RUSTFLAGS": flags, "CARGO_TARGET_DIR": filepath.Join(dir, "target")}
	if out, err := shell(t, dir, env, "cargo build --locked --target "+host); err != nil {
		t.Fatal(out)
	}
	return filepath.Join(dir, "target", host, "debug/framing")
}

// installed returns a folder of the cache, one for each state of the files in testdata, in which
// the command was run once.
func installed(t *testing.T, language, command string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/fuzzers", language, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	sum := sha256.New()
	for _, name := range files {
		sum.Write([]byte(readFile(t, name)))
	}
	dir := filepath.Join(cache(t), "fuzzers", language+"-"+hex.EncodeToString(sum.Sum(nil)[:6]))
	done := filepath.Join(dir, ".installed")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		writeFile(t, filepath.Join(dir, filepath.Base(name)), readFile(t, name))
	}
	if out, err := shell(t, dir, nil, command); err != nil {
		t.Fatal(out)
	}
	writeFile(t, done, "")
	return dir
}

// cache returns the folder that tools are installed in.
func cache(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("LANGUAGES_CACHE"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "ccwire", "languages")
}

// shell runs a command for sh and returns the end of its output.
func shell(t *testing.T, dir string, env map[string]string, command string) (string, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, os.Environ()
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	const most = 4000
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return string(bytes.ToValidUTF8(out, []byte("?"))), err
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

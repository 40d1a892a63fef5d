package sim_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/conformance/sim"
)

const hello = `{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}
{"type":"user","message":{"role":"user","content":"hello"}}
`

// A program is a simulated CLI that runs as a process of its own.
type program struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

// greet starts the CLI at a path and says hello to it.
func greet(t *testing.T, path string) *program {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(path, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-prompt-tool", "stdio")
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() }) // if it has not ended
	if _, err := io.WriteString(stdin, hello); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	return &program{cmd, stdin, lines}
}

// answered waits for the first answer.
func (p *program) answered(t *testing.T) {
	t.Helper()
	for p.lines.Scan() {
		if strings.Contains(p.lines.Text(), `"type":"assistant"`) {
			return
		}
	}
	t.Fatalf("no answer: %v", p.lines.Err())
}

func (p *program) end(t *testing.T) {
	t.Helper()
	p.stdin.Close()
	for p.lines.Scan() {
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func installed(t *testing.T) string {
	t.Helper()
	cli, err := sim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := cli.Install(filepath.Join(t.TempDir(), "bin"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAProgramAnswersWithinFiftyMilliseconds(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time; make test-all does")
	}
	const limit = 50 * time.Millisecond
	path := installed(t)
	took := time.Hour
	for range 10 { // beside other tests, one of several tries must be fast
		begin := time.Now()
		p := greet(t, path)
		p.answered(t)
		took = min(took, time.Since(begin))
		p.end(t)
		if took < limit {
			break
		}
	}
	t.Logf("the first answer came after %v", took)
	if took > limit {
		t.Errorf("the first answer came after %v, want %v", took, limit)
	}
}

func TestTwoHundredProgramsTakeLessThanAGigabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 200 processes; make test-all plays it")
	}
	const limit = 1 << 30
	path := installed(t)
	var list []*program
	for range 200 {
		list = append(list, greet(t, path))
	}
	used := int64(0)
	for _, p := range list {
		p.answered(t)
	}
	for _, p := range list {
		used += resident(t, p.cmd.Process.Pid)
	}
	for _, p := range list {
		p.end(t)
	}
	t.Logf("%d MB", used>>20)
	if used > limit {
		t.Errorf("%d bytes, want less than %d", used, int64(limit))
	}
}

// resident returns the memory of a process, with its share of what it has in common with others.
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes int64
	_, after, _ := strings.Cut(string(text), "\nPss:")
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

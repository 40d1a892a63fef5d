package tap_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// command returns the test program as a CLI, or as a tap before it.
func command(t *testing.T, tapped bool, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if !tapped {
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), role+"=cli")
		return cmd
	}
	cmd := exec.Command(self, append([]string{self}, args...)...)
	cmd.Env = append(append(os.Environ(), role+"=tap"), env...)
	return cmd
}

func TestAKilledTapTakesTheCLIWithIt(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	alive, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	cmd := exec.Command(self, "/bin/sh", "-c", "trap '' TERM HUP; echo; exec sleep 600 <&- >&- 2>&-")
	cmd.Env = append(os.Environ(), role+"=tap")
	cmd.ExtraFiles = []*os.File{theirs} // open for as long as one of the two lives
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if err := alive.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := alive.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the CLI is alive without its tap: %v", err)
	}
}

// A passage is what was seen of a flood behind a tap.
type passage struct {
	bytes  int64
	took   time.Duration
	cpu    time.Duration // of the tap
	memory int           // of the tap, at most, in megabytes
}

// rush has a CLI write megabytes through a tap, so many a second or as fast as can be, and checks
// that all of them arrive as they were written.
func rush(t *testing.T, megabytes, rate int, env ...string) (p passage) {
	t.Helper()
	usage := filepath.Join(t.TempDir(), "usage")
	cmd := command(t, true, append(env, usageTo+"="+usage), "flood", fmt.Sprint(megabytes), fmt.Sprint(rate))
	var wrote strings.Builder
	cmd.Stderr = &wrote
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sum := newSum()
	if p.bytes, err = io.CopyBuffer(sum, out, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	p.took = time.Since(begin)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := int64(floodLines * len(floodLine) * megabytes); p.bytes != want {
		t.Errorf("%d bytes have passed, want %d", p.bytes, want)
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != strings.TrimSpace(wrote.String()) {
		t.Errorf("what has passed has the checksum %s, and what the CLI wrote %s", got, wrote.String())
	}
	used, err := os.ReadFile(usage)
	if err != nil {
		t.Fatal(err)
	}
	var cpu int
	if _, err := fmt.Sscan(string(used), &cpu, &p.memory); err != nil {
		t.Fatal(err)
	}
	p.cpu = time.Duration(cpu) * time.Millisecond
	return p
}

// perMegabyte returns the processor time of the tap for a megabyte.
func (p *passage) perMegabyte() time.Duration { return p.cpu / time.Duration(p.bytes/1e6) }

func (p *passage) String() string {
	return fmt.Sprintf("%d MB in %v, %.0f MB/s; the tap took %v of the processor for a megabyte, and %d MB of memory",
		p.bytes/1e6, p.took.Round(time.Millisecond), float64(p.bytes)/1e6/p.took.Seconds(), p.perMegabyte(), p.memory)
}

// A kept is what a recording has of a flood.
type kept struct {
	bytes, lost int64 // of the stream, in lines, and in entries about gaps
	others      int64 // bytes of other streams in entries about gaps
	heads       int   // lines of which only the start is there
	summary     struct{ Lines, Findings, Unjudged, Lost int64 }
}

// keptIn reads the recording of a flood and checks that whole lines are as they were written.
func keptIn(t *testing.T, name string) (k kept) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	whole := []byte(`{"dir":"cli->sdk","t_ms":`)
	text, _ := json.Marshal(strings.TrimSuffix(floodLine, "\n")) // a string
	at := bytes.Index(text, []byte("000000000000"))
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return k
		}
		if err != nil {
			t.Fatal(err)
		}
		var e struct {
			recording.Entry
			Lines, Findings, Unjudged int64
		}
		if bytes.HasPrefix(line, whole) {
			shown := line[bytes.Index(line, []byte(`"line":`))+len(`"line":`):]
			if len(shown) == len(text)+len("}\n") && bytes.Equal(shown[:at], text[:at]) && bytes.Equal(shown[at+12:len(text)], text[at+12:]) {
				k.bytes += int64(len(floodLine))
				continue
			}
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch {
		case e.Dir == recording.ToSDK && e.Truncated > 0:
			k.heads++
			k.bytes += int64(len(e.Line))
		case e.Dir == recording.ToSDK:
			t.Errorf("a line is not as it was written: %s", line)
		case e.Dir == recording.Lost && e.Of == recording.ToSDK:
			k.lost += e.Lost
		case e.Dir == recording.Lost:
			k.others += e.Lost
		case e.Dir == recording.Summary:
			k.summary.Lines, k.summary.Findings, k.summary.Unjudged, k.summary.Lost = e.Lines, e.Findings, e.Unjudged, e.Lost
		}
	}
}

func TestAStreamOfAHundredMegabytesASecondIsRecordedWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	const megabytes = 200
	name := filepath.Join(t.TempDir(), "out")
	p := rush(t, megabytes, 100, recordTo+"="+name)
	k := keptIn(t, name)
	t.Logf("%v; %+v", &p, k)
	if k.bytes != p.bytes || k.lost != 0 || k.summary.Lines != megabytes*int64(floodLines) {
		t.Errorf("%d of %d bytes are recorded: %+v", k.bytes, p.bytes, k)
	}
	if p.memory > 200 {
		t.Errorf("the tap took %d MB", p.memory)
	}
}

func TestAGigabyteAsFastAsCanBePassesUnchangedAndTheRecordingSaysWhatItLacks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	name := filepath.Join(t.TempDir(), "out")
	p := rush(t, 1010, 0, recordTo+"="+name)
	k := keptIn(t, name)
	t.Logf("%v; %+v", &p, k)
	if k.bytes+k.lost != p.bytes || k.summary.Lost != k.lost+k.others {
		t.Errorf("%d bytes are recorded and %d said to be lost, of %d", k.bytes, k.lost, p.bytes)
	}
	if k.summary.Findings != 0 {
		t.Errorf("there are %d findings", k.summary.Findings)
	}
	if p.memory > 200 {
		t.Errorf("the tap took %d MB", p.memory)
	}
}

// The rate depends on what else the machine does; the processor time that a megabyte takes does
// not. Ten milliseconds are one processor at 100 MB/s. The judge has what is left of the other.
func TestAHundredMegabytesTakeLessThanOneProcessorForASecond(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	p := rush(t, 300, 0, recordTo+"="+filepath.Join(t.TempDir(), "out"), noJudge+"=1")
	t.Log(&p)
	if p.perMegabyte() > 10*time.Millisecond {
		t.Errorf("a megabyte takes %v of the processor", p.perMegabyte())
	}
}

func TestASessionGoesOnBesideARecorderThatHangs(t *testing.T) {
	if testing.Short() {
		t.Skip("its memory is judged, which the race detector adds to: make test-all")
	}
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(name, os.O_RDWR, 0) // opens it, and never reads
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if p := rush(t, 400, 0, recordTo+"="+name, queueOf+"=8000000", drainOf+"=2s"); p.memory > 100 {
		t.Errorf("the tap took %d MB", p.memory)
	}
}

func TestASessionGoesOnWhenTheDiskIsFull(t *testing.T) {
	cmd := command(t, true, []string{recordTo + "=/dev/full"}, "flood", "2", "0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * floodLines * len(floodLine); len(out) != want {
		t.Errorf("%d bytes have passed, want %d", len(out), want)
	}
}

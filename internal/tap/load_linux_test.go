package tap_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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

// resident returns how many megabytes of memory a tap took at most.
func resident(t *testing.T, file string) int {
	t.Helper()
	status, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes int
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes >> 10
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

// roundTrips returns how long lines take to the CLI and back.
func roundTrips(t *testing.T, tapped bool, n int) []time.Duration {
	t.Helper()
	cmd := command(t, tapped, []string{recordTo + "=" + filepath.Join(t.TempDir(), "out")}, "echo")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := []byte(floodLine)
	back := make([]byte, len(line))
	took := make([]time.Duration, n)
	for i := range took {
		time.Sleep(500 * time.Microsecond) // as somebody who asks now and then
		begin := time.Now()
		if _, err := in.Write(line); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, back); err != nil {
			t.Fatal(err)
		}
		took[i] = time.Since(begin)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return took
}

// quiet returns a high percentile of the times in the quieter windows of a measurement: what else
// the machine does only ever adds to them.
func quiet(took []time.Duration) time.Duration {
	const window = 200
	var high []time.Duration
	for w := range slices.Chunk(took, window) {
		slices.Sort(w)
		high = append(high, w[window*99/100])
	}
	slices.Sort(high)
	return high[len(high)/4]
}

func TestATapAddsLessThanAMillisecondToARoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	const trips, tries = 4000, 3
	for try := 1; ; try++ {
		direct, tapped := quiet(roundTrips(t, false, trips)), quiet(roundTrips(t, true, trips))
		added := tapped - direct
		t.Logf("p99 %v and %v: %v are added", direct, tapped, added)
		if added < time.Millisecond {
			return
		}
		if try == tries {
			t.Fatalf("%v are added to a round trip (p99)", added)
		}
	}
}

func TestAStreamOfAHundredMegabytesASecondIsRecordedWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	const megabytes = 200
	name, memory := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "memory")
	cmd := command(t, true, []string{recordTo + "=" + name, memoryTo + "=" + memory}, "flood", fmt.Sprint(megabytes), "100")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	passed, err := io.Copy(io.Discard, out)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	lines := int64(1_000_000 / len(floodLine) * megabytes)
	if passed != lines*int64(len(floodLine)) {
		t.Errorf("%d bytes have passed, want %d", passed, lines*int64(len(floodLine)))
	}
	recorded, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(recorded, []byte(`{"dir":"cli->sdk"`)); int64(n) != lines {
		t.Errorf("%d lines are recorded, want %d", n, lines)
	}
	for _, not := range []string{`"dir":"lost"`, `"lost":`} {
		if bytes.Contains(recorded, []byte(not)) {
			t.Errorf("the recording has %s", not)
		}
	}
	end := recorded[bytes.LastIndex(recorded, []byte(`{"dir":"summary"`)):]
	t.Logf("%d MB in %v, %d MB resident; %s", passed/1e6, took, resident(t, memory), end)
	if got := resident(t, memory); got > 300 {
		t.Errorf("the tap took %d MB", got)
	}
}

func TestASessionGoesOnBesideARecorderThatHangs(t *testing.T) {
	if testing.Short() {
		t.Skip("its memory is judged, which the race detector adds to: make test-all")
	}
	const megabytes = 400
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(name, os.O_RDWR, 0) // opens it, and never reads
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	memory := filepath.Join(t.TempDir(), "memory")
	cmd := command(t, true, []string{memoryTo + "=" + memory, recordTo + "=" + name, queueOf + "=8000000"}, "flood", fmt.Sprint(megabytes), "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	passed, err := io.Copy(io.Discard, out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := int64(1_000_000 / len(floodLine) * megabytes * len(floodLine)); passed != want {
		t.Errorf("%d bytes have passed, want %d", passed, want)
	}
	if got := resident(t, memory); got > 100 {
		t.Errorf("the tap took %d MB", got)
	}
}

func TestASessionGoesOnWhenTheDiskIsFull(t *testing.T) {
	cmd := command(t, true, []string{recordTo + "=/dev/full"}, "flood", "2", "0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := 1_000_000 / len(floodLine) * 2 * len(floodLine); len(out) != want {
		t.Errorf("%d bytes have passed, want %d", len(out), want)
	}
}

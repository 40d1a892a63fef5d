//go:build unix

package tap_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/tap"
)

// The test program is also the tap, and the CLI behind it: role says what, recordTo where the tap
// records.
const (
	role     = "CCWIRE_TAP_ROLE"
	recordTo = "CCWIRE_TAP_OUT"
	queueOf  = "CCWIRE_TAP_QUEUE"
	usageTo  = "CCWIRE_TAP_USAGE" // the file that tells what the tap took of the machine
	noJudge  = "CCWIRE_TAP_NO_JUDGE"
	drainOf  = "CCWIRE_TAP_DRAIN" // a minute, if it is not set
)

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "tap":
		runTap()
	case "cli":
		runCLI()
	}
	os.Exit(m.Run())
}

// runTap is a tap before the command in its arguments, which becomes the CLI.
func runTap() {
	os.Setenv(role, "cli")
	r := &tap.Recorder{Out: io.Discard, Checker: linecheck.New(true)}
	if name := os.Getenv(recordTo); name != "" {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		r.Out = file
	}
	if os.Getenv(noJudge) != "" {
		r.Checker = nil
	}
	queue, _ := strconv.Atoi(os.Getenv(queueOf))
	drain, err := time.ParseDuration(os.Getenv(drainOf))
	if err != nil {
		drain = time.Minute
	}
	t := &tap.Tap{
		Command: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Recorder: r,
		Limits: tap.Limits{Queue: queue, Drain: drain},
	}
	exit, err := t.Run()
	if err != nil {
		panic(err)
	}
	if name := os.Getenv(usageTo); name != "" {
		writeUsage(name)
	}
	exit.Leave()
}

// writeUsage writes what this process, without the CLI, has taken: the milliseconds of the
// processor, and the megabytes of memory at most.
func writeUsage(name string) {
	var used syscall.Rusage
	exitOn(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	exitOn(os.WriteFile(name, fmt.Appendln(nil, cpu.Milliseconds(), int64(used.Maxrss)>>10), 0o600))
}

// acts are what the CLI can do, by its first argument.
var acts = map[string]func(){"echo": echo, "flood": flood, "obey": obey}

// runCLI does what its arguments say.
func runCLI() {
	acts[os.Args[1]]()
	os.Exit(0)
}

// echo writes what it reads.
func echo() {
	_, err := io.Copy(os.Stdout, os.Stdin)
	exitOn(err)
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

// floodLine is what a flood is made of; a line has its number in place of the zeros.
const floodLine = `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` +
	`000000000000xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` +
	`"}},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}` + "\n"

// flood writes megabytes, so many a second; 0 for as fast as can be. Then it tells the checksum
// of what it wrote on its standard error.
func flood() {
	megabytes, err := strconv.Atoi(os.Args[2])
	exitOn(err)
	rate, err := strconv.Atoi(os.Args[3])
	exitOn(err)
	lines := bytes.Repeat([]byte(floodLine), floodLines)
	at := strings.Index(floodLine, "000000000000")
	sum := newSum()
	begin := time.Now()
	for n := range megabytes {
		for i := range floodLines {
			digits(lines[i*len(floodLine)+at:][:12], n*floodLines+i)
		}
		sum.Write(lines)
		if rate > 0 {
			time.Sleep(time.Until(begin.Add(time.Duration(n) * time.Second / time.Duration(rate))))
		}
		_, err := os.Stdout.Write(lines)
		exitOn(err)
	}
	fmt.Fprintf(os.Stderr, "%x\n", sum.Sum(nil))
}

// newSum returns a checksum that takes next to nothing of the processor.
func newSum() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// digits writes a number over all of p.
func digits(p []byte, n int) {
	for i := len(p) - 1; i >= 0; i, n = i-1, n/10 {
		p[i] = '0' + byte(n%10)
	}
}

// floodLines is how many lines are about a megabyte.
const floodLines = 1_000_000 / len(floodLine)

// noise returns n bytes that depend on a seed, with line ends among them.
func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	p := make([]byte, n)
	for i := range p {
		if p[i] = byte(r.Uint32()); r.IntN(50) == 0 {
			p[i] = '\n'
		}
	}
	return p
}

func digest(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:8])
}

// obey takes orders from descriptor 3 and reports to descriptor 4, which pass a tap by.
func obey() {
	signal.Ignore(syscall.SIGPIPE)
	orders, reports := bufio.NewScanner(os.NewFile(3, "orders")), os.NewFile(4, "reports")
	caught := make(chan os.Signal, 100)
	streams := map[string]*os.File{"out": os.Stdout, "err": os.Stderr, "in": os.Stdin}
	for orders.Scan() {
		f := strings.Fields(orders.Text())
		n := 0
		if len(f) > 2 {
			n, _ = strconv.Atoi(f[2])
		}
		answer := "done"
		switch f[0] {
		case "write": // STREAM N SEED
			seed, _ := strconv.ParseUint(f[3], 10, 64)
			if _, err := streams[f[1]].Write(noise(n, seed)); err != nil {
				answer = "broken"
			}
		case "read": // in N
			p := make([]byte, n)
			_, err := io.ReadFull(os.Stdin, p)
			exitOn(err)
			answer = digest(p)
		case "end": // in
			n, err := io.Copy(io.Discard, os.Stdin)
			exitOn(err)
			answer = fmt.Sprint("rest ", n)
		case "close": // STREAM
			streams[f[1]].Close()
		case "catch": // SIGNAL
			signal.Notify(caught, unix.SignalNum(f[1]))
		case "await":
			answer = unix.SignalName((<-caught).(syscall.Signal))
		case "exit": // CODE
			code, _ := strconv.Atoi(f[1])
			os.Exit(code)
		case "die": // SIGNAL
			kill(unix.SignalNum(f[1]))
		}
		fmt.Fprintln(reports, answer)
	}
	os.Exit(98)
}

// kill ends this process by a signal, past Go's handlers.
func kill(s syscall.Signal) {
	tap.Exit{Signal: s}.Leave()
}

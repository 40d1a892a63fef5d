package peertest

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A test binary is its own child: with childEnv set it runs the script of that name instead of the
// tests.
const (
	childEnv = "CCWIRE_TEST_CHILD"
	// AddrEnv tells the scripts holder, chatterer and latecomer where the test listens.
	AddrEnv = "CCWIRE_TEST_ADDR"
	// ValueEnv is what the script dir-env prints.
	ValueEnv = "CCWIRE_TEST_VALUE"
)

// Patience is how long a test waits for what must happen soon.
const Patience = 20 * time.Second

// Main is the TestMain of a package whose tests start children. Own are scripts of the package.
func Main(m *testing.M, own ...map[string]func(args []string)) {
	for _, more := range own {
		maps.Copy(scripts, more)
	}
	if name := os.Getenv(childEnv); name != "" {
		script, ok := scripts[name]
		if !ok {
			fmt.Fprintf(os.Stderr, "no child script %q\n", name)
			os.Exit(97)
		}
		script(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// AddScript adds a script, for a test that cannot reach the TestMain of its package. It is called
// by an init function.
func AddScript(name string, script func(args []string)) { scripts[name] = script }

// scripts is what a child can do. A script that returns exits with code 0.
var scripts = map[string]func(args []string){
	"echo": func([]string) { io.Copy(os.Stdout, os.Stdin) },
	"fail": func([]string) {
		fmt.Fprint(os.Stderr, "first\nboom\n")
		os.Exit(3)
	},
	"print": func(args []string) { fmt.Print(args[0]) },
	"lines": func(args []string) { // count
		io.WriteString(os.Stdout, NumberedLines(atoi(args[0])))
	},
	"close-stdout": func([]string) { // then live until the end of stdin
		fmt.Println("last")
		os.Stdout.Close()
		io.Copy(io.Discard, os.Stdin)
	},
	"bye": func([]string) { bye() },
	"mutter": func([]string) { // a line of stderr for each of stdin, whose end is ignored
		io.Copy(os.Stderr, os.Stdin)
		hang()
	},
	"close-stdin": func([]string) {
		os.Stdin.Close()
		fmt.Println("closed")
		hang()
	},
	"flood": func(args []string) { // count
		w := bufio.NewWriter(os.Stderr)
		io.WriteString(w, NumberedLines(atoi(args[0])))
		w.Flush()
	},
	"dir-env": func([]string) {
		dir, _ := os.Getwd()
		fmt.Printf("%s\n%s\n%q\n", dir, os.Getenv(ValueEnv), os.Args[1:])
	},
	"interruptible": func([]string) { // ignores the end of stdin, ends at an interrupt
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		fmt.Println("ready")
		<-c
		fmt.Println("interrupted")
	},
	"signals": func([]string) { // prints each, until the first that is not an interrupt
		c := make(chan os.Signal, 10)
		signal.Notify(c, os.Interrupt, syscall.SIGTERM)
		fmt.Println("ready")
		for s := range c {
			fmt.Println(s)
			if s != os.Interrupt {
				return
			}
		}
	},
	"obedient": func([]string) { // ends with stdin
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin)
	},
	"terminable": func([]string) { // ignores the end of stdin and interrupts, ends at SIGTERM
		signal.Ignore(os.Interrupt)
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		<-c
		fmt.Println("terminated")
	},
	"stubborn": func([]string) { // ignores the end of stdin and the signals that can be ignored
		signal.Ignore(os.Interrupt, syscall.SIGTERM)
		fmt.Println("ready")
		hang()
	},
	"parent": func(args []string) { // starts another script with some of its files, maybe apart from its group, says bye after a line or at the end of stdin
		cmd := exec.Command(os.Args[0])
		cmd.Env = ScriptEnv(args[0])
		for _, name := range args[1:] {
			switch name {
			case "stdin":
				cmd.Stdin = os.Stdin
			case "stdout":
				cmd.Stdout = os.Stdout
			case "stderr":
				cmd.Stderr = os.Stderr
			case "apart":
				leaveGroup(cmd)
			case "clean": // with nothing of its environment but what the scripts need
				cmd.Env = []string{childEnv + "=" + args[0], AddrEnv + "=" + os.Getenv(AddrEnv)}
			}
		}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		bye()
	},
	"daemon": func([]string) { // starts a holder apart from its group and ends
		cmd := exec.Command(os.Args[0])
		cmd.Env = ScriptEnv("holder")
		leaveGroup(cmd)
		if err := cmd.Start(); err != nil {
			panic(err)
		}
	},
	"holder": func(args []string) { // echoes what the test writes to its connection, ends with it; maybe ignores signals
		if slices.Contains(args, "stubborn") {
			signal.Ignore(os.Interrupt, syscall.SIGTERM)
		}
		conn := dialTest()
		io.Copy(conn, conn)
	},
	"chatterer": func([]string) { // writes until nobody reads
		dialTest()
		for {
			if _, err := os.Stdout.Write(make([]byte, 4<<10)); err != nil {
				return
			}
		}
	},
	"latecomer": func([]string) { // writes when the test says so
		dialTest().Read(make([]byte, 1))
		fmt.Println("late")
	},
	"version":         func([]string) { fmt.Println("2.1.325 (Claude Code)") },
	"version-warning": func([]string) { fmt.Print("node: something is old\n2.1.325 (Claude Code)\n") },
	"version-garbage": func([]string) { fmt.Println("claude, the newest") },
	"version-hang":    func([]string) { hang() },
	"version-half": func([]string) {
		fmt.Print("2.1.3")
		hang()
	},
	"version-long": func([]string) { // until somebody stops it
		line := strings.Repeat("x", 1023) + "\n"
		for {
			if _, err := io.WriteString(os.Stdout, line); err != nil {
				return
			}
		}
	},
}

// dialTest connects to the test that started this process.
func dialTest() net.Conn {
	conn, err := net.Dial("tcp", os.Getenv(AddrEnv))
	if err != nil {
		panic(err)
	}
	return conn
}

// bye waits for a line or the end of stdin and says so on both outputs.
func bye() {
	bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Println("bye")
	fmt.Fprintln(os.Stderr, "bye")
}

// hang lives for longer than a test does, but not without end.
func hang() { time.Sleep(time.Minute) }

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// NumberedLines is what the scripts lines and flood write.
func NumberedLines(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "line %06d\n", i)
	}
	return b.String()
}

// Child is how to start the test binary as a child.
type Child struct {
	Path string
	Args []string
	Env  []string
}

// NeedProcesses skips a test where the system has no processes and no pipes between them, as in a
// browser.
func NeedProcesses(t testing.TB) {
	t.Helper()
	switch runtime.GOOS {
	case "js", "wasip1":
		t.Skip("no processes on " + runtime.GOOS)
	}
}

// NewChild returns how to run a script. The environment keeps the race detector from its second of
// sleep at each exit.
func NewChild(t testing.TB, script string, args ...string) Child {
	t.Helper()
	NeedProcesses(t)
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Child{path, args, ScriptEnv(script)}
}

// ScriptEnv returns the environment in which the test binary runs a script.
func ScriptEnv(script string) []string {
	return append(os.Environ(), childEnv+"="+script, "GORACE=atexit_sleep_ms=0")
}

// ReadLine reads up to a line end and no further.
func ReadLine(t testing.TB, r io.Reader) string {
	t.Helper()
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := io.ReadFull(r, b); err != nil {
			t.Fatalf("after %q: %v", line, err)
		}
		if b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[0])
	}
}

// ReadAll reads to the end.
func ReadAll(t testing.TB, r io.Reader) string {
	t.Helper()
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(all)
}

package cli

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// guardScript waits for the end of its input, which nobody writes to, and then ends what is left of
// a family after some seconds: those that have its id in their environment.
const guardScript = `trap '' HUP INT TERM
read -r line
sleep "$2" || sleep 3
none=
for i in 1 2 3 4 5 6 7 8 9 10; do
	left=
	for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
		pid=${file#/proc/}
		left="$left ${pid%/environ}"
	done
	[ "$left$none" ] || { none=1; continue; }
	[ "$left" ] || break
	none=
	kill -STOP $left
	[ $i = 1 ] || kill -KILL $left
done 2>/dev/null`

// guard is a shell that lives on when this process is killed, and then ends what the process of a
// family leaves: this process cannot, and the system signals that process alone.
type guard struct {
	cmd  *exec.Cmd // nil where there is no shell
	pipe *os.File  // whose end the shell waits for
}

// newGuard starts a guard of a family, whose process has some time to end by itself.
func newGuard(family string, patience time.Duration) *guard {
	input, pipe, err := os.Pipe()
	if err != nil {
		return &guard{}
	}
	defer input.Close()
	seconds := strconv.FormatFloat(max(patience, 0).Seconds(), 'f', 3, 64)
	cmd := &exec.Cmd{
		Path:        "/bin/sh",
		Args:        []string{"sh", "-c", guardScript, "ccwire-guard", family, seconds},
		Dir:         "/",
		Env:         guardEnv(),
		Stdin:       input,
		SysProcAttr: ownGroup(),
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return &guard{}
	}
	return &guard{cmd, pipe}
}

// guardEnv is the environment of a guard. It belongs to the families that this process belongs to.
func guardEnv() []string {
	var env []string
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "PATH=") || strings.HasPrefix(entry, familyEnv+"=") {
			env = append(env, entry)
		}
	}
	return env
}

// end ends the guard. Nothing is left to end.
func (g *guard) end() {
	if g.cmd == nil {
		return
	}
	syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	g.cmd.Wait() // the error is the signal
	g.pipe.Close()
}

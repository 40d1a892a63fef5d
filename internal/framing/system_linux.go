package framing

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// waitDrained waits until the reader has taken everything out of a pipe, but no longer than most.
func waitDrained(w *os.File, most time.Duration) {
	raw, err := w.SyscallConn()
	if err != nil {
		return
	}
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(20 * time.Microsecond) {
		left := 0
		raw.Control(func(fd uintptr) { left, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
		if err != nil || left == 0 {
			return
		}
	}
}

// currentPeak returns the most memory that a running process had until now.
func currentPeak(p *os.Process) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10
}

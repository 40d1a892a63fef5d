package fence

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// candidates returns the processes that may be behind a fence: they live, and can never again gain
// privileges nor lose a filter.
func candidates() (list []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // those that it could read
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		status, err := os.ReadFile("/proc/" + name + "/status")
		if err != nil || !bytes.Contains(status, []byte("\nNoNewPrivs:\t1\n")) || !bytes.Contains(status, []byte("\nSeccomp:\t2\n")) {
			continue
		}
		if bytes.Contains(status, []byte("\nState:\tZ")) || bytes.Contains(status, []byte("\nState:\tX")) {
			continue
		}
		list = append(list, pid)
	}
	return list
}

// endKept ends a process if it is in the Landlock domain of the calling thread, and reports whether
// it is.
//
// The kernel tells. With scopes, the thread can signal the processes of its domain and no others.
// Without, it can look at them as a debugger does, and at no others.
func endKept(pid int) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if landlock() < abiScopes {
		if _, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe"); err != nil {
			return false
		}
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}

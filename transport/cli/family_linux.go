package cli

import (
	"bytes"
	"crypto/rand"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// familyEnv marks the descendants of a process. It lists the ids of all families that a process
// belongs to: a program that was started by a CLI may start one itself.
const familyEnv = "CCWIRE_FAMILY"

// familyPatience is how long end waits for processes that were killed. Only one that hangs in the
// kernel takes longer.
const familyPatience = time.Second

// family is all descendants of a process, wherever they are: in process groups and sessions of
// their own, and after their parents have ended. They have its id in their environment; those that
// changed it are found as descendants as long as their parents live.
type family struct {
	id     string
	leader int                  // the process
	since  uint64               // its start time: nobody in the family is older
	known  map[int]processEntry // descendants that were seen, by their ids
}

// newFamily makes a family and returns it with the environment of its process.
func newFamily(env []string) (*family, []string) {
	if env == nil {
		env = os.Environ()
	}
	f := &family{id: rand.Text(), known: map[int]processEntry{}}
	value := f.id
	for _, entry := range env {
		if outer, ok := strings.CutPrefix(entry, familyEnv+"="); ok && outer != "" {
			value = outer + "," + f.id
		}
	}
	return f, append(env[:len(env):len(env)], familyEnv+"="+value)
}

// begin is called when the process was started.
func (f *family) begin(leader int) {
	f.leader = leader
	if p, ok := readProcess(leader); ok {
		f.since = p.start
	}
}

// look remembers who descends from the process. It has not been reaped.
func (f *family) look() {
	table := f.processTable()
	f.addChildren(table, map[int]processEntry{f.leader: table[f.leader]})
}

// end kills the family and waits until nobody is left of it. The process has ended.
func (f *family) end() {
	for deadline := time.Now().Add(familyPatience); ; time.Sleep(time.Millisecond) {
		table, left := f.processTable(), map[int]processEntry{}
		for pid, p := range table {
			if seen, ok := f.known[pid]; ok && seen.start == p.start || f.marked(pid) {
				left[pid], f.known[pid] = p, p
			}
		}
		f.addChildren(table, left)
		for pid := range left {
			f.kill(pid)
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return
		}
	}
}

// addChildren adds to some processes of a table those that descend from them, and remembers these.
func (f *family) addChildren(table, some map[int]processEntry) {
	for grown := true; grown; {
		grown = false
		for pid, p := range table {
			_, there := some[pid]
			if _, ok := some[p.parent]; ok && !there {
				some[pid], f.known[pid], grown = p, p, true
			}
		}
	}
}

// kill kills a descendant. The id of one that has ended meanwhile may belong to a stranger, so it
// is held first and then looked at again.
func (f *family) kill(pid int) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if now, ok := readProcess(pid); ok && now.start == f.known[pid].start {
		p.Kill()
	}
}

// marked reports whether a process has the id of the family in its environment.
func (f *family) marked(pid int) bool {
	environ := readProc(pid, "environ")
	if !bytes.Contains(environ, []byte(f.id)) {
		return false
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(familyEnv+"=")); ok && bytes.Contains(value, []byte(f.id)) {
			return true
		}
	}
	return false
}

// processTable returns the processes that have not ended and are not too old. It is empty where the
// system does not show them.
func (f *family) processTable() map[int]processEntry {
	table := map[int]processEntry{}
	dir, err := os.Open("/proc")
	if err != nil {
		return table
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok && p.start >= f.since {
			table[pid] = p
		}
	}
	return table
}

// processEntry is what the system says of a process.
type processEntry struct {
	parent int
	start  uint64 // tells it from one that had the same id before
}

// readProcess reads the entry of a process. It reports false for one that has ended.
func readProcess(pid int) (p processEntry, ok bool) {
	stat := readProc(pid, "stat")
	name := bytes.LastIndexByte(stat, ')') // its end: it may hold anything
	if name < 0 {
		return p, false
	}
	fields := strings.Fields(string(stat[name+1:]))
	const state, parent, start = 0, 1, 19 // proc(5) counts them from 3 on
	if len(fields) <= start || fields[state] == "Z" || fields[state] == "X" {
		return p, false
	}
	var parentErr, startErr error
	p.parent, parentErr = strconv.Atoi(fields[parent])
	p.start, startErr = strconv.ParseUint(fields[start], 10, 64)
	return p, parentErr == nil && startErr == nil
}

// readProc reads a file of a process, nil if it cannot be read. All processes are read for one that
// ends, so it takes as few system calls as possible.
func readProc(pid int, name string) []byte {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/"+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	text := make([]byte, 0, 1<<10)
	for {
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		if n <= 0 || err != nil {
			return text
		}
		text = text[:len(text)+n]
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

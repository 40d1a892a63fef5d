package cli

import (
	"bytes"
	"crypto/rand"
	"io"
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
// changed it are found as descendants as long as their parents live, and by their session if
// somebody of the family has made it.
type family struct {
	id       string
	leader   int                  // the process
	since    uint64               // its start time: nobody in the family is older
	outside  processEntry         // this process
	known    map[int]processEntry // descendants that were seen, by their ids
	sessions map[int]bool         // that descendants have made
	guard    *guard               // in case that this process is killed
}

// newFamily makes a family and returns it with the environment of its process.
func newFamily(env []string) (*family, []string) {
	if env == nil {
		env = os.Environ()
	}
	f := &family{id: rand.Text(), known: map[int]processEntry{}, sessions: map[int]bool{}}
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
	if p, ok := readProcess(os.Getpid()); ok {
		f.outside = p
	}
}

// look remembers who descends from the process. It has not been reaped.
func (f *family) look() {
	table := map[int]processEntry{}
	eachProcess(f.since, func(pid int, p processEntry) { table[pid] = p })
	f.addKin(table, map[int]processEntry{f.leader: table[f.leader]})
}

// watch starts what ends the family if this process is killed: its process gets a termination
// signal then, and has some time to end the rest.
func (f *family) watch(patience time.Duration) { f.guard = newGuard(f.id, patience) }

// end kills the family and waits until nobody is left of it. The process has ended.
func (f *family) end() {
	defer f.guard.end()
	for deadline := time.Now().Add(familyPatience); ; time.Sleep(time.Millisecond) {
		left, sure := f.freeze(deadline)
		for pid := range left {
			f.signal(pid, syscall.SIGKILL)
		}
		if len(left) == 0 && sure || time.Now().After(deadline) {
			return
		}
	}
}

// freeze stops the family and returns it. Who is stopped starts no further process: it looks again
// until nobody has come. It also reports whether all processes could be told apart.
func (f *family) freeze(deadline time.Time) (left map[int]processEntry, sure bool) {
	stopped := map[int]uint64{} // start times
	stop := func(pid int, p processEntry) {
		if stopped[pid] != p.start {
			f.signal(pid, syscall.SIGSTOP)
		}
	}
	for {
		left, sure = f.walk(stop)
		come := false
		for pid, p := range left {
			stop(pid, p)
			come = come || stopped[pid] != p.start
			stopped[pid] = p.start
		}
		if !come || time.Now().After(deadline) {
			return left, sure
		}
	}
}

// walk returns who is left of the family, and whether all processes could be told apart. Those that
// can be told by themselves are given to found at once, before they can start another and end.
func (f *family) walk(found func(int, processEntry)) (left map[int]processEntry, sure bool) {
	table, left, sure := map[int]processEntry{}, map[int]processEntry{}, true
	eachProcess(f.since, func(pid int, p processEntry) {
		table[pid] = p
		ours, known := f.owns(pid, p)
		if ours {
			left[pid], f.known[pid] = p, p
			found(pid, p)
		}
		sure = sure && known
	})
	f.addKin(table, left)
	return left, sure
}

// addKin adds to some processes of a table those that descend from them, and remembers these.
func (f *family) addKin(table, some map[int]processEntry) {
	for _, p := range some {
		f.addSession(p)
	}
	for grown := true; grown; {
		grown = false
		for pid, p := range table {
			_, there := some[pid]
			if _, child := some[p.parent]; !there && (child || f.sessions[p.session]) {
				some[pid], f.known[pid], grown = p, p, true
				f.addSession(p)
			}
		}
	}
}

// addSession remembers the session of a descendant, unless it is the one that it was started in. A
// session of another pid namespace, as of a container's first process, is 0 to those inside.
func (f *family) addSession(p processEntry) {
	if p.session > 0 && p.session != f.outside.session && f.outside.start > 0 {
		f.sessions[p.session] = true
	}
}

// signal signals a descendant. The id of one that has ended meanwhile may belong to a stranger, so
// it is held first and then looked at again.
func (f *family) signal(pid int, s os.Signal) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if now, ok := readProcess(pid); ok && now.start == f.known[pid].start {
		p.Signal(s)
	}
}

// owns reports whether a process belongs to the family by itself, and whether that is known: one
// that begins to run another program has no environment for a moment, or one that ends halfway.
func (f *family) owns(pid int, p processEntry) (ours, known bool) {
	if seen, ok := f.known[pid]; ok && seen.start == p.start {
		return true, true
	}
	if p.parent == kernelThreads {
		return false, true
	}
	if f.marked(readProc(pid, "environ")) {
		return true, true
	}
	now, alive := readProcess(pid)
	same := p.program == now.program && (p.program.loaded() || !f.outside.program.loaded())
	return false, same || !alive
}

// kernelThreads is the parent of those of the kernel, which have no environment.
const kernelThreads = 2

// marked reports whether an environment has the id of the family.
func (f *family) marked(environ []byte) bool {
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

// eachProcess calls do for the processes that have not ended and are not too old: for none where
// the system does not show them. It looks again until no other has come: one that has ended before
// do was called may have started another.
func eachProcess(since uint64, do func(pid int, p processEntry)) {
	dir, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer dir.Close()
	seen := map[string]bool{}
	for range maxLooks {
		names, _ := dir.Readdirnames(-1)
		come := false
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if err != nil || seen[name] {
				continue
			}
			seen[name], come = true, true
			if p, ok := readProcess(pid); ok && p.start >= since {
				do(pid, p)
			}
		}
		if _, err := dir.Seek(0, io.SeekStart); err != nil || !come {
			return
		}
	}
}

// maxLooks is how often eachProcess looks where processes come all the time.
const maxLooks = 100

// processEntry is what the system says of a process.
type processEntry struct {
	parent, session int
	start           uint64 // tells it from one that had the same id before
	program         program
}

// program tells the program of a process from the one before, by where it lies in memory.
type program struct{ code, environ string }

// loaded reports whether a program runs: its code comes last. The place of a stranger's is hidden,
// but not "0".
func (p program) loaded() bool { return p.code != "0" }

// readProcess reads the entry of a process. It reports false for one that has ended.
func readProcess(pid int) (p processEntry, ok bool) {
	stat := readProc(pid, "stat")
	name := bytes.LastIndexByte(stat, ')') // its end: it may hold anything
	if name < 0 {
		return p, false
	}
	fields := strings.Fields(string(stat[name+1:]))
	const state, parent, session, start, code, environ = 0, 1, 3, 19, 23, 48 // proc(5) counts them from 3 on
	if len(fields) <= environ || fields[state] == "Z" || fields[state] == "X" {
		return p, false
	}
	var parentErr, sessionErr, startErr error
	p.parent, parentErr = strconv.Atoi(fields[parent])
	p.session, sessionErr = strconv.Atoi(fields[session])
	p.start, startErr = strconv.ParseUint(fields[start], 10, 64)
	p.program = program{fields[code], fields[environ]}
	return p, parentErr == nil && sessionErr == nil && startErr == nil
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

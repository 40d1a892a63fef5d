package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// follower reads the journals of the CLIs of a case while they are written: files PID.ndjson in one
// folder, in the order in which they appear.
type follower struct {
	dir   string
	board *board
	files map[int]*followed
}

type followed struct {
	rest    []byte // of an entry that is not whole
	offset  int64
	began   time.Time
	version bool // it is asked for its version alone
}

// pollEvery is how often the journals are looked at. They are files, because a CLI that is killed
// leaves a file behind, and nothing that an SDK does to its child can break it.
const pollEvery = 4 * time.Millisecond

// run follows until ctx ends.
func (f *follower) run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		f.look()
		select {
		case <-tick.C:
		case <-ctx.Done():
			f.look()
			return
		}
	}
}

func (f *follower) look() {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return // the case is over
	}
	for _, e := range list {
		pid := pidOf(e)
		if pid == 0 {
			continue
		}
		if f.files[pid] == nil {
			f.files[pid] = &followed{}
		}
		f.board.log(f.more(pid, filepath.Join(f.dir, e.Name())))
	}
}

// more returns the entries that a file has more than before.
func (f *follower) more(pid int, name string) (entries []logged) {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	s := f.files[pid]
	if _, err := file.Seek(s.offset, io.SeekStart); err != nil {
		return nil
	}
	text, err := io.ReadAll(file)
	if err != nil || len(text) == 0 {
		return nil
	}
	s.offset += int64(len(text))
	text = append(s.rest, text...)
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			s.rest = bytes.Clone(text)
			return entries
		}
		text = rest
		var e journal.Entry
		if json.Unmarshal(line, &e) != nil {
			continue // cannot be: only our own program writes there
		}
		if e.Dir == journal.Header {
			s.version = asksVersion(e.Args)
			if e.Time != nil {
				s.began = *e.Time
			}
		}
		e.Line = shown(&e)
		if !s.version {
			at := s.began.Add(time.Duration(e.At * float64(time.Millisecond))).Sub(f.board.start)
			entries = append(entries, logged{e, pid, max(at, 0)})
		}
	}
}

// shown returns the text of an entry, for messages: the start and the end of a CLI have one too.
func shown(e *journal.Entry) string {
	switch e.Dir {
	case journal.Header:
		return "claude " + strings.Join(e.Args, " ")
	case journal.Exit:
		return "the CLI ended with code " + exitOf(e)
	}
	return e.Line
}

// asksVersion reports whether arguments ask a CLI for its version and nothing else.
func asksVersion(args []string) bool {
	return len(args) == 1 && slices.Contains([]string{"-v", "--version"}, args[0])
}

// pidOf returns the process whose journal a file is, 0 if it is none.
func pidOf(e os.DirEntry) int {
	pid, _ := strconv.Atoi(strings.TrimSuffix(e.Name(), ".ndjson"))
	return pid
}

// running returns the CLIs of a case that have not ended.
func (s *stage) running() (pids []int) {
	list, _ := os.ReadDir(s.logs)
	for _, e := range list {
		if pid := pidOf(e); pid != 0 && driver.Alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

package fence

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrNone says that the system cannot keep a process behind a fence.
var ErrNone = errors.New("this system cannot keep a command in its folder")

// ErrNotFound says that there is no program of that name.
var ErrNotFound = exec.ErrNotFound

// errClosed says that the session has ended.
var errClosed = errors.New("the session has ended")

// Options say what a fence is around.
type Options struct {
	// Dir is the working directory.
	Dir string
	// Tmp is where the folder for temporary files is made; "" for a folder of the system's.
	Tmp string
	// Env are the variables of the session, of the form NAME=value. Processes get few of them.
	Env []string
	// Read are folders that processes may read beside the working directory and the system's.
	Read []string
	// Open lets processes do whatever their user may.
	Open bool
}

// Fence starts the processes of one session. Its methods may be called at the same time.
type Fence struct {
	options Options

	mu      sync.Mutex // guards the fields below
	granted []string
	tmp     string // "" before it is needed
	keepers map[string]*keeper
	closed  bool
}

// New returns a fence around a working directory. The caller closes it.
func New(o Options) *Fence {
	if o.Tmp == "" {
		o.Tmp = filepath.Join(os.TempDir(), "ccwire-sim")
	}
	return &Fence{options: o, keepers: map[string]*keeper{}}
}

// Dir is the working directory.
func (f *Fence) Dir() string { return f.options.Dir }

// Grant lets processes use other folders as they use the working directory. The SDK's user must
// have named them where the model cannot write. It is called before the first process starts.
func (f *Fence) Grant(folders ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.granted = append(f.granted, folders...)
}

// Folders are the working directory and those that are used as it is.
func (f *Fence) Folders() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{f.options.Dir}, f.granted...)
}

// Open reports whether processes may do whatever their user may.
func (f *Fence) Open() bool { return f.options.Open }

// Tmp returns the folder for temporary files. It is removed when the fence is closed.
func (f *Fence) Tmp() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tmpLocked()
}

func (f *Fence) tmpLocked() (_ string, err error) {
	if f.closed {
		return "", errClosed
	}
	if f.tmp == "" {
		f.tmp, err = newScratch(f.options.Tmp)
	}
	return f.tmp, err
}

// Close ends all processes and removes the folder for temporary files.
func (f *Fence) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, k := range f.keepers {
		k.close()
	}
	f.keepers = nil
	if f.tmp == "" {
		return nil
	}
	return removeScratch(f.tmp)
}

// keeper returns what starts processes that may read folders beside those of the fence, nil if the
// fence is open.
func (f *Fence) keeper(read []string) (*keeper, error) {
	if f.options.Open {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	tmp, err := f.tmpLocked()
	if err != nil {
		return nil, err
	}
	key := strings.Join(read, "\x00")
	if k := f.keepers[key]; k != nil {
		return k, nil
	}
	write := []string{f.options.Dir, tmp}
	for _, folder := range f.granted {
		if _, err := os.Stat(folder); err == nil {
			write = append(write, folder)
		}
	}
	k, err := newKeeper(write, f.readable(read))
	if err != nil {
		return nil, err
	}
	f.keepers[key] = k
	return k, nil
}

// Start starts a process. The error wraps [ErrNone] if the system cannot keep it behind the fence.
func (f *Fence) Start(c *Command) (*Process, error) {
	k, err := f.keeper(c.Read)
	if err != nil {
		return nil, err
	}
	tmp, err := f.Tmp()
	if err != nil {
		return nil, err
	}
	env := slices.Concat(f.environment(), []string{"PWD=" + c.Dir, "TMPDIR=" + tmp}, c.Env)
	for until := time.Now().Add(busyTime); ; time.Sleep(time.Millisecond) {
		cmd := c.cmd()
		cmd.Env = env
		start := cmd.Start
		if k != nil {
			start = func() error { return k.start(cmd) }
		}
		err := start()
		switch {
		case err == nil:
			return &Process{cmd}, nil
		case !isBusy(err) || time.Now().After(until):
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
}

// busyTime is how long a program may stay open for writing. One that was written just now is, while
// the writer starts a process: that has the file until it is another program.
const busyTime = time.Second

// passed are the variables of the session that processes get.
var passed = []string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"}

// environment is what every process gets.
func (f *Fence) environment() []string {
	env := []string{"HOME=" + f.options.Dir, "SHELL=/bin/bash", "CLAUDECODE=1", "GIT_EDITOR=true"}
	for _, name := range passed {
		if v, ok := f.variable(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// variable returns a variable of the session; the last of that name counts.
func (f *Fence) variable(name string) (value string, ok bool) {
	for _, pair := range f.options.Env {
		if v, has := strings.CutPrefix(pair, name+"="); has {
			value, ok = v, true
		}
	}
	return value, ok
}

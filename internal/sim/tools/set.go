package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
)

// Options say where tools act.
type Options struct {
	// Dir is the working directory.
	Dir string
	// Outside lets tools leave it.
	Outside bool
	// Fence is what commands run behind. Tools that use files do it in its folders.
	Fence *fence.Fence
	// Env returns variables of the form NAME=value for commands; nil is for none.
	Env func() []string
	// Readable reports whether a file may be read without asking; nil means every one. A file that
	// may not be must have been read before it is edited.
	Readable func(path string) bool
	// ReadFirst reports whether every file must have been read before it is changed; nil means no.
	ReadFirst func() bool
	// Newest has commands show images, and tells of signals as the CLI does.
	Newest bool
	// KeepsEnd lets a notebook that is edited keep the newline at its end.
	KeepsEnd bool
}

// Set is the tools of one session. Its methods may be called at the same time.
type Set struct {
	options Options
	roots   []root // the working directory is the first

	mu    sync.Mutex      // guards the fields below
	now   string          // where the next command runs
	ran   bool            // a command has run
	files map[string]seen // by path
	todo  []*todo
	jobs  []*job
	ends  []func() // of processes that commands have left behind
}

// left keeps what ends processes until the set is closed.
func (s *Set) left(end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends = append(s.ends, end)
}

// New opens the folders in which tools act. The caller closes the set.
func New(o Options) (*Set, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	s := &Set{options: o, now: dir, files: map[string]seen{}}
	folders := []string{dir}
	if o.Fence != nil {
		folders = append(folders, o.Fence.Folders()[1:]...)
	}
	for _, folder := range folders {
		r, err := os.OpenRoot(folder)
		if err != nil {
			return nil, errors.Join(err, s.closeRoots())
		}
		s.roots = append(s.roots, root{folder, r})
	}
	return s, nil
}

// closeRoots releases the folders.
func (s *Set) closeRoots() (err error) {
	for _, r := range s.roots {
		err = errors.Join(err, r.Close())
	}
	return err
}

// Close releases the folders.
func (s *Set) Close() error {
	s.mu.Lock()
	ends := s.ends
	s.ends = nil
	s.mu.Unlock()
	for _, end := range ends {
		end()
	}
	return s.closeRoots()
}

// Result is what a tool gives back.
type Result struct {
	Content any // for the model: a text or a list of blocks
	Use     any // for SDKs and hooks: the tool_use_result
	Failed  bool
	// Output is everything that a command wrote, if that is more than is shown of it; "" otherwise.
	Output string

	layout layout
}

// layout is the order of members in the tool_result block.
type layout int

const (
	idFirst layout = iota
	idFirstNoError
	idLast
	idSecond
)

// Block returns the tool_result block.
func (r *Result) Block(id string) object.Object {
	switch {
	case r.Failed:
		return object.Of("type", "tool_result", "content", r.Content, "is_error", true, "tool_use_id", id)
	case r.layout == idFirstNoError:
		return object.Of("tool_use_id", id, "type", "tool_result", "content", r.Content, "is_error", false)
	case r.layout == idLast:
		return object.Of("type", "tool_result", "content", r.Content, "tool_use_id", id)
	case r.layout == idSecond:
		return object.Of("type", "tool_result", "tool_use_id", id, "content", r.Content)
	}
	return object.Of("tool_use_id", id, "type", "tool_result", "content", r.Content)
}

// Fail returns the result of a tool that failed with that text.
func Fail(text string) Result { return Result{Content: text, Use: "Error: " + text, Failed: true} }

func failf(format string, args ...any) Result { return Fail(fmt.Sprintf(format, args...)) }

// Refusal says why a tool was not run, before anyone was asked.
type Refusal struct {
	Text    string // for the model
	Use     string // for SDKs
	Invalid bool   // the input does not fit the schema
}

// Refuse returns a refusal with that text.
func Refuse(text string) *Refusal { return &Refusal{Text: text, Use: "Error: " + text} }

// Result returns the refusal as the result of the tool.
func (r *Refusal) Result() Result {
	return Result{Content: "<tool_use_error>" + r.Text + "</tool_use_error>", Use: r.Use, Failed: true}
}

// Missing refuses a tool that the session does not have. Disabled says that the CLI knows it.
func Missing(name string, disabled bool) *Refusal {
	text := "Error: No such tool available: " + name
	switch {
	case name == "Glob":
		text += ". Glob is not available in this session — find files with `find` via the Bash tool instead."
	case name == "Grep":
		text += ". Grep is not available in this session — search file contents with `grep` via the Bash tool instead."
	case disabled:
		text += ". " + name + " is disabled for this session, in subagents as well as here."
	}
	return &Refusal{Text: text, Use: text}
}

// act is how a tool works.
type act struct {
	check func(*Set, object.Object) *Refusal // nil for tools that take whatever fits the schema
	run   func(*Set, context.Context, object.Object) Result
}

var acts map[string]act

func init() {
	acts = map[string]act{
		"Read":         {(*Set).checkRead, (*Set).read},
		"Write":        {(*Set).checkWrite, (*Set).write},
		"Edit":         {(*Set).checkEdit, (*Set).edit},
		"NotebookEdit": {(*Set).checkNotebook, (*Set).editNotebook},
		"Glob":         {nil, (*Set).glob},
		"Grep":         {nil, (*Set).grep},
		"Bash":         {(*Set).checkBash, (*Set).bash},
		"TaskCreate":   {nil, (*Set).createTask},
		"TaskUpdate":   {nil, (*Set).updateTask},
		"TaskList":     {nil, (*Set).listTasks},
		"TodoWrite":    {nil, (*Set).writeTodos},
		"CronCreate":   {(*Set).checkJob, (*Set).createJob},
		"CronList":     {nil, (*Set).listJobs},
		"CronDelete":   {nil, (*Set).deleteJob},

		"AskUserQuestion": {nil, (*Set).question},
	}
}

// Acts reports whether the set acts a tool out.
func Acts(name string) bool {
	_, ok := acts[name]
	return ok
}

// Check looks at the input of a tool before anyone is asked. It returns nil if the tool can go on.
func (s *Set) Check(name string, in object.Object) *Refusal {
	if r := validate(name, in); r != nil {
		return r
	}
	if check := acts[name].check; check != nil {
		return check(s, in)
	}
	return nil
}

// Run runs a tool that [Acts] knows, with an input that was checked.
func (s *Set) Run(ctx context.Context, name string, in object.Object) Result {
	a, ok := acts[name]
	if !ok {
		return failf("the simulated CLI does not act out %s", name)
	}
	if r := validate(name, in); r != nil { // it may have been changed since it was checked
		return r.Result()
	}
	return a.run(s, ctx, in)
}

package brokensdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// client is a session of the SDK.
type client struct {
	bug     string
	options driver.Options
	once    bool                                                                      // it is the function for one prompt
	last    func() *client                                                            // the session that was started last
	call    func(b *driver.Behavior, r driver.Report, cancelled <-chan struct{}) bool // reports a callback

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	stderr bytes.Buffer  // valid when ended is closed
	heard  chan struct{} // closed when nothing more of stderr is read, nil if that is for cmd
	// unheard is the pipe that stderr is, for the bugs that do not read it to its end.
	unheard *os.File
	lines   *codec.Writer

	mu         sync.Mutex // guards the fields below
	ids        int
	waiting    map[string]chan response
	over       map[string]bool          // ids of requests that were answered
	inbound    map[string]chan struct{} // closed when the CLI cancels the request
	messages   []json.RawMessage
	unread     *sync.Cond // of messages and done
	done       bool       // nothing more is read
	err        error      // why, valid once done
	closing    bool
	wanted     int // how many wait for what the CLI writes
	resulted   bool
	unanswered int // requests from the CLI

	total int // bytes that were read; of the reader alone
	ended chan struct{}
}

type response struct {
	body json.RawMessage
	err  error
}

// exitError says how the CLI ended.
type exitError struct {
	code   int
	stderr string
}

func (e *exitError) Error() string {
	return fmt.Sprintf("the CLI ended with code %d: %s", e.code, e.stderr)
}

// frame is what the SDK looks at in a line.
type frame struct {
	Type      string          `json:"type"`
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
	Response  struct {
		Subtype   string          `json:"subtype"`
		RequestID string          `json:"request_id"`
		Response  json.RawMessage `json:"response"`
		Error     string          `json:"error"`
	} `json:"response"`
}

// start starts the CLI. Its lines are read from then on.
func (c *client) start(path, dir string) error {
	args := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	o := &c.options
	for _, f := range []struct{ name, value string }{{"--model", o.Model}, {"--permission-mode", o.PermissionMode}, {"--resume", o.Resume}} {
		if f.value != "" {
			args = append(args, f.name, f.value)
		}
	}
	if len(o.AllowedTools) > 0 && !c.has("allowed-tools-dropped") {
		args = append(args, "--allowedTools", strings.Join(o.AllowedTools, ","))
	}
	if len(o.DisallowedTools) > 0 && !c.has("disallowed-tools-dropped") {
		args = append(args, "--disallowedTools", strings.Join(o.DisallowedTools, ","))
	}
	if o.IncludePartialMessages {
		args = append(args, "--include-partial-messages")
	}
	if o.CanUseTool != nil || c.has("allow-by-default") {
		args = append(args, "--permission-prompt-tool", "stdio")
	}
	if other, err := exec.LookPath("claude"); err == nil && other != path && c.has("path-ignored") {
		path = other
	}
	c.cmd = exec.Command(path, args...)
	c.cmd.Dir, c.cmd.Stderr = dir, &c.stderr
	c.cmd.WaitDelay = time.Second
	var err error
	if c.bug == "stderr-unread" || c.bug == "stderr-lines-64k" {
		listened, err := c.pipeStderr()
		if err != nil {
			return err
		}
		defer listened()
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	c.out, c.cmd.Stdout = r, w
	err = c.cmd.Start()
	w.Close()
	if err != nil {
		return err
	}
	c.lines = codec.NewWriter(c.in)
	c.waiting, c.over, c.inbound, c.ended = map[string]chan response{}, map[string]bool{}, map[string]chan struct{}{}, make(chan struct{})
	c.unread = sync.NewCond(&c.mu)
	readEnd := make(chan error, 1)
	if c.has("initialize-before-reading") {
		go func() { // ends with the output
			c.awaitReady()
			readEnd <- c.read()
		}()
	} else {
		go func() { readEnd <- c.read() }()
	}
	go c.watch(readEnd) // ends with the process
	return nil
}

// awaitReady waits until initialize was answered, which never happens: nobody reads.
func (c *client) awaitReady() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.over["initialize"] && !c.closing {
		c.unread.Wait()
	}
}

// watch waits for the end of the output and of the process.
func (c *client) watch(readEnd <-chan error) {
	var err error
	if c.has("tail-lost") {
		_ = c.cmd.Wait()
		c.out.Close() // what is still in the pipe is lost
		err = <-readEnd
	} else {
		err = <-readEnd
		c.in.Close()
		stop := time.AfterFunc(2*time.Second, func() { _ = c.cmd.Process.Kill() })
		_ = c.cmd.Wait()
		stop.Stop()
	}
	if c.stderr.Len() > 0 && c.heard == nil {
		c.has("stderr-unread")
		c.has("stderr-lines-64k")
	}
	if code := c.cmd.ProcessState.ExitCode(); code != 0 && err == nil {
		if c.heard != nil {
			<-c.heard
		}
		err = &exitError{code, c.stderr.String()}
	}
	c.finish(err)
	close(c.ended)
}

// finish ends everything that waits.
func (c *client) finish(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		err = nil
	}
	if !c.closing && c.has("pending-hang") {
		return
	}
	if c.once && !c.resulted && err == nil {
		err = errors.New("the CLI ended without a result")
	}
	c.done, c.err = true, err
	if err != nil && len(c.messages) > 0 && c.has("unread-dropped") {
		c.messages = nil
	}
	if err == nil {
		err = errors.New("the CLI has ended")
	}
	for id, w := range c.waiting {
		delete(c.waiting, id)
		w <- response{err: err}
	}
	for id, cancelled := range c.inbound {
		delete(c.inbound, id)
		close(cancelled)
	}
	c.unread.Broadcast()
}

// read reads lines until the end of the output, or until a bug ends it.
func (c *client) read() error {
	out := &chunks{from: c.out, lossy: func() bool { return c.has("decodes-chunks") }}
	lines := codec.NewReader(out, &codec.ReaderOptions{MaxLine: 64 << 20})
	for {
		c.pace()
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		c.total += int(line.Len)
		switch {
		case c.total > 10<<20 && c.has("byte-counter"):
			return errors.New("too much output")
		case line.Len > 1<<20 && c.has("short-lines"), line.Len > 64<<10 && c.has("lines-64k"):
			return errors.New("line too long")
		case line.Kind == codec.TextLine && c.has("noise-kills"):
			return fmt.Errorf("invalid line %q", line.Bytes)
		case line.Kind == codec.BlankLine && line.Notes&codec.CarriageReturn != 0 && c.has("blank-kills"):
			return errors.New("invalid blank line")
		case line.Kind != codec.ObjectLine:
			continue
		}
		text := bytes.Clone(line.Bytes)
		if len(text) > 32<<10 && c.has("cuts-at-64k") {
			text = append(text[:20<<10:20<<10], text[24<<10:]...)
		}
		parts := [][]byte{text}
		if split := bytes.Split(text, []byte("\u2028")); len(split) > 1 && c.has("splits-at-separators") {
			parts = split
		}
		for _, text := range parts {
			if err := c.line(text); err != nil {
				return err
			}
		}
	}
}

// pace makes the reader wait, for the bugs that need it.
func (c *client) pace() {
	if c.bug == "tail-lost" { // a parser that takes its time
		time.Sleep(8 * time.Millisecond)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.wanted == 0 && !c.closing && c.has("prompt-before-reading") {
		c.unread.Wait()
	}
}

// want notes that somebody waits for what the CLI writes, until the function that it returns is
// called.
func (c *client) want() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted++
	c.unread.Broadcast()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wanted--
	}
}

// line handles a line. An error ends the session.
func (c *client) line(text []byte) error {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		if c.has("noise-kills") {
			return err
		}
		if !json.Valid(text) {
			return nil // one bad line never harms the next
		}
		f = frame{}
	}
	switch f.Type {
	case "control_response":
		c.response(&f)
	case "control_request":
		cancelled := make(chan struct{})
		c.mu.Lock()
		c.inbound[f.RequestID] = cancelled
		c.mu.Unlock()
		c.begun()
		if c.blocks(&f) {
			c.answer(&f, cancelled)
		} else {
			go c.answer(&f, cancelled) // ends with its callback
		}
	case "control_cancel_request":
		return c.cancel(f.RequestID)
	case "keep_alive":
	case "user":
		if bytes.Contains(text, []byte(`"content":[`)) && c.has("tool-results-kill") {
			return errors.New("the content of a user message is not a text")
		}
		c.deliver(text, f.Type)
	default:
		c.deliver(text, f.Type)
	}
	return nil
}

// blocks reports whether a request is answered by the reader itself.
func (c *client) blocks(f *frame) bool {
	var r request
	_ = json.Unmarshal(f.Request, &r) // the answer says what is wrong with it
	switch r.Subtype {
	case "can_use_tool":
		return c.has("permission-blocks-reader")
	case "hook_callback":
		return c.has("hook-blocks-reader")
	case "mcp_message":
		return c.has("tool-blocks-reader")
	}
	return false
}

// maxUnread is how many messages the bug one-reader keeps.
const maxUnread = 100

func (c *client) deliver(text json.RawMessage, kind string) {
	if last := c.last(); last != c && c.has("sessions-share-messages") {
		c = last
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.messages) >= maxUnread && !c.closing && c.has("one-reader") {
		c.unread.Wait()
	}
	c.messages = append(c.messages, text)
	c.unread.Broadcast()
	if kind != "result" {
		return
	}
	c.resulted = true
	c.retireLocked()
	if c.has("stdin-closed-after-result") {
		c.in.Close()
	}
}

// next returns the next message, nil at the end.
func (c *client) next() (json.RawMessage, error) {
	defer c.want()()
	if c.bug == "unread-dropped" && !driver.Alive(c.cmd.Process.Pid) {
		<-c.ended // so that chance has no part in it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.messages) == 0 && !c.done {
		c.unread.Wait()
	}
	if len(c.messages) == 0 {
		return nil, c.err
	}
	m := c.messages[0]
	c.messages = c.messages[1:]
	c.unread.Broadcast()
	return m, nil
}

// close ends the session.
func (c *client) close() {
	c.mu.Lock()
	c.closing = true
	c.unread.Broadcast()
	c.mu.Unlock()
	c.in.Close()
	select {
	case <-c.ended:
	case <-time.After(300 * time.Millisecond):
		_ = c.cmd.Process.Kill()
		<-c.ended
	}
	c.finish(nil)
}

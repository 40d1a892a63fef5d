package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

const (
	// maxTimeout is the longest time that a command can be given.
	maxTimeout = 10 * time.Minute
	// maxBehind is how long a command goes on in the background that has taken too long.
	maxBehind = 30 * time.Minute
	// maxShown is how much of an output the model is shown.
	maxShown = 30_000
)

// command returns the command of a Bash tool use in a folder, and where it writes the folder in
// which it ends.
func (s *Set) command(dir string, in object.Object) (c *shell.Command, now string, refused string) {
	line := in.Text("command")
	tmp, err := s.options.Fence.Tmp()
	if err != nil {
		return nil, "", err.Error()
	}
	f, err := os.CreateTemp(tmp, "cwd-")
	if err != nil {
		return nil, "", err.Error()
	}
	f.Close()
	c = &shell.Command{Line: "eval '" + strings.ReplaceAll(line, "'", `'\''`) + `' && pwd -P >| "$CCWIRE_PWD"`, Dir: dir, Fence: s.options.Fence, Left: s.left}
	if s.options.Env != nil {
		c.Env = s.options.Env()
	}
	c.Env = append(c.Env, "CCWIRE_PWD="+f.Name())
	if !s.options.Outside {
		if word := shell.Refuse(line, dir, s.options.Fence.Folders()...); word != "" {
			return nil, "", fmt.Sprintf("%s is outside the working directory. The simulated CLI stays there, unless its script allows more.", word)
		}
	}
	return c, f.Name(), ""
}

// Limit is how long the command of a Bash tool use is waited for.
func Limit(in object.Object) time.Duration {
	if n, ok := in.Number("timeout"); ok && n > 0 {
		return min(time.Duration(min(n, 1e9))*time.Millisecond, maxTimeout)
	}
	return shell.DefaultTimeout
}

// Now is the folder in which the next command runs, and in which relative paths begin.
func (s *Set) Now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Fresh reports whether no command has run yet.
func (s *Set) Fresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ran
}

// Move changes the folder in which the next command runs, and in which relative paths begin. It
// reports false, and changes nothing, if tools may not act there.
func (s *Set) Move(dir string) bool {
	if !s.options.Outside && !shell.InsideAny(s.options.Fence.Folders(), dir) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = dir
	return true
}

// Background starts the command of a Bash tool use that does not wait for it.
func (s *Set) Background(in object.Object) (*shell.Process, error) {
	c, _, refused := s.command(s.Now(), in)
	if refused != "" {
		return nil, fmt.Errorf("%s", refused)
	}
	return c.Start()
}

// longSleep is for how many seconds a command must not just sleep.
const longSleep = 25

// checkBash refuses to wait for nothing.
func (s *Set) checkBash(in object.Object) *Refusal {
	line := in.Text("command")
	l, err := shell.Parse(line)
	if err != nil || len(l.Parts) == 0 || in.Bool("run_in_background") {
		return nil
	}
	first := l.Parts[0]
	if len(first.Words) != 2 || first.Words[0] != "sleep" {
		return nil
	}
	if n, err := strconv.ParseFloat(first.Words[1], 64); err != nil || n < longSleep {
		return nil
	}
	what := "standalone " + first.Text
	if rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(line), first.Text), " ;&"); rest != "" {
		what = first.Text + " followed by: " + rest
	}
	return Refuse("Blocked: " + what + ". A command in the background, or Monitor, waits without keeping the session from its work.")
}

var bashLine = regexp.MustCompile(`(?m)^(/bin/bash: )-c: line (\d+):`)

// brokenLine is the result of a line that bash cannot read. Bash says what is wrong with it, and
// runs nothing.
func (s *Set) brokenLine(ctx context.Context, line string) Result {
	c := shell.Command{Line: "set -n\n" + line, Dir: s.Now(), Fence: s.options.Fence}
	o, err := c.Run(ctx)
	if err != nil {
		return Fail(err.Error())
	}
	text := bashLine.ReplaceAllStringFunc(o.Stdout, func(m string) string {
		parts := bashLine.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2])
		return fmt.Sprintf("%seval: line %d:", parts[1], n-1)
	})
	return Fail(withOutput("Exit code 2", strings.TrimSpace(text)))
}

// leaves reports whether a line does nothing but go to another folder.
func leaves(l *shell.Line) bool {
	return l != nil && len(l.Parts) == 1 && len(l.Sets) == 0 && !l.Compound && !l.Nested && !l.Variable && len(l.Parts[0].Words) == 2 && l.Parts[0].Words[0] == "cd" && len(l.Parts[0].Files) == 0
}

func (s *Set) bash(ctx context.Context, in object.Object) Result {
	return s.shell(ctx, s.Now(), in, nil)
}

// Shell uses the tool Bash in a folder. With began it does so without a limit of time: that is
// called when the command runs, with what returns its output so far.
func (s *Set) Shell(ctx context.Context, dir string, in object.Object, began func(output func() string)) Result {
	if r := validate("Bash", in); r != nil { // it may have been changed since it was checked
		return r.Result()
	}
	return s.shell(ctx, dir, in, began)
}

// GoesOn reports whether a command goes on in the background when it takes too long. One that
// begins with a pause does not.
func GoesOn(in object.Object) bool {
	l, err := shell.Parse(in.Text("command"))
	return err == nil && len(l.Parts) > 0 && len(l.Parts[0].Words) > 0 && l.Parts[0].Words[0] != "sleep"
}

func (s *Set) shell(ctx context.Context, dir string, in object.Object, began func(output func() string)) Result {
	parts, err := shell.Parse(in.Text("command"))
	if err != nil {
		return s.brokenLine(ctx, in.Text("command"))
	}
	c, now, refused := s.command(dir, in)
	if refused != "" && leaves(parts) {
		s.mu.Lock()
		s.now = s.options.Dir
		s.mu.Unlock()
		use := object.Of("stdout", "", "stderr", resetText(s.options.Dir), "interrupted", false, "isImage", false, "noOutputExpected", true)
		return Result{Content: renderBash(use), Use: use, layout: idFirstNoError}
	}
	if refused != "" { // which takes the time that a process takes
		idle := &shell.Command{Line: ":", Dir: s.options.Dir, Fence: s.options.Fence}
		_, _ = idle.Run(ctx)
		return Fail(refused)
	}
	p, err := c.Start()
	s.mu.Lock()
	s.ran = true
	s.mu.Unlock()
	if errors.Is(err, fence.ErrNone) {
		return Fail(err.Error() + ". A script with \"tools_anywhere\": true lets it run.")
	}
	if err != nil {
		return Fail(err.Error())
	}
	limit := Limit(in)
	if began != nil {
		began(p.Output)
		limit = maxBehind
	}
	o := p.Await(ctx, limit)
	warning := s.moved(now)
	out, whole := o.Stdout, ""
	if len(out) > maxShown {
		out, whole = strings.ToValidUTF8(out[:maxShown], ""), out
	}
	out = Trim(out)
	if recursive(in.Text("command"), parts) {
		out = strings.ReplaceAll(strings.TrimPrefix(out, "./"), "\n./", "\n")
	}
	meaning := interpret(parts, o.Code)
	if o.TimedOut {
		return Fail(withOutput(fmt.Sprintf("Exit code 143\nCommand timed out after %s", Span(limit)), out))
	}
	if o.Code != 0 && meaning == "" {
		return Fail(withOutput(fmt.Sprintf("Exit code %d", s.exitCode(&o)), out))
	}
	if image := pictured(out); image != nil && whole == "" && s.options.Newest {
		return Result{Content: []any{image}, Use: object.Of("stdout", out, "stderr", warning, "interrupted", o.Interrupted, "isImage", true, "noOutputExpected", silent(parts))}
	}
	use := object.Of("stdout", out, "stderr", warning, "interrupted", o.Interrupted, "isImage", false)
	if meaning != "" {
		use.Set("returnCodeInterpretation", meaning)
	}
	if o.Code == 0 && whole == "" {
		s.noteShown(dir, in.Text("command"), parts)
	}
	use.Set("noOutputExpected", silent(parts))
	if commit := committed(in.Text("command"), out); commit != nil {
		use.Set("gitOperation", commit)
	}
	return Result{Content: renderBash(use), Use: use, Output: whole, layout: idFirstNoError}
}

// exitCode is the code that the CLI tells: one of its own for a shell that a signal has ended.
func (s *Set) exitCode(o *shell.Outcome) int {
	const terminated = 143
	switch {
	case !o.Signalled || !s.options.Newest:
		return o.Code
	case o.Code == terminated:
		return terminated + 1
	}
	return 1
}

// dataURL finds an image that is a command's whole output.
var dataURL = regexp.MustCompile(`^data:(image/[a-z0-9.+_-]+);base64,([A-Za-z0-9+/=]+)$`)

// pictured is the block of an image that a command has written, nil for any other output.
func pictured(out string) any {
	m := dataURL.FindStringSubmatch(strings.TrimSpace(out))
	if m == nil {
		return nil
	}
	return object.Of("type", "image", "source", object.Of("type", "base64", "media_type", m[1], "data", m[2]))
}

// renderBash is what the model is told of a command that has run.
func renderBash(use object.Object) string {
	shown := use.Text("stdout")
	if stderr := strings.TrimPrefix(use.Text("stderr"), "\n"); stderr != "" {
		shown = strings.TrimPrefix(withOutput(shown, stderr), "\n")
	}
	if shown == "" {
		return "(Bash completed with no output)"
	}
	return shown
}

func withOutput(text, out string) string {
	if out == "" {
		return text
	}
	return text + "\n" + out
}

// moved notes where the next command runs. It returns a warning if the last one has left the
// working directory.
func (s *Set) moved(file string) string {
	defer os.Remove(file)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return "" // the command has put something else there
	}
	data, err := os.ReadFile(file)
	to := strings.TrimSuffix(string(data), "\n")
	if err != nil || to == "" {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !shell.InsideAny(s.options.Fence.Folders(), to) {
		s.now = s.options.Dir
		return resetText(s.options.Dir)
	}
	// The folder keeps its name where its path has links in it.
	if real, err := filepath.EvalSymlinks(s.options.Dir); err == nil {
		if rel, err := filepath.Rel(real, to); err == nil && filepath.IsLocal(rel) {
			to = filepath.Join(s.options.Dir, rel)
		}
	}
	s.now = to
	return ""
}

// resetText is what is said when a command has left the working directory.
func resetText(dir string) string { return "\nShell cwd was reset to " + dir }

// Trim is the output of a command as it is shown.
func Trim(out string) string {
	return strings.TrimPrefix(strings.TrimLeft(strings.TrimRight(out, "\n "), "\n"), "\r")
}

// Span is a time as it is told, in whole seconds.
func Span(d time.Duration) string {
	d = d.Round(time.Second)
	if d < time.Minute {
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm %ds", int(d.Minutes()), int(d.Seconds())%60)
}

// interpret says what an exit code means that is not a failure.
func interpret(l *shell.Line, code int) string {
	if l == nil || len(l.Parts) == 0 || code != 1 {
		return ""
	}
	words := l.Parts[len(l.Parts)-1].Words
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "grep", "rg":
		return "No matches found"
	case "diff":
		return "Files differ"
	case "test", "[":
		return "Condition is false"
	}
	return ""
}

// recursive reports whether a line is a grep that looks into the folder in which it runs, with or
// without others that read what it writes. In the CLI it names files without a dot before them.
func recursive(line string, l *shell.Line) bool {
	if len(l.Parts) == 0 || l.Compound || strings.ContainsAny(line, ";&") || strings.Contains(line, "||") {
		return false
	}
	words := l.Parts[0].Words
	return len(words) > 2 && words[0] == "grep" && strings.TrimRight(words[len(words)-1], "/") == "." && slices.ContainsFunc(words[1:], func(w string) bool {
		return w == "--recursive" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.ContainsAny(w, "rR")
	})
}

var silents = strings.Fields("mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait")

// silent reports whether a line writes nothing when all goes well.
func silent(l *shell.Line) bool {
	if l == nil || len(l.Parts) == 0 || l.Compound {
		return false
	}
	for _, p := range l.Parts {
		if len(p.Words) == 0 || !slices.Contains(silents, p.Words[0]) {
			return false
		}
	}
	return true
}

var commitLine = regexp.MustCompile(`(?m)^\[(\S+)(?: \([^)]*\))? ([0-9a-f]{7,40})\]`)

// committed says what a git commit did.
func committed(line, out string) any {
	if !strings.Contains(line, "git") || !strings.Contains(line, "commit") {
		return nil
	}
	m := commitLine.FindStringSubmatch(out)
	if m == nil {
		return nil
	}
	return object.Of("commit", object.Of("sha", m[2], "kind", "committed", "branch", m[1]))
}

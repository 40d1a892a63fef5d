package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/manual/page"
	"github.com/ccwire/ccwire/internal/scrub"
	"github.com/ccwire/ccwire/internal/tap"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
)

func init() { register(newTap) }

// tapFlags are the flags of tap.
type tapFlags struct {
	out, web, findings string
	scrub, noCheck     bool
	maxLine            int
}

func newTap() *cobra.Command {
	var f tapFlags
	cmd := &cobra.Command{
		Use:   "tap [--out PATH] [--web ADDRESS] -- CLI [ARGUMENT...]",
		Short: "Stand between an SDK and the CLI, and record what passes",
		Long: `Tap starts the CLI and passes every byte of its standard input, output and error on,
unchanged and at once, and with them signals, half-closes and the exit code. An SDK
that starts it as its claude sees no difference; "protogen tap install" writes a
claude that does that.

Both directions are recorded with times, in the format of ccwire's recordings, which
validate, drift, scrub and view read. The lines are judged while they pass, as by
"validate --lint"; the findings are at the end of the recording, and in the file that
--findings names. If the disk is full or too slow, the session goes on: what is
missing is counted, the recording says so, and so does the standard error at the end.

With --scrub the recording is fit to be shown: see "protogen help scrub". With --web
the session can be watched in a browser while it runs, see "protogen help view". The
address, which has a random token, is on the standard error and, with --out, in a file
beside the recording whose name ends in .url.`,
		Example: `  protogen tap --out session.ndjson -- claude -p --output-format stream-json --input-format stream-json
  protogen tap --out recordings/ --scrub -- claude -p hello
  protogen tap --web 127.0.0.1:0 -- claude -p hello`,
		Annotations: exits(map[string]string{
			"0":   "the CLI ended with 0; with another code or by a signal, so does tap",
			"127": "the CLI could not be started",
		}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd, errors.New(`give the CLI after "--"`)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runTap(cmd, &f, args) },
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false)
	flags.StringVar(&f.out, "out", "", "the `file` to record into, or a folder, with a slash at its end, for a new file")
	flags.StringVar(&f.web, "web", "", "show the session in a browser at this loopback `address`, such as 127.0.0.1:0")
	flags.StringVar(&f.findings, "findings", "", "also write what is odd about the lines to this `file`")
	flags.BoolVar(&f.scrub, "scrub", false, "replace what is private, as protogen scrub does")
	flags.BoolVar(&f.noCheck, "no-check", false, "do not judge the lines")
	addMaxLine(cmd, &f.maxLine)
	cmd.AddCommand(newTapInstall())
	return cmd
}

// check rejects flags that cannot be.
func (f *tapFlags) check(cmd *cobra.Command) error {
	switch {
	case f.out == "" && f.web == "":
		return &usageError{cmd, errors.New("give --out, or --web, or both")}
	case f.findings != "" && f.noCheck:
		return &usageError{cmd, errors.New("--findings and --no-check exclude each other")}
	}
	if err := checkMaxLine(cmd, f.maxLine); err != nil {
		return err
	}
	return checkFile("findings", f.findings)
}

func runTap(cmd *cobra.Command, f *tapFlags, command []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	r := &tap.Recorder{Out: io.Discard}
	if !f.noCheck {
		r.Checker = linecheck.New(true)
	}
	if f.scrub {
		r.Scrub = scrub.New()
	}
	var name string
	if f.out != "" {
		file, err := createRecording(f.out)
		if err != nil {
			return err
		}
		defer file.Close() // all writes were checked
		name, r.Out = file.Name(), file
	}
	if f.web != "" {
		stop, err := f.show(cmd, r, command, name)
		if err != nil {
			return err
		}
		defer stop()
	}
	t := &tap.Tap{
		Command: command, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Recorder: r,
		Limits: tap.Limits{Line: f.maxLine},
	}
	exit, err := t.Run()
	if err != nil {
		printError(cmd.ErrOrStderr(), err)
		return otherExit(127)
	}
	f.tell(cmd, r.Report(), name)
	switch {
	case exit.Signal != nil:
		exit.Leave()
	case exit.Code != 0:
		return otherExit(exit.Code)
	}
	return nil
}

// lastLook is how long those who watch may take to get the end of a session.
const lastLook = 500 * time.Millisecond

// show serves the page of the session. It never holds up the session: the rows are made beside it.
func (f *tapFlags) show(cmd *cobra.Command, r *tap.Recorder, command []string, name string) (stop func(), err error) {
	hub := new(view.Hub)
	server, err := view.ServeLive(f.web, "tap: "+filepath.Base(command[0]), hub, page.Entry)
	if err != nil {
		return nil, &usageError{cmd, fmt.Errorf("--web %w", err)}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "protogen: tap: %s\n", server.URL())
	note := ""
	if name != "" {
		note = name + ".url"
		if err := os.WriteFile(note, []byte(server.URL()+"\n"), 0o600); err != nil {
			return nil, errors.Join(err, server.Close())
		}
	}
	var rows view.Builder
	r.Watch = func(s tap.Seen) {
		if s.Missed > 0 {
			hub.Add(rows.Missed(s.Missed))
		}
		hub.Add(rows.Add(s.Number, &s.Entry, s.Text, s.Verdict))
	}
	return func() {
		hub.End()
		server.Drain(lastLook)
		if note != "" {
			os.Remove(note) // it leads nowhere now
		}
	}, nil
}

// createRecording makes the file to record into, which only the user may read.
func createRecording(out string) (*os.File, error) {
	info, err := os.Stat(out)
	if strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) || err == nil && info.IsDir() {
		if err := os.MkdirAll(out, 0o700); err != nil {
			return nil, fmt.Errorf("--out %s: %w", out, err)
		}
		name := fmt.Sprintf("%s-%d.ndjson", time.Now().UTC().Format("20060102T150405.000"), os.Getpid())
		return os.OpenFile(filepath.Join(out, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
	if err := checkFile("out", out); err != nil {
		return nil, err
	}
	return os.OpenFile(out, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
}

// tell writes the findings, and warns of what is missing. It says nothing if all is well: the
// standard error is the SDK's.
func (f *tapFlags) tell(cmd *cobra.Command, r tap.Report, name string) {
	if f.findings != "" {
		if err := writeFindings(f.findings, r, name); err != nil {
			printError(cmd.ErrOrStderr(), err)
		}
	}
	if f.out == "" {
		return
	}
	if r.Late {
		printError(cmd.ErrOrStderr(), fmt.Errorf("tap: %s is not complete: it could not be written in time", terminal.Printable(name)))
	}
	if r.Lost > 0 {
		why := "the recorder was too slow"
		if r.Err != nil {
			why = r.Err.Error()
		}
		printError(cmd.ErrOrStderr(), fmt.Errorf("tap: %d bytes of the session were not recorded: %s", r.Lost, why))
	}
}

// writeFindings writes findings as validate prints them.
func writeFindings(file string, r tap.Report, name string) error {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for _, found := range r.Found {
		found.File, found.Line = name, found.Entry
		if _, err = fmt.Fprintln(out, found.Text(terminal.Style{})); err != nil {
			break
		}
	}
	if more := r.Findings - len(r.Found); more > 0 && err == nil {
		_, err = fmt.Fprintf(out, "%d more\n", more)
	}
	if r.Unjudged > 0 && err == nil {
		_, err = fmt.Fprintf(out, "%d lines were not judged: protogen validate --lint does it\n", r.Unjudged)
	}
	return errors.Join(err, out.Close())
}

func newTapInstall() *cobra.Command {
	var out, web string
	var scrub, program bool
	cmd := &cobra.Command{
		Use:   "install FOLDER [--out FOLDER] -- CLI",
		Short: "Write a claude that starts a tap, for SDKs that take a path",
		Long: `Install writes the program FOLDER/claude, which an SDK can start as its CLI: it starts a
tap before the CLI that is named. Each session is a file of its own in the folder
--out, by default FOLDER/recordings. With --web it can be watched while it runs, as by
"protogen tap --web": its address is in a file beside the recording, NAME.url.

The program is a shell script (claude.cmd on Windows). With --copy it is a copy of
protogen, with its settings in a file beside it, for places without a shell.`,
		Example: `  protogen tap install /tmp/tapped -- /usr/local/bin/claude`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &usageError{cmd, fmt.Errorf("give a folder and the path of the CLI, got %d arguments", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := wrapper(args[0], out, args[1], scrub)
			if err != nil {
				return err
			}
			if web != "" {
				if err := view.CheckAddress(web); err != nil {
					return &usageError{cmd, fmt.Errorf("--web %w", err)}
				}
				w.Args = append(w.Args, "--web", web)
			}
			install := w.Install
			if program {
				install = w.InstallCopy
			}
			path, err := install(args[0], runtime.GOOS == "windows")
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `folder` for the recordings (default: recordings in FOLDER)")
	cmd.Flags().BoolVar(&scrub, "scrub", false, "replace what is private, as protogen scrub does")
	cmd.Flags().StringVar(&web, "web", "", "show each session in a browser at this loopback `address`, such as 127.0.0.1:0")
	cmd.Flags().BoolVar(&program, "copy", false, "write a copy of protogen in place of a script")
	return cmd
}

// wrapper returns what install writes, with full paths: an SDK runs it in any folder.
func wrapper(dir, out, cli string, scrub bool) (*tap.Wrapper, error) {
	if out == "" {
		out = filepath.Join(dir, "recordings")
	}
	self, err := exec.LookPath(os.Args[0]) // a link stays right when what it leads to is replaced
	if err != nil {
		return nil, err
	}
	full := func(path string) string {
		abs, problem := filepath.Abs(path)
		err = errors.Join(err, problem)
		return abs
	}
	w := &tap.Wrapper{Protogen: full(self), Args: []string{"tap", "--out", full(out) + string(filepath.Separator)}, CLI: cli}
	if strings.ContainsAny(cli, `/\`) {
		w.CLI = full(cli)
	}
	if scrub {
		w.Args = append(w.Args, "--scrub")
	}
	return w, err
}

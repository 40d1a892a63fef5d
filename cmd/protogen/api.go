package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/conformance/fakeapi"
	"github.com/ccwire/ccwire/internal/apirun"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/shim"
)

func init() { register(newAPI) }

// apiFlags are the flags of the verb api.
type apiFlags struct {
	script   string
	port     int
	keepHome bool
	json     string
}

func newAPI() *cobra.Command {
	var f apiFlags
	cmd := &cobra.Command{
		Use:   "api --script FILE [--port N] [-- COMMAND [ARGUMENT...]]",
		Short: "Be a Messages API that says what a script tells it to",
		Long: `Api serves a fake Messages API on loopback, with which the real CLI runs offline and
without a key. What the model says is in a script, in the form that "protogen sim" has too.

With a command, it runs that with the environment that leads a CLI to the API and to
nothing else, and ends with its exit code. Keys, tokens, proxies and what else could lead
elsewhere are taken out of that environment. The home of the command is an empty folder
that is removed at the end, so that nothing of yours is read or written; with --keep-home
it is yours, and only what the CLI keeps for itself is in such a folder.

Without one, it prints the environment for a shell, and serves until it is interrupted.
Each request is a line on the standard error.

At the end, turns that were not asked for are named. With --json the address, the
environment, each request and the end are lines of JSON, on the standard output or, as a
command has that, in a file.`,
		Example: `  protogen api --script script.json -- claude -p "greet me"
  protogen api --script script.json --json=requests.ndjson -- node agent.mjs
  protogen api --script script.json --port 8080`,
		Annotations: exits(map[string]string{
			"0":   "the command ended with 0, or there was none; with another code, so does api",
			"127": "the command could not be started",
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return f.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false)
	flags.StringVar(&f.script, "script", "", "what the model says, a JSON `file`")
	flags.IntVar(&f.port, "port", 0, "listen on this `port` (default: a free one)")
	flags.BoolVar(&f.keepHome, "keep-home", false, "the command has your home")
	flags.StringVar(&f.json, "json", "", "print JSON, or write it to this `file`")
	flags.Lookup("json").NoOptDefVal = stdoutName
	return cmd
}

// check rejects flags that cannot be.
func (f *apiFlags) check(cmd *cobra.Command, command []string) error {
	var err error
	switch {
	case f.script == "":
		err = errors.New("say what the model says with --script FILE")
	case f.port < 0 || f.port > 65535:
		err = fmt.Errorf("--port must be between 0 and 65535, got %d", f.port)
	case f.keepHome && len(command) == 0:
		err = errors.New("--keep-home is for a command, and there is none")
	case f.json == stdoutName && len(command) > 0:
		err = errors.New("the standard output is that of the command: give a file, --json=FILE")
	}
	if err != nil {
		return &usageError{cmd, err}
	}
	if f.json != stdoutName {
		return checkFile("json", f.json)
	}
	return nil
}

func (f *apiFlags) run(cmd *cobra.Command, command []string) (err error) {
	script, err := fakeapi.LoadScript(f.script)
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		err = fmt.Errorf("--script %s: %w: give a JSON file", f.script, cause.Err)
	}
	if err != nil {
		return &usageError{cmd, err}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	srv, err := fakeapi.Listen(cmd.Context(), fmt.Sprintf("127.0.0.1:%d", f.port), script)
	if err != nil {
		return err
	}
	defer srv.Close()
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	log, err := f.log(cmd, len(command) > 0)
	if err != nil {
		return err
	}
	if err := log.begin(srv.URL(), scratch); err != nil {
		return errors.Join(err, log.close())
	}
	wait := apirun.Watch(srv, log.request)
	code := 0
	if len(command) == 0 {
		<-ctx.Done()
	} else {
		run := apirun.Command{Args: command, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, URL: srv.URL(), Scratch: scratch, KeepHome: f.keepHome}
		code, err = run.Run()
	}
	srv.Close()
	wait()
	switch {
	case errors.Is(err, apirun.ErrNotStarted):
		printError(cmd.ErrOrStderr(), err)
		code, err = 127, nil
	case err == nil:
		log.end(srv)
	}
	if err = errors.Join(err, log.close()); err == nil && code != 0 {
		return otherExit(code)
	}
	return err
}

// An apiLog tells what happens: in lines for people, or of JSON.
type apiLog struct {
	stdout, stderr io.Writer // nil if nothing is to be told there
	notes          io.Writer // for what is told at the end
	json           io.Writer // nil: no JSON
	file           *os.File  // that json is, or nil
	err            error     // the first of json
}

// log returns the log that the flags ask for. The streams of a command are left to it.
func (f *apiFlags) log(cmd *cobra.Command, command bool) (*apiLog, error) {
	l := &apiLog{notes: cmd.ErrOrStderr()}
	switch {
	case f.json == stdoutName:
		l.json = cmd.OutOrStdout()
	case f.json != "":
		file, err := os.Create(f.json)
		if err != nil {
			return nil, err
		}
		l.file, l.json = file, file
	}
	if !command && f.json != stdoutName {
		l.stdout, l.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	}
	return l, nil
}

// Lines of JSON.
type (
	apiBegin struct {
		Event string            `json:"event"` // listening
		URL   string            `json:"url"`
		Env   map[string]string `json:"env"`   // what to set
		Unset []string          `json:"unset"` // what leads elsewhere
	}
	apiRequest struct {
		Event string `json:"event"` // request
		fakeapi.Request
	}
	apiEnd struct {
		Event  string `json:"event"`  // end
		Unused []int  `json:"unused"` // turns, from 1
	}
)

// begin tells the address and the environment.
func (l *apiLog) begin(url string, scratch *sandbox.Scratch) error {
	begin := apiBegin{"listening", url, map[string]string{}, append([]string{}, apirun.Elsewhere(os.Environ(), url)...)}
	var lines strings.Builder
	for _, v := range apirun.Variables(url, scratch) {
		name, value, _ := strings.Cut(v, "=")
		begin.Env[name] = value
		fmt.Fprintf(&lines, "export %s=%s\n", name, shim.Quote(value))
	}
	if len(begin.Unset) > 0 {
		fmt.Fprintf(&lines, "unset %s\n", strings.Join(begin.Unset, " "))
	}
	l.write(begin)
	if l.stdout == nil {
		return l.err
	}
	_, err := io.WriteString(l.stdout, lines.String())
	return errors.Join(l.err, err)
}

// request tells a request. Its error is that of close.
func (l *apiLog) request(q fakeapi.Request) {
	l.write(apiRequest{"request", q})
	if l.stderr != nil {
		fmt.Fprintf(l.stderr, "protogen: api: %s\n", apirun.Line(q))
	}
}

// end tells what is left of the script.
func (l *apiLog) end(srv *fakeapi.Server) {
	l.write(apiEnd{"end", append([]int{}, srv.Unused()...)})
	if left := apirun.Left(srv); left != "" {
		fmt.Fprintf(l.notes, "protogen: api: %s\n", left)
	}
}

func (l *apiLog) write(v any) {
	if l.json != nil && l.err == nil {
		l.err = json.NewEncoder(l.json).Encode(v)
	}
}

// close returns the first error of writing.
func (l *apiLog) close() error {
	if l.file == nil {
		return l.err
	}
	return errors.Join(l.err, l.file.Close())
}

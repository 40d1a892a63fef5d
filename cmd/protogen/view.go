package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/manual/page"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
)

func init() { register(newView) }

// viewFlags are the flags of view.
type viewFlags struct {
	out, address, direction string
	text, open              bool
	maxLine                 int
}

func newView() *cobra.Command {
	var f viewFlags
	cmd := &cobra.Command{
		Use:   "view FILE|-",
		Short: "Show a recording as a page, or as a timeline in the terminal",
		Long: `View shows a recording, of ccwire or of a tap, plain NDJSON, or a transcript file: both
ends in a lane each, requests joined to their answers with the time between them, turns,
what "validate --lint" finds, each line raw and decoded, and the manual's entry for it.
Beside it are the conversation, and where the time of each turn went. Rows can be
filtered by lane, kind and text, searched, copied and saved; the key ? lists the keys.

With --out the page is one file that needs nothing else, not even a network. Without it
the page is served on loopback until Ctrl-C, at an address with a random token that is
printed; --open opens it. With --text a timeline is printed instead.

A recording is not trusted: nothing in it is run, in the page or by the terminal. It may
hold what is private: see "protogen help scrub".`,
		Example: `  protogen view --text session.ndjson
  protogen view --out page.html session.ndjson`,
		Args: wantFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runView(cmd, &f, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "write the page to this `file`, or to - for the standard output")
	flags.StringVar(&f.address, "address", "127.0.0.1:0", "where to serve the page: a loopback `address`")
	flags.StringVar(&f.direction, "direction", "either", "who wrote the lines of plain NDJSON: from-cli, from-sdk or either")
	flags.BoolVar(&f.text, "text", false, "print a timeline")
	flags.BoolVar(&f.open, "open", false, "open the page in the browser")
	addMaxLine(cmd, &f.maxLine)
	completeWith(cmd, "direction", "either", "from-cli", "from-sdk")
	return cmd
}

func runView(cmd *cobra.Command, f *viewFlags, name string) error {
	direction, ok := directions[f.direction]
	switch {
	case !ok:
		return &usageError{cmd, fmt.Errorf("unknown --direction %q: use from-cli, from-sdk or either", f.direction)}
	case f.text && (f.out != "" || f.open):
		return &usageError{cmd, errors.New("--text is for the terminal: leave out --out and --open")}
	case f.out != "" && f.open:
		return &usageError{cmd, errors.New("--open is for a page that is served: leave out --out")}
	}
	if err := checkMaxLine(cmd, f.maxLine); err != nil {
		return err
	}
	if f.out != stdoutName {
		if err := checkFile("out", f.out); err != nil {
			return err
		}
	}
	src, err := linestream.Open(name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer src.Close()
	o := linestream.Options{Direction: direction, MaxLine: f.maxLine}
	if f.text {
		return printTimeline(cmd, src, o)
	}
	write := func(w io.Writer) error {
		out := bufio.NewWriter(w)
		p := view.NewPage(out, filepath.Base(name), page.Entry)
		return errors.Join(view.Read(src, o, p.Add), p.Close(), out.Flush())
	}
	switch f.out {
	case "":
		return servePage(cmd, f, write)
	case stdoutName:
		return write(cmd.OutOrStdout())
	}
	file, err := os.Create(f.out)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

func printTimeline(cmd *cobra.Command, src io.Reader, o linestream.Options) error {
	style, err := styleOf(cmd, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	width := terminal.Width(cmd.OutOrStdout(), os.Getenv)
	if !terminal.Is(cmd.OutOrStdout()) && os.Getenv("COLUMNS") == "" {
		width = math.MaxInt32 // whatever reads it wants all of it
	}
	text := view.NewText(out, width, style)
	return errors.Join(view.Read(src, o, text.Add), out.Flush())
}

// servePage serves a page until the user has seen enough.
func servePage(cmd *cobra.Command, f *viewFlags, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	server, err := view.Serve(f.address, b.Bytes())
	if err != nil {
		return &usageError{cmd, fmt.Errorf("--address %w", err)}
	}
	return showUntilStopped(cmd, server, f.open)
}

// showUntilStopped prints the address of a page, and opens it if that is wished.
func showUntilStopped(cmd *cobra.Command, server *view.Server, open bool) error {
	defer server.Close()
	ctx, stop := interruptible(cmd)
	defer stop()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), server.URL()); err != nil {
		return err
	}
	if open {
		if err := openBrowser(server.URL()); err != nil {
			printError(cmd.ErrOrStderr(), fmt.Errorf("no browser could be opened: %w", err))
		}
	}
	<-ctx.Done()
	return nil
}

// openBrowser asks the system to show an address.
func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	}
	return exec.Command("xdg-open", url).Start()
}

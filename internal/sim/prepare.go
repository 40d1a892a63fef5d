package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/flags"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/structured"
)

// prepare reads the arguments. It reports false, with an exit code, if there is nothing to play.
func (s *Session) prepare() (int, bool) {
	refuse := func(format string, args ...any) (int, bool) {
		fmt.Fprintf(s.Stderr, format+"\n", args...)
		return 1, false
	}
	set, err := flags.Parse(s.Args)
	if err != nil {
		return refuse("%v", err)
	}
	for _, flag := range set.Names() {
		if !s.release.Has(flag) {
			return refuse("error: unknown option '--%s'", flag)
		}
	}
	s.flags = set
	var failed *startError
	if !set.Has("version") && checkValues(set) == "" {
		failed = s.awaitInitialize(set)
	}
	s.compose()
	if set.Has("version") {
		s.out.Text(s.release.String() + " (Claude Code)\n")
		return 0, false
	}
	s.out.SetForm(form(set))
	for _, flag := range set.Unknown {
		if s.Strict {
			return refuse("error: unknown option '%s'", flag)
		}
		fmt.Fprintf(s.Stderr, "protogen sim: unknown option %s is ignored\n", flag)
	}
	for _, name := range set.Values("betas") {
		if name != flags.Beta {
			fmt.Fprintf(s.Stderr, "the beta '%s' is left out: the only one that can be asked for is %s\n", name, flags.Beta)
		}
	}
	if text := s.checkOptions(); text != "" {
		return refuse("%s", text)
	}
	if text := set.Value("json-schema"); text != "" {
		form, err := structured.Parse(text)
		if err != nil {
			return refuse("Error: --json-schema %v", err)
		}
		s.host.SetForm(form)
	}
	s.out.SetID(ids.UUID())
	if id := set.Value("session-id"); id != "" {
		s.out.SetID(id)
	}
	if failed != nil {
		s.cannotStart(failed)
		return failed.code, false
	}
	if err := s.openSettings(); err != nil {
		return refuse("%v", err)
	}
	s.choose()
	if s.asRoot() {
		return refuse("--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons")
	}
	if text := s.goOn(); text != "" {
		s.cannotGoOn(text)
		return 1, false
	}
	if err := s.open(); err != nil {
		return refuse("%v", err)
	}
	s.recallFiles()
	s.keepProgress()
	return 0, true
}

// form is what the output is.
func form(o *flags.Set) output.Form {
	switch {
	case o.Stream():
		return output.Lines
	case o.Value("output-format") == "json" && o.Has("verbose"):
		return output.Array
	}
	return output.Text
}

// checkOptions returns what is wrong with the flags, "" if nothing is.
func (s *Session) checkOptions() string {
	o := s.flags
	if m := o.Value("permission-mode"); m != "" && m != "default" && !slices.Contains(permission.FlagModes, m) {
		return fmt.Sprintf("error: option '--permission-mode <mode>' argument '%s' is invalid. Allowed choices are %s.", m, strings.Join(permission.FlagModes, ", "))
	}
	if text := checkValues(o); text != "" {
		return text
	}
	if o.StreamInput() && !o.Stream() {
		return "Error: --input-format=stream-json requires output-format=stream-json."
	}
	if o.Has("include-partial-messages") && !o.Stream() {
		return "Error: --include-partial-messages requires --print and --output-format=stream-json."
	}
	if o.Stream() && !o.Has("verbose") {
		return "Error: When using --print, --output-format=stream-json requires --verbose"
	}
	return cmp.Or(s.checkSession(), s.checkFiles())
}

// cannotStart tells the SDK why the session does not start; on its output where it reads that.
func (s *Session) cannotStart(e *startError) {
	if e.text == "" {
		return
	}
	fmt.Fprintln(s.Stderr, e.text)
	if s.flags.Stream() && s.place.On("CLAUDE_CODE_STARTUP_FAILURE_RESULTS") && !s.release.Before("2.1.325") {
		s.results.NoStart(e.text, e.reason)
	}
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/conformance/broken"
	"github.com/ccwire/ccwire/internal/conformance/recording"
	"github.com/ccwire/ccwire/internal/conformance/recordings"
	"github.com/ccwire/ccwire/internal/conformance/replay"
)

func init() { register(newFakeCLI) }

// scenarioEnv names the scenario where the command line is not ours to choose.
const scenarioEnv = "CCWIRE_SCENARIO"

func newFakeCLI() *cobra.Command {
	var scenario, breakage string
	var strict, version bool
	cmd := &cobra.Command{
		Use:   "fakecli --scenario NAME [ARGUMENT...]",
		Short: "Be the simulated CLI for one session",
		Long: `Fakecli speaks the CLI's end of the protocol on its standard input and output, as the
newest recorded version of the CLI does in one scenario. The arguments of the
CLI are accepted and ignored, so that an SDK can start it as its claude; then the
scenario can also be in the environment variable ` + scenarioEnv + `.

Lines of the SDK must be of the same kind as in the recording; with --strict they
must say the same. Where they do not, it ends and says why on stderr.`,
		Example: `  protogen fakecli --scenario turn/text --output-format stream-json
  CCWIRE_SCENARIO=permission/allow protogen fakecli`,
		Annotations: exits(map[string]string{
			"0":  "the session went as recorded, and the CLI ended with 0; with another code, that one",
			"70": "the SDK has left the recording",
		}),
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			newest := recordings.Newest()
			if version {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s (Claude Code)\n", newest)
				return err
			}
			if scenario == "" {
				scenario = os.Getenv(scenarioEnv)
			}
			if scenario == "" {
				return &usageError{cmd, errors.New("--scenario is missing")}
			}
			entries, err := recordings.Read(newest, scenario)
			if errors.Is(err, fs.ErrNotExist) {
				err := fmt.Errorf("no recording of scenario %q: \"protogen conform --list\" lists their names", scenario)
				return &usageError{cmd, suggestScenario(err, scenario)}
			}
			if err != nil {
				return err
			}
			if breakage != "" {
				if !broken.Known(breakage) {
					err := fmt.Errorf("no such breakage %q: %s", breakage, strings.Join(broken.Names(), ", "))
					return &usageError{cmd, suggest(err, breakage, broken.Names())}
				}
				entries = broken.Break(breakage, entries)
			}
			names := recording.NewNames(newest, "")
			if cwd, err := os.Getwd(); err == nil {
				names.Folder(cwd, "/scratch/cwd")
			}
			session := &replay.Session{Entries: entries, Names: names, Loose: !strict}
			if code := session.ServeProcess(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()); code != 0 {
				return otherExit(code)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&scenario, "scenario", "", "the `name` of the scenario (default: $"+scenarioEnv+")")
	flags.StringVar(&breakage, "break", "", "break one thing: "+strings.Join(broken.Names(), ", "))
	flags.BoolVar(&strict, "strict", false, "accept only what the SDK said in the recording")
	flags.BoolVar(&version, "version", false, "print the version as the CLI does")
	completeBy(cmd, "scenario", scenarioWords)
	completeWith(cmd, "break", broken.Names()...)
	return cmd
}

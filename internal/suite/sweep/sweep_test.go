package sweep_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/internal/suite/sweep"
)

// pack writes a package with a text.
func pack(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNamesAreFoundWhereverTheyStandInAPackage(t *testing.T) {
	const text = `process.env.CLAUDE_CODE_ONE;"CLAUDE_CODE_TWO" MY_CLAUDE_CODE_NOT;A.option("--three","x").option("-f, --four")` +
		`x("--help");"--not-declared";CLAUDE_CODE_API_KEY;CLAUDE_CODE_ENTRYPOINT;`
	want := []string{"--four", "--three", "CLAUDE_CODE_ENTRYPOINT=claude-vscode", "CLAUDE_CODE_ONE=1", "CLAUDE_CODE_TWO=1"}
	for _, before := range []int{0, 1<<20 - len(text) - 1, 1<<20 - len(text)/2, 1<<20 - 3, 1<<20 - 150} {
		list, err := sweep.Toggles(pack(t, strings.Repeat(" ", before)+text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, toggle := range list {
			if name := toggle.String(); !strings.HasPrefix(name, "CLAUDE_CODE_ENTRYPOINT=") || name == want[2] {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d bytes: %s", before, diff)
		}
	}
}

// odd is the simulated CLI, which says something unknown under some variables.
type odd struct {
	suite.Target
	path  string
	under [][]string // each shows a member of its own, and all of it must be set
}

func (o *odd) Path() string { return o.path }

func (o *odd) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	peer, err := o.Target.Start(ctx, s)
	if err != nil {
		return nil, err
	}
	members := ""
	for i, list := range o.under {
		if !slices.ContainsFunc(list, func(name string) bool { return s.Env[name] == "" }) {
			members += fmt.Sprintf(`"odd_%d":true,`, i)
		}
	}
	from, to := io.Pipe()
	go func() { // ends with the CLI
		lines := bufio.NewReader(peer.Stdout())
		for {
			line, err := lines.ReadBytes('\n')
			line = bytes.Replace(line, []byte(`"type":"result",`), []byte(`"type":"result",`+members), 1)
			if _, werr := to.Write(line); err != nil || werr != nil {
				to.CloseWithError(err)
				return
			}
		}
	}()
	return &oddPeer{peer, from}, nil
}

type oddPeer struct {
	suite.Peer
	stdout *io.PipeReader
}

func (p *oddPeer) Stdout() io.Reader { return p.stdout }

func TestWhatAToggleShowsIsFoundAmongMany(t *testing.T) {
	simulated, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "CLAUDE_CODE_N%02d;", i)
	}
	target := &odd{simulated, pack(t, text.String()), [][]string{
		{"CLAUDE_CODE_N07"}, {"CLAUDE_CODE_N11"}, {"CLAUDE_CODE_N02", "CLAUDE_CODE_N03"}, {"CLAUDE_CODE_N21", "CLAUDE_CODE_WITH"},
	}}
	r, err := sweep.Run(t.Context(), target, sweep.Options{Group: 10, With: []sweep.Toggle{{Name: "CLAUDE_CODE_WITH", Value: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, f := range r.Unknown {
		_, what, _ := strings.Cut(f.What, " at /")
		name, _, _ := strings.Cut(what, ":")
		got[name] = f.Under
	}
	want := map[string][]string{
		"odd_0": {"CLAUDE_CODE_N07=1"}, "odd_1": {"CLAUDE_CODE_N11=1"}, "odd_3": {"CLAUDE_CODE_N21=1"},
		"odd_2": {"CLAUDE_CODE_N02=1 CLAUDE_CODE_N03=1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%+v", diff, r)
	}
	if r.Tried != 30 || len(r.Ended) > 0 {
		t.Errorf("%d toggles, and the session ends early under %v", r.Tried, r.Ended)
	}
}

func TestAReportSaysWhatIsUnknownAndWhere(t *testing.T) {
	r := &sweep.Report{Version: "2.1.1", Tried: 2, Sessions: 3, Ended: []string{"--x"}, Unknown: []sweep.Finding{
		{What: "a"}, {What: "b", Under: []string{"1", "2", "3", "4", "5"}},
	}}
	var b bytes.Buffer
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = "2.1.1 under 2 toggles, in 3 sessions: 2 things not in the schemas.\n\na\n    in the plain session\nb\n    under 1, 2, 3, 4 and 1 more\n" +
		"\nThe session does not come to its end under --x\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

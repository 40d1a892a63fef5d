package protocol_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/framing/protocol"
	"github.com/ccwire/ccwire/schema"
)

func TestFramesOfEachDirectionAreValid(t *testing.T) {
	for _, d := range []schema.Direction{schema.FromCLI, schema.FromSDK} {
		v := protocol.Vocabulary(d)
		if len(v.Frames) < 3 {
			t.Errorf("%v: %d frames", d, len(v.Frames))
		}
		for _, frame := range v.Frames {
			if schema.Default().Closed().ValidateFrame(d, []byte(frame)) != nil || strings.Count(frame, framing.ID) != 1 {
				t.Errorf("%v: %s", d, frame)
			}
		}
	}
}

// The parsers take only lines that have a type, and write the id of each under another name.
func TestATypedParserIsJudgedByIds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "planted.exe")
	if out, err := exec.Command("go", "build", "-o", name, "../internal/planted/run").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct {
		parser string
		want   string // in the report
	}{
		{"typed", "nothing found"},
		{"typed, stops at noise", "it stops at a line that is not a JSON object\n"},
	} {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && test.parser == "typed" {
				t.Skip("one parser is enough here; make test-all runs both")
			}
			argv := []string{name, test.parser, "--persistent"}
			if _, err := framing.Run(t.Context(), argv, framing.Options{Persistent: true, Growth: -1}); err == nil {
				t.Fatal("it takes plain frames")
			}
			o := framing.Options{Persistent: true, Growth: -1, Time: 6 * time.Second, Frames: protocol.Vocabulary(schema.FromCLI, "id")}
			if testing.Short() {
				o.Time, o.Findings = 3*time.Second, 1
			}
			report, err := framing.Run(t.Context(), argv, o)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			report.WriteText(&text)
			if !strings.Contains(text.String(), test.want) || len(report.Findings) > 1 {
				t.Error(text.String())
			}
		})
	}
}

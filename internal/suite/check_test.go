package suite

import (
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/transport/cli"
)

func TestWhatAVersionDoesNotWriteIsAFinding(t *testing.T) {
	const line = `{"type":"system","subtype":"init","cwd":"/c","session_id":"s","tools":[],"mcp_servers":[],"model":"m","permissionMode":"default","apiKeySource":"none","view_mode":"default","slash_commands":[],"claude_code_version":"2.1.90","output_style":"default","agents":[],"skills":[],"plugins":[],"uuid":"u"}`
	for _, tt := range []struct {
		name    string
		version cli.Version
		want    int
	}{
		{"the newest", cli.Version{Major: 2, Minor: 1, Patch: 325}, 0},
		{"newer than all recorded ones", cli.Version{Major: 99}, 0},
		{"older than the member", cli.Version{Major: 2, Minor: 1, Patch: 90}, 1},
		{"not recorded, and older than the member", cli.Version{Major: 2, Minor: 1, Patch: 100}, 1},
		{"older than all recorded ones", cli.Version{Major: 1}, 0},
		{"unknown", cli.Version{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := checkLine([]byte(line), releaseOf(tt.version))
			if err != nil || len(found) != tt.want {
				t.Fatalf("%v, %v", found, err)
			}
			for _, d := range found {
				if d.Kind != codec.UnknownMember || d.Path != "/view_mode" {
					t.Errorf("%v", d)
				}
			}
		})
	}
}

func TestTheBodyOfAReplyIsHeldToTheVersionToo(t *testing.T) {
	found, err := outdated(releaseOf(cli.Version{Major: 2, Minor: 1, Patch: 90}), "control/interrupt.json#/$defs/Response", []byte(`{"still_queued":[]}`), nil)
	if err != nil || len(found) != 1 || found[0].Kind != codec.UnknownValue {
		t.Errorf("%v, %v", found, err)
	}
}

//go:build live

package sim_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// TestLiveListsAreThoseOfTheRealCLI compares the lists of the simulated CLI with those of the real
// one.
func TestLiveListsAreThoseOfTheRealCLI(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range introductions {
		t.Run(test.name, func(t *testing.T) {
			s, err := fakeapi.ParseScript([]byte(formatScript))
			if err != nil {
				t.Fatal(err)
			}
			api, err := fakeapi.Start(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			defer api.Close()
			files := map[string][]byte{}
			for name, text := range test.files {
				files[name] = []byte(text)
			}
			scratch, err := sandbox.NewScratch(files)
			if err != nil {
				t.Fatal(err)
			}
			defer scratch.Remove()
			cmd := exec.CommandContext(t.Context(), path, slices.Concat(introductionArgs, test.args)...)
			var stdout bytes.Buffer
			cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout = scratch.Cwd, append(scratch.Env(api.URL(), nil), test.env...), strings.NewReader(""), &stdout
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(introduction(t, stdout.Bytes()), introduce(t, test.args, test.env, test.files)); diff != "" {
				t.Errorf("the real CLI (-) and the simulated one (+): %s", diff)
			}
		})
	}
}

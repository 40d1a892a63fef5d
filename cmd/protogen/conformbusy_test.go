//go:build unix

package main

import (
	"bytes"
	"flag"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

var busyRuns = flag.Int("runs", 2, "how often TestConformHoldsBesideABusyMachine runs conform")

// TestConformHoldsBesideABusyMachine runs conform while two other processes for each processor use
// all the time that they get.
func TestConformHoldsBesideABusyMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all scenarios; make test-all runs it")
	}
	for range 2 * runtime.NumCPU() {
		other := exec.CommandContext(t.Context(), "cat", "/dev/zero") // its output is dropped
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { other.Wait() }) // the end of the context has ended it
	}
	for i := range *busyRuns {
		var out, errs bytes.Buffer
		if code := run([]string{"conform"}, strings.NewReader(""), &out, &errs); code != 0 {
			t.Errorf("run %d: exit code %d:\n%s%s", i+1, code, &out, &errs)
		}
	}
}

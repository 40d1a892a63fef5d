package cli

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

func TestExitErrorMessage(t *testing.T) {
	long := strings.Repeat("an earlier line\n", 1000) + "the last line\n"
	tests := []struct {
		name string
		exit ExitError
		want string
	}{
		{"code", ExitError{Command: "claude", Code: 1}, "claude exited with code 1"},
		{"success", ExitError{Command: "claude"}, "claude exited with code 0"},
		{"signal", ExitError{Command: "claude", Code: -1, Signal: "killed"}, "claude was ended by a signal: killed"},
		{"stderr", ExitError{Command: "claude", Code: 1, Stderr: "\nError: a\nb\n\n"}, "claude exited with code 1; stderr ends with:\nError: a\nb"},
		{"unknown", ExitError{Command: "claude", Code: -1, wait: syscall.ECHILD}, "claude is gone, its exit status is unknown: no child processes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.exit.Error(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("long stderr", func(t *testing.T) {
		got := (&ExitError{Command: "claude", Code: 1, Stderr: long}).Error()
		if len(got) > maxQuotedStderr+100 || !strings.HasSuffix(got, "\nthe last line") || !strings.Contains(got, "with:\nan earlier line\n") {
			t.Errorf("got %q", got)
		}
	})
}

func TestLostExitStatusIsSaid(t *testing.T) {
	err := newExitError("claude", nil, syscall.ECHILD, "")
	if !errors.Is(err, syscall.ECHILD) || err.Success() {
		t.Errorf("error = %v", err)
	}
}

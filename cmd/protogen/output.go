package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/terminal"
)

// stdoutName stands for the standard output where a flag names a file.
const stdoutName = "-"

// addJSON adds the flag --json.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// formatOf returns the format that --json and --format together ask for.
func formatOf(cmd *cobra.Command, asJSON bool, format string) (string, error) {
	if !asJSON {
		return format, nil
	}
	if cmd.Flags().Changed("format") && format != "json" {
		return "", &usageError{cmd, errors.New("--json and --format " + format + " exclude each other")}
	}
	return "json", nil
}

// printJSON prints a value as one line.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// styleOf returns how to colour what goes to w.
func styleOf(cmd *cobra.Command, w io.Writer) (terminal.Style, error) {
	choice, err := cmd.Flags().GetString("color")
	if err != nil {
		return terminal.Style{}, err
	}
	style, err := terminal.NewStyle(choice, w, os.Getenv)
	if err != nil {
		return style, &usageError{cmd, err}
	}
	return style, nil
}

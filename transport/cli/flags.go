package cli

import (
	"errors"
	"fmt"
	"strings"
)

// A flagRow is a flag with the value that a [Flags] has for it.
type flagRow struct {
	field, flag string
	since       Version
	value       flagValue
}

// args returns the arguments that pass the flag, none if it is not set.
func (r *flagRow) args() []string {
	if r.value.alone {
		return []string{r.flag}
	}
	var args []string
	for _, text := range r.value.texts {
		args = append(args, r.flag+"="+text)
	}
	return args
}

// Args returns the arguments that pass the flags to the CLI, in the order of the flags' names. A
// value is in one argument with its flag, "--flag=value": it may begin with a dash, and no flag
// takes the argument that follows. Nil has no arguments.
func (f *Flags) Args() []string {
	if f == nil {
		return nil
	}
	var args []string
	for _, row := range f.rows() {
		args = append(args, row.args()...)
	}
	return args
}

// Check returns an [*UnsupportedVersionError] for the first flag that is set and that v lacks. An
// unknown version lacks nothing.
func (f *Flags) Check(v Version) error {
	if f == nil || v.IsZero() {
		return nil
	}
	for _, row := range f.rows() {
		if !v.AtLeast(row.since) && len(row.args()) > 0 {
			return &UnsupportedVersionError{Version: v, Minimum: row.since, Feature: Feature("the flag " + row.flag)}
		}
	}
	return nil
}

// Validate returns an error that names every field whose value cannot be passed on: JSON that is
// not an object, a number out of range, an empty element of a list, a NUL byte. Names of models,
// tools, modes and the like are left to the CLI, because it knows more of them with each version.
func (f *Flags) Validate() error {
	if f == nil {
		return nil
	}
	var errs []error
	for _, row := range f.rows() {
		err := row.value.err
		if err == nil && strings.Contains(strings.Join(row.value.texts, ""), "\x00") {
			err = errors.New("holds a NUL byte")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("flag %s (Flags.%s) %w", row.flag, row.field, err))
		}
	}
	return errors.Join(errs...)
}

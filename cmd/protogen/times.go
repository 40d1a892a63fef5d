package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/times"
	"github.com/ccwire/ccwire/internal/terminal"
)

// lastTimes are how long everything took in the last run, and where that is kept.
type lastTimes struct {
	file  string // "" if it is not kept
	named bool   // by the user
	book  times.Book
}

// readTimes reads the file that the user has named or, if usual, the one of this user.
func readTimes(file string, usual bool) (*lastTimes, error) {
	t := &lastTimes{file: file, named: file != "", book: times.Book{}}
	if file == "" && usual {
		t.file, _ = times.DefaultFile() // without a folder for caches nothing is kept
	}
	if t.file == "" {
		return t, nil
	}
	book, err := times.Read(t.file)
	if err != nil {
		return nil, fmt.Errorf("--times %s: %w", t.file, err)
	}
	t.book = book
	return t, nil
}

// take compares a report with the last run, and keeps its times for the next.
func (t *lastTimes) take(cmd *cobra.Command, r *suite.Report) error {
	r.Notes = append(r.Notes, t.book.Compare(r)...)
	t.book.Add(r)
	if t.file == "" {
		return nil
	}
	err := t.book.Write(t.file)
	if err != nil && !t.named {
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: the times of this run are not kept: %s\n", terminal.Printable(err.Error()))
		return nil
	}
	return err
}

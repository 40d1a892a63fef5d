package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// pipe compares typed messages from an OS pipe, written line by line, with
// reading the same bytes into memory. It returns the share of the raw speed.
func pipe(lines []line, rounds int) (float64, error) {
	lines = lines[:len(lines)-1] // without the one huge line
	var raw, typed []float64
	for range rounds {
		took, err := through(lines, drain)
		if err != nil {
			return 0, err
		}
		raw = append(raw, took.Seconds())
		took, err = through(lines, func(r io.Reader) error {
			in := codec.NewReader(r, nil)
			var d wire.Decoder
			for {
				f, err := in.Next()
				if err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				if _, err := d.Decode(f.Line); err != nil {
					return err
				}
			}
		})
		if err != nil {
			return 0, err
		}
		typed = append(typed, took.Seconds())
	}
	ratios := make([]float64, rounds)
	for i := range ratios {
		ratios[i] = raw[i] / typed[i]
	}
	slices.Sort(ratios)
	fmt.Printf("\npipe, line by line: typed messages reach %.2f of the raw read\n", ratios[rounds/2])
	return ratios[rounds/2], nil
}

// drain reads everything into memory that it uses again.
func drain(r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		if _, err := r.Read(buf); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// through writes the lines into a pipe, one write each, and returns how long
// read took to take them.
func through(lines []line, read func(io.Reader) error) (time.Duration, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	failed := make(chan error, 1)
	begin := time.Now()
	go func() {
		defer w.Close()
		var buf []byte
		for range 5 {
			for i := range lines {
				buf = append(append(buf[:0], lines[i].text()...), '\n')
				if _, err := w.Write(buf); err != nil {
					failed <- err
					return
				}
			}
		}
		failed <- nil
	}()
	if err := read(r); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	return took, <-failed
}

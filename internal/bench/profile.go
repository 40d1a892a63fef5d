package main

import (
	"errors"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

// profile has ccwire alone decode the classes whose measurements contain only, each for some
// seconds of processor time, and writes a profile of that to a file.
func profile(file, only string) (err error) {
	const long = 3 * time.Second
	classes, err := classes()
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	ccwire := libraries()[0]
	for _, c := range classes {
		if !strings.Contains("decode/"+c.name, only) {
			continue
		}
		for begin := processorTime(); processorTime()-begin < long; {
			if err := ccwire.run(c.lines); err != nil {
				return err
			}
		}
	}
	return nil
}

package simtarget

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Varied returns scenarios as they are for a version of the simulated CLI: what is known to be
// otherwise in all of them may differ from the recordings. Those of the newest, "", are returned as
// they are.
func Varied(version string, all []*scenario.Scenario) ([]*scenario.Scenario, error) {
	r, err := release.New(version)
	if err != nil {
		return nil, err
	}
	list, err := variations(r.Recorded())
	if err != nil || len(list) == 0 {
		return all, err
	}
	varied := make([]*scenario.Scenario, len(all))
	for i, s := range all {
		c := *s
		c.Varies = slices.Concat(s.Varies, list)
		varied[i] = &c
	}
	return varied, nil
}

// variations reads VERSION-varies.txt, if there is one: KIND PATH # reason.
func variations(version string) (list []scenario.Variation, err error) {
	name := "older/" + version + "-varies.txt"
	file, err := older.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		what, reason, found := strings.Cut(lines.Text(), " # ")
		kind, path, both := strings.Cut(what, " ")
		if !found || !both {
			return nil, fmt.Errorf("%s: %q is not KIND PATH # reason", name, lines.Text())
		}
		list = append(list, scenario.Variation{Kind: kind, Path: path, Reason: reason})
	}
	return list, lines.Err()
}

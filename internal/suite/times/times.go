// Package times keeps how long scenarios and the replies in them took in the last run on each CLI,
// and finds the replies that come much later now.
package times

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
)

// A reply is late if it takes this much longer than in the last run, and this many times as long.
const (
	lateBy    = 3 * time.Second
	lateTimes = 5
)

// Scenario is how long a scenario took, and the replies in it.
type Scenario struct {
	Took    time.Duration `json:"took"`
	Replies []suite.Reply `json:"replies,omitempty"`
}

// Book has the times of the last runs, by the name of the target and of the scenario.
type Book map[string]map[string]Scenario

// DefaultFile returns where the times of this user are kept: times.json in $CCWIRE_CACHE, or in the
// folder ccwire in the user's folder for caches.
func DefaultFile() (string, error) {
	dir := os.Getenv("CCWIRE_CACHE")
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder for caches: %w; set CCWIRE_CACHE", err)
		}
		dir = filepath.Join(caches, "ccwire")
	}
	return filepath.Join(dir, "times.json"), nil
}

// Read reads a book. A file that does not exist is an empty one.
func Read(path string) (Book, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Book{}, nil
	}
	if err != nil {
		return nil, err
	}
	book := Book{}
	if err := json.Unmarshal(text, &book); err != nil {
		return nil, fmt.Errorf("%s does not hold the times of a run: %w; remove it or name another file", path, err)
	}
	return book, nil
}

// Write writes the book to a file, and makes its folder. The file is there in full or as it was.
func (b Book) Write(path string) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".times")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}

// Compare writes into each reply of a report how long it took in the last run, and returns a note
// for each that is late.
func (b Book) Compare(r *suite.Report) (notes []string) {
	for i := range r.Results {
		result := &r.Results[i]
		last := slices.Clone(b[result.Target][result.Scenario].Replies)
		for j := range result.Replies {
			now := &result.Replies[j]
			at := slices.IndexFunc(last, func(l suite.Reply) bool { return l.ID == now.ID && l.Request == now.Request })
			if at < 0 {
				continue
			}
			now.Last = last[at].Took
			last = slices.Delete(last, at, at+1) // an id may be used again
			if now.Took-now.Last >= lateBy && now.Took >= lateTimes*now.Last {
				notes = append(notes, fmt.Sprintf("%s on %s: the reply to %s (%s) took %v, in the last run %v",
					result.Scenario, result.Target, now.ID, now.Request, round(now.Took), round(now.Last)))
			}
		}
	}
	return notes
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }

// Add takes over the times of the scenarios that hold.
func (b Book) Add(r *suite.Report) {
	for i := range r.Results {
		result := &r.Results[i]
		if result.Status != suite.Pass {
			continue
		}
		if b[result.Target] == nil {
			b[result.Target] = map[string]Scenario{}
		}
		replies := slices.Clone(result.Replies)
		for j := range replies {
			replies[j].Last = 0
		}
		b[result.Target][result.Scenario] = Scenario{result.Duration, replies}
	}
}

// Took returns how long a scenario took on a target, 0 if that is not known.
func (b Book) Took(target, scenario string) time.Duration { return b[target][scenario].Took }

// Newest returns how long a scenario took on the newest version on which it was played, and which
// target that was; "" if it was not played.
func (b Book) Newest(scenario string) (took time.Duration, target string) {
	for name, scenarios := range b {
		if s, ok := scenarios[scenario]; ok && (target == "" || corpus.Compare(version(name), version(target)) > 0) {
			took, target = s.Took, name
		}
	}
	return took, target
}

// version is the last word of the name of a target.
func version(target string) string { return target[strings.LastIndex(target, " ")+1:] }

package tap

import (
	"testing"

	"github.com/ccwire/ccwire/internal/recording"
)

func TestWhoWatchesIsToldWhereAndHowManyEntriesAreNotShown(t *testing.T) {
	var seen []Seen
	watched := make(chan struct{})
	j := newJudge(nil, func(s Seen) {
		<-watched
		seen = append(seen, s)
	}, 1<<20)
	text := make([]byte, 1<<20)
	last := 0
	offer := func(dir recording.Dir, text []byte) {
		last++
		i := item{number: last, dir: dir}
		if dir == recording.Exit {
			i.other = &recording.Entry{Dir: dir}
		}
		l := j.load()
		l.add(i, text)
		j.offer(l)
	}
	for range 2 * judgeQueue / len(text) {
		offer(recording.ToSDK, text)
	}
	for range 3 {
		last++
		j.pass(&item{number: last, dir: recording.ToSDK})
	}
	offer(recording.Exit, nil)
	close(watched)
	if _, unjudged := j.finish(judging); unjudged < judgeQueue/int64(len(text)) {
		t.Errorf("%d lines were not judged: there was room for too many", unjudged)
	}
	before := 0
	for _, s := range seen {
		if s.Number != before+1+s.Missed {
			t.Errorf("entry %d follows %d, and %d are said to be missed", s.Number, before, s.Missed)
		}
		before = s.Number
	}
	if before != last {
		t.Errorf("the last entry that is seen is %d of %d: the exit is always shown", before, last)
	}
}

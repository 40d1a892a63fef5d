package framing

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Replay gives the parser argv one stream and judges what it does. The error is as that of [Run].
func Replay(ctx context.Context, argv []string, s Stream, o Options) (*Report, error) {
	f := newFuzzer(argv, o)
	timed, cancel := context.WithDeadlineCause(ctx, f.until, errTimeOver)
	defer cancel()
	defer f.server.stop(0)
	if err := f.calibrate(timed); err != nil {
		return nil, err
	}
	failed, err := f.try(timed, s)
	if errors.Is(err, errTimeOver) {
		return nil, fmt.Errorf("no end of the stream within %v", f.options.Time)
	} else if err != nil {
		return nil, err
	}
	if failed != nil {
		f.report.Failures++
		f.explainer.add(Finding{}, failed, "")
	}
	f.report.Seconds = time.Since(f.began).Seconds()
	return &f.report, nil
}

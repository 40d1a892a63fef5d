package differ

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// keptPlay is what is kept of a play.
type keptPlay struct {
	Entries []recording.Entry
	Vars    scenario.Vars
	Failed  string `json:",omitempty"` // why the script does not hold
}

// real plays a session on the real CLI for the nth time, or reads what was kept of that play.
func (p *Pair) real(ctx context.Context, s *scenario.Scenario, n int) (*view, error) {
	version := p.Real.Version().String()
	if p.Kept == "" {
		return p.view(ctx, p.Real, s, realLimit)
	}
	file := filepath.Join(p.Kept, fmt.Sprintf("%x-%d.json", sha256.Sum256([]byte(version+"\n"+s.Text)), n))
	switch text, err := os.ReadFile(file); {
	case err == nil:
		var kept keptPlay
		if err := json.Unmarshal(text, &kept); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		played := &suite.Played{Entries: kept.Entries, Vars: kept.Vars}
		if kept.Failed != "" {
			played.Err = errors.New(kept.Failed)
		}
		return viewOf(version, played), nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	played, err := play(ctx, p.Real, s, realLimit)
	if err != nil {
		return nil, err
	}
	kept := keptPlay{Entries: played.Entries, Vars: played.Vars}
	if played.Err != nil {
		kept.Failed = played.Err.Error()
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return viewOf(version, played), nil
}

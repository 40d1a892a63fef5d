package probe

import (
	"strings"

	"github.com/ccwire/ccwire/internal/flaggen"
	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/internal/suite"
)

// FlagName is a flag that is known.
type FlagName struct {
	Name  string // with its dashes
	Since string // the first version with it, "" if unknown
}

// FlagNames returns the flags of the CLI that the table of flags has, and those of every session.
func FlagNames() (list []FlagName, err error) {
	table, err := flaggen.Parse(shipped.FlagTable())
	if err != nil {
		return nil, err
	}
	for _, f := range table.Flags {
		list = append(list, FlagName{Name: f.Flag, Since: f.Since})
	}
	for _, f := range table.LeftOut {
		list = append(list, FlagName{Name: f.Flag})
	}
	for _, arg := range suite.UsualArgs {
		if strings.HasPrefix(arg, "--") {
			list = append(list, FlagName{Name: arg})
		}
	}
	return list, nil
}

package probe

import (
	"context"
	"strings"
)

// modesOfFlag finds the permission modes that the CLI takes in its flag: it refuses the others
// before it looks at the next argument.
func (p *prober) modesOfFlag(ctx context.Context, k known) (*Findings, error) {
	names := p.only[PermissionMode]
	recognised := map[string]string{}
	for i, name := range append([]string{madeUp}, names...) {
		p.progress(PermissionMode, i, len(names))
		said, err := p.refusalOf(ctx, []string{"--permission-mode", name})
		if err != nil {
			return nil, err
		}
		taken := strings.Contains(said, madeUpFlag)
		switch {
		case name == madeUp && taken:
			return &Findings{Unclear: "--permission-mode takes any mode"}, nil
		case taken:
			recognised[name] = "taken"
		}
	}
	return p.compare(k, recognised, names), nil
}

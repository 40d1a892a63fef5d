package conformance

import (
	"testing"

	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/transport/cli"
)

func TestACLIThatIsJudgedAsAnotherVersionKeepsItsLimit(t *testing.T) {
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	v := cli.Version{Major: 2}
	as := asVersion(target, v)
	l, ok := as.(limited)
	if !ok || l.Limit() != target.Limit() || as.Version() != v {
		t.Errorf("%v, limit %v", as.Version(), ok)
	}
}

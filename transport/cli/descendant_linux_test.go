package cli

import "testing"

func TestNoDescendantOutlivesTheProcess(t *testing.T) {
	descendants := []struct {
		name string
		args []string
	}{
		{"that left the group", []string{"holder", "apart"}},
		{"whose parent has ended", []string{"daemon"}},
	}
	for _, descendant := range descendants {
		for _, end := range endings {
			t.Run(descendant.name+"/"+end.name, func(t *testing.T) {
				p, holder := startParent(t, childOptions(t, "parent", descendant.args...))
				if !lives(holder) {
					t.Fatal("the descendant does not live")
				}
				end.end(t, p)
				waitDone(t, p)
				checkDeath(t, holder)
			})
		}
	}
}

// A descendant that has nothing of the environment is known by its parent, as long as that lives.
func TestDescendantWithAnEnvironmentOfItsOwnIsStopped(t *testing.T) {
	p, holder := startParent(t, childOptions(t, "parent", "holder", "apart", "clean"))
	if !lives(holder) {
		t.Fatal("the descendant does not live")
	}
	stop(t, p)
	checkDeath(t, holder)
}

func TestFamilyOfAProcessInAFamilyIsInBoth(t *testing.T) {
	outer, env := newFamily([]string{"A=b"})
	inner, env := newFamily(env)
	if got, want := env[len(env)-1], familyEnv+"="+outer.id+","+inner.id; got != want {
		t.Errorf("the mark is %q, want %q", got, want)
	}
}

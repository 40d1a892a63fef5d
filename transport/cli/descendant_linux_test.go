package cli

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

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

// A relay is a descendant that starts another like itself, apart, and ends at once: whoever looks
// from time to time sees parents that have ended.
func TestRelayOfDescendantsIsStopped(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	relay, stop := filepath.Join(dir, "relay"), filepath.Join(dir, "stop")
	script := "#!/bin/sh\n[ -e '" + stop + "' ] && exit\nsetsid \"$0\" &\n"
	if err := os.WriteFile(relay, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.WriteFile(stop, nil, 0o600) }) // those that are left
	for range rounds {
		p := start(t, Options{Path: "/bin/sh", Args: []string{"-c", `"$0" & "$0" & "$0" & echo; read line`, relay}})
		if _, err := io.ReadFull(p.Stdout(), make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		p.Kill()
		waitDone(t, p)
		if left, _ := p.family.walk(func(int, processEntry) {}); len(left) > 0 {
			t.Fatalf("%d processes are left", len(left))
		}
	}
}

// A descendant without the mark, whose parent has ended, is known by the session that its parent
// has made.
func TestDescendantIsKnownByTheSessionOfItsParent(t *testing.T) {
	p := start(t, Options{Path: "/bin/sh", Args: []string{"-c",
		`setsid sh -c 'env -i sh -c "sleep 1000 & echo \$!" & wait; exec sleep 1000' & read line`}})
	var id [16]byte
	n, err := p.Stdout().Read(id[:])
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(id[:n])))
	if err != nil {
		t.Fatal(err)
	}
	sleep, ok := readProcess(pid)
	if !ok {
		t.Fatal("the descendant does not live")
	}
	p.Kill()
	waitDone(t, p)
	if now, ok := readProcess(pid); ok && now.start == sleep.start {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Error("the descendant lives")
	}
}

func TestSessionsOfAFamilyAreThoseThatItMade(t *testing.T) {
	const program, descendant = 10, 20 // what they made
	tests := []struct {
		name    string
		outside processEntry // this process
		session int          // of a descendant
		made    bool
	}{
		{"one of its own", processEntry{session: program, start: 1}, descendant, true},
		{"the program's", processEntry{session: program, start: 1}, program, false},
		{"one of its own, the program's is outside the container", processEntry{start: 1}, descendant, true},
		{"the program's, outside the container", processEntry{start: 1}, 0, false},
		{"nothing is known of the program", processEntry{}, descendant, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &family{outside: test.outside, known: map[int]processEntry{}, sessions: map[int]bool{}}
			f.addSession(processEntry{session: test.session, start: 2})
			if made := f.sessions[test.session]; made != test.made {
				t.Errorf("remembered: %v, want %v", made, test.made)
			}
		})
	}
}

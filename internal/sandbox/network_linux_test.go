package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain lets this program be the one that Isolate runs again.
func TestMain(m *testing.M) {
	if os.Getenv("CCWIRE_TEST_ISOLATE") == "" {
		os.Exit(m.Run())
	}
	inside, code, err := Isolate()
	switch {
	case errors.Is(err, ErrNoPrivateNetwork):
		fmt.Println("not allowed")
	case err != nil:
		fmt.Println("error", err)
		os.Exit(2)
	case !inside:
		os.Exit(code)
	default:
		fmt.Println(describeNetwork())
		os.Exit(7)
	}
}

// describeNetwork says what this process can reach.
func describeNetwork() string {
	interfaces, err := net.Interfaces()
	if err != nil {
		return err.Error()
	}
	var names []string
	for _, i := range interfaces {
		if i.Flags&net.FlagUp != 0 {
			names = append(names, i.Name)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err.Error()
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err.Error()
	}
	c.Close()
	return "reaches " + strings.Join(names, " ")
}

func TestAnIsolatedProcessReachesLoopbackOnly(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "CCWIRE_TEST_ISOLATE=1")
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if text == "not allowed" {
		t.Log("this system allows no private network; the fallback is loopback by configuration")
		return
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || text != "reaches lo" {
		t.Errorf("got %q, %v", text, err)
	}
}

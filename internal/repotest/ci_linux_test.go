package repotest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestCIInstallsNothingUnlessAsked runs .ci/run where tools are missing, with commands that take
// note of their calls.
func TestCIInstallsNothingUnlessAsked(t *testing.T) {
	installs := []string{
		"apt-get update",
		"apt-get install -y make gcc libc6-dev nodejs npm python3 python3-venv cargo clang libclang-rt-dev g++ afl++ chromium qemu-user wine wine64 gcc-mingw-w64-x86-64-win32 mingw-w64-x86-64-dev",
	}
	for _, test := range []struct {
		name     string
		user     string
		terminal bool
		ci       string
		args     []string
		want     []string
	}{
		{name: "contributor in a terminal", user: "1000", terminal: true},
		{name: "root in a terminal", user: "0", terminal: true},
		{name: "contributor without a terminal", user: "1000"},
		{name: "another value of CI", user: "1000", ci: "false"},
		{name: "root without a terminal", user: "0", want: installs},
		{name: "CI", user: "0", terminal: true, ci: "true", want: installs},
		{name: "CI without root", user: "1000", ci: "true", want: append([]string{"sudo"}, installs...)},
		{name: "asked", user: "0", terminal: true, args: []string{"--install"}, want: installs},
	} {
		t.Run(test.name, func(t *testing.T) {
			path, calls := machineWithoutTools(t)
			cmd := exec.Command("bash", append([]string{".ci/run"}, test.args...)...)
			cmd.Env = []string{"PATH=" + path, "FAKE_UID=" + test.user, "CALLS=" + calls, "TMPDIR=" + t.TempDir()}
			if test.ci != "" {
				cmd.Env = append(cmd.Env, "CI="+test.ci)
			}
			output, err := runCI(t, cmd, test.terminal)
			if test.want == nil {
				if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 ||
					!strings.Contains(output, "missing: make gcc libc6-dev nodejs npm python3 python3-venv cargo clang libclang-rt-dev g++ afl++ chromium qemu-user wine wine64 gcc-mingw-w64-x86-64-win32 mingw-w64-x86-64-dev") || !strings.Contains(output, "--install") {
					t.Errorf("%v, %s", err, output)
				}
			}
			if diff := cmp.Diff(test.want, called(t, calls)); diff != "" {
				t.Errorf("calls (-want +got):\n%s\n%s", diff, output)
			}
		})
	}
}

// machineWithoutTools returns a PATH on which all that .ci/run needs is missing,
// and the file in which the calls of apt-get and sudo are.
func machineWithoutTools(t *testing.T) (path, calls string) {
	t.Helper()
	path, calls = t.TempDir(), filepath.Join(t.TempDir(), "calls")
	for _, name := range []string{"bash", "dirname", "env", "mktemp", "rm"} {
		real, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"id":      `echo "$FAKE_UID"`,
		"apt-get": `echo "apt-get $*" >> "$CALLS"`,
		"sudo":    `[ -s "$CALLS" ] || echo sudo >> "$CALLS"; exec "$@"`,
		"go":      `exit 7`, // the end of what the test looks at
	} {
		if err := os.WriteFile(filepath.Join(path, name), []byte("#!"+filepath.Join(path, "bash")+"\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return path, calls
}

func called(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// runCI runs a command with or without a terminal and returns what it wrote.
func runCI(t *testing.T, cmd *exec.Cmd, onTerminal bool) (string, error) {
	t.Helper()
	if !onTerminal {
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	master, terminal := openTerminal(t)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := cmd.Start()
	terminal.Close()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	io.Copy(&out, master) // ends with an error when the last user of the terminal is gone
	return out.String(), cmd.Wait()
}

// openTerminal returns both ends of a new terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"unsafe"
)

// insideEnv marks the process that Isolate has started.
const insideEnv = "CCWIRE_PRIVATE_NETWORK"

// capNetAdmin is the capability to bring an interface up.
const capNetAdmin = 12

// ErrNoPrivateNetwork says that the system does not let this user make a network of its own.
var ErrNoPrivateNetwork = errors.New("the system allows no private network")

// Isolated reports whether this process runs in a network that ends at loopback.
func Isolated() bool { return os.Getenv(insideEnv) == "1" }

// Isolate runs this program again, with the same arguments, in a network of its own that has
// nothing but loopback, and returns its exit code. In that second process it does nothing but bring
// loopback up, and inside is true.
//
// The error wraps ErrNoPrivateNetwork if the system does not allow it.
func Isolate() (inside bool, code int, err error) {
	if Isolated() {
		if err := loopbackUp(); err != nil {
			return true, 0, fmt.Errorf("loopback: %w", err)
		}
		return true, 0, nil
	}
	self, err := os.Executable()
	if err != nil {
		return false, 0, fmt.Errorf("%w: %w", ErrNoPrivateNetwork, err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), insideEnv+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		AmbientCaps: []uintptr{capNetAdmin},
		Pdeathsig:   syscall.SIGTERM,
	}
	// Signals of a terminal reach the second process by themselves; it cleans up and this one waits
	// for it.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false, 0, fmt.Errorf("%w: %w", ErrNoPrivateNetwork, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }() // ends with the process
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // it may be gone
		case err := <-done:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return false, 0, err
			}
			if code = cmd.ProcessState.ExitCode(); code < 0 {
				code = 1
			}
			return false, code, nil
		}
	}
}

// loopbackUp brings the interface lo up and gives up the capability to do so.
func loopbackUp() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var ifr struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(ifr.name[:], "lo")
	ifr.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&ifr))); errno != 0 {
		return errno
	}
	const prCapAmbient, prCapAmbientClearAll = 47, 4
	if _, _, errno := syscall.AllThreadsSyscall6(syscall.SYS_PRCTL, prCapAmbient, prCapAmbientClearAll, 0, 0, 0, 0); errno != 0 && errno != syscall.ENOTSUP {
		return errno
	}
	return nil
}

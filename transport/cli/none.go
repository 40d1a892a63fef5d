//go:build !unix && !windows

package cli

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// hasProcesses is false where [Start] starts none. The rest of the package is there to be compiled.
const hasProcesses = false

func ownGroup() *syscall.SysProcAttr { return nil }

type members struct{}

func newMembers(*os.Process) members { return members{} }

func (members) interrupt() error { return errors.ErrUnsupported }
func (members) terminate() error { return errors.ErrUnsupported }
func (members) kill() error      { return errors.ErrUnsupported }
func (members) release()         {}

func signalOf(*os.ProcessState) string { return "" }

func lockPipe(_ *os.File, mu *sync.Mutex) { mu.Lock() }

func isInterrupted(error) bool { return false }

func readUntil(pipe *os.File, buf []byte, _ time.Time) (int, error) { return pipe.Read(buf) }

//go:build unix && !linux

package tap

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

func endWithThread(*syscall.SysProcAttr) {}

// die ends this process by a signal, as the CLI was ended. It returns if that does not work.
func die(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	signal.Reset(number)
	_ = syscall.Kill(os.Getpid(), number)
	time.Sleep(time.Second)
}

package tap

import (
	"os"
	"os/signal"
	"syscall"
)

// catch keeps Ctrl-C from ending this process: the console sends it to the CLI too.
func catch() (signals chan os.Signal, stop func()) {
	signals = make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt)
	return signals, func() { signal.Stop(signals) }
}

func forward(*os.Process, os.Signal) {}

func signalName(os.Signal) string { return "INT" }

func attributes() *syscall.SysProcAttr { return nil }

func endedBy(*os.ProcessState) os.Signal { return nil }

func die(os.Signal) {}

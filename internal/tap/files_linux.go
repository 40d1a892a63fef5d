package tap

import (
	"os"

	"golang.org/x/sys/unix"
)

func dup2(from, to int) error { return unix.Dup3(from, to, 0) }

// widen makes a pipe hold more than the usual 64 KiB, so that a CLI that writes much is not stopped
// and started for every piece. A system that allows no more leaves it as it is.
func widen(pipe *os.File) { _, _ = unix.FcntlInt(uintptr(fd(pipe)), unix.F_SETPIPE_SZ, 4*pieceBytes) }

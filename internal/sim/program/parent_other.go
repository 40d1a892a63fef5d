//go:build !unix

package program

import (
	"context"
	"io"
)

// endWithParent does nothing: a process here is not told that the one that started it is gone.
func endWithParent(context.Context, io.Writer, func()) {}

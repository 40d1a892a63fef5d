package peertest

import (
	"os"
	"runtime"
	"testing"
)

func TestLeakCheckSeesLeaks(t *testing.T) {
	before, filesBefore := goroutines(), openFiles()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		r.Read(make([]byte, 1))
	}()
	if len(newKeys(before, goroutines())) != 1 {
		t.Error("a goroutine is not seen")
	}
	if runtime.GOOS == "linux" && len(newKeys(filesBefore, openFiles())) != 2 {
		t.Error("a pipe is not seen")
	}
	w.Close()
	<-read
	r.Close()
}

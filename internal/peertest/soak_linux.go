package peertest

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Soak runs something again and again, a few at once, and checks that no goroutine, file, thread,
// child process or memory is left. What is left is compared with what was there after the first
// ones, because the runtime keeps threads and buffers for the next.
func Soak(t testing.TB, cycles, atOnce int, cycle func()) {
	t.Helper()
	run := func(cycles int) {
		var left atomic.Int64
		left.Store(int64(cycles))
		var wg sync.WaitGroup
		for range atOnce {
			wg.Go(func() {
				for left.Add(-1) >= 0 && !t.Failed() {
					cycle()
				}
			})
		}
		wg.Wait()
	}
	goroutines := runtime.NumGoroutine()
	run(max(100, atOnce))
	before := takeStock(t)
	run(cycles)
	for deadline := time.Now().Add(Patience); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
	after := takeStock(t)
	t.Logf("%+v, then %+v", before, after)
	if after.files > before.files {
		t.Errorf("%d files, %d before", after.files, before.files)
	}
	if most := max(before.threads, atOnce) + 20; after.threads > most { // each process has one while it runs
		t.Errorf("%d threads, %d before", after.threads, before.threads)
	}
	if grown := after.heap - before.heap; grown > 1<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("a child is left: %v", err)
	}
}

// stock is what this process holds.
type stock struct {
	files, threads int
	heap           int64
}

func takeStock(t testing.TB) stock {
	t.Helper()
	count := func(dir string) int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what has a finalizer or a cleanup
	runtime.ReadMemStats(&m)
	return stock{files: count("/proc/self/fd"), threads: count("/proc/self/task"), heap: int64(m.HeapAlloc)}
}

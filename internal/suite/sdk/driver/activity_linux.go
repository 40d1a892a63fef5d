package driver

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Activity is what processes and their children have done so far.
type Activity struct {
	Ticks   int  // of processor time, of which there are a hundred a second
	Running bool // one of their threads runs, or would
	Known   bool // it can be seen at all
}

// Observe looks at processes and their children.
func Observe(pids []int) (a Activity) {
	seen := map[int]bool{}
	for len(pids) > 0 {
		pid := pids[len(pids)-1]
		pids = pids[:len(pids)-1]
		if seen[pid] || pid <= 0 {
			continue
		}
		seen[pid] = true
		dir := "/proc/" + strconv.Itoa(pid)
		words := stat(dir + "/stat")
		if len(words) < 13 {
			continue // it has ended
		}
		a.Known = true
		user, _ := strconv.Atoi(words[11])
		system, _ := strconv.Atoi(words[12])
		a.Ticks += user + system
		threads, _ := filepath.Glob(dir + "/task/*")
		for _, t := range threads {
			if w := stat(t + "/stat"); len(w) > 0 && (w[0] == "R" || w[0] == "D") {
				a.Running = true
			}
			children, _ := os.ReadFile(t + "/children")
			for _, c := range strings.Fields(string(children)) {
				n, _ := strconv.Atoi(c)
				pids = append(pids, n)
			}
		}
	}
	return a
}

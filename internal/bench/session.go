package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/internal/scoreboard/install"
)

// sessionRounds is how often each way to read a session is measured.
const sessionRounds = 3

// pythonReader is what the program in reader does with this module, with the official Python SDK.
// Its argument is the CLI.
const pythonReader = `
import asyncio, resource, sys
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, StreamEvent

async def main():
    size = 0
    options = ClaudeAgentOptions(cli_path=sys.argv[1], include_partial_messages=True)
    async with ClaudeSDKClient(options) as client:
        await client.query("begin")
        async for message in client.receive_response():
            if isinstance(message, StreamEvent):
                size += len(message.event["delta"]["text"])
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(size, int((used.ru_utime + used.ru_stime) * 1e9))

asyncio.run(main())
`

// cpuTime runs a process that reads a session, and returns the CPU time that it has used without
// that of the CLI.
func cpuTime(deltas int, command ...string) (time.Duration, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "CCWIRE_BENCH_DELTAS="+strconv.Itoa(deltas))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	var size, nanoseconds int64
	if _, err := fmt.Sscan(string(out), &size, &nanoseconds); err != nil {
		return 0, err
	}
	if want := int64(deltas * len(" word")); size != want {
		return 0, fmt.Errorf("%s read %d bytes of text, want %d", command[0], size, want)
	}
	return time.Duration(nanoseconds), nil
}

// sessions compares the CPU time of a process that reads one long turn of a CLI, from its start to
// its end. Each rival is measured between two runs of ccwire, since the load of a machine changes.
func sessions(g *goals, deltas int) error {
	dir, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	reader := filepath.Join(dir, "reader")
	if out, err := exec.Command("go", "build", "-o", reader, "./reader").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	rivals := map[string][]string{"scanner-and-unmarshal": {reader, "read", "scanner-and-unmarshal"}}
	python, err := install.Python.Installed(context.Background(), filepath.Join("..", "scoreboard"))
	if err != nil {
		fmt.Println("python-sdk is not measured:", err)
	} else {
		rivals["python-sdk"] = []string{filepath.Join(python, "bin", "python"), "-c", pythonReader, reader}
	}
	own := func() (time.Duration, error) { return cpuTime(deltas, reader, "read", "ccwire") }
	fmt.Printf("\na session of %d deltas, CPU time of %d rounds\n", deltas, sessionRounds)
	ratios := map[string][]float64{}
	before, err := own()
	for range sessionRounds {
		for _, name := range slices.Sorted(maps.Keys(rivals)) {
			if err != nil {
				return fmt.Errorf("ccwire: %w", err)
			}
			took, rivalErr := cpuTime(deltas, rivals[name]...)
			if rivalErr != nil {
				return fmt.Errorf("%s: %w", name, rivalErr)
			}
			var after time.Duration
			after, err = own()
			ratio := 2 * took.Seconds() / (before + after).Seconds()
			fmt.Printf("%s %v, ccwire %v before and %v after: %.1f\n", name,
				took.Round(time.Millisecond), before.Round(time.Millisecond), after.Round(time.Millisecond), ratio)
			ratios[name] = append(ratios[name], ratio)
			before = after
		}
	}
	if err != nil {
		return fmt.Errorf("ccwire: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(ratios)) {
		slices.Sort(ratios[name])
		g.printf("RATIO million-deltas/%s %.2f", name, ratios[name][sessionRounds/2])
	}
	return nil
}

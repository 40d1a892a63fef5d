package drivercheck

import (
	"path/filepath"
	"slices"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

const (
	greeting = `{"turns": [{"text": "Hi."}, {"text": "Hi again."}]}`
	writing  = `{"turns": [{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]}, {"text": "Fine."}]}`
)

// protocolChecks are about what every driver does.
var protocolChecks = []check{
	{name: "unknown-command", rule: "A command that the driver does not know ends with an error.", run: unknownCommand},
	{name: "out-of-order", rule: "A command for which there is no session ends with an error, never with the end of the driver.", run: outOfOrder},
	{name: "sdk-error", rule: "An error of the SDK is an error of the command.", run: sdkError},
	{name: "read", rule: "A read of N messages gives N, one until the result ends with it.", needs: []string{"session"}, script: greeting, run: reads},
	{name: "at-once", rule: "A command begins when its line comes, also while another one runs.", needs: []string{"session"}, script: greeting, run: atOnceRun},
	{name: "end-of-input", rule: "At the end of its input the driver ends with code 0, whatever still hangs.", needs: []string{"session"}, run: endOfInput, abandons: true},
	{name: "hanging-callback", rule: "A callback that hangs does not keep the driver from its end.", needs: []string{"can_use_tool"}, script: writing,
		run: hangingCallback, abandons: true},
	{name: "raising-callback", rule: "A callback that raises is reported, and the driver goes on.", needs: []string{"can_use_tool"}, script: writing, run: raisingCallback},
}

func unknownCommand(s *session) error {
	r, err := s.do(driver.Command{Command: "no_such_command"})
	if err == nil && r.Report == driver.Done {
		err = wrong("it says done to the command no_such_command, which it cannot know")
	}
	return err
}

func outOfOrder(s *session) error {
	text := "hello"
	for _, c := range []driver.Command{
		{Command: driver.Prompt, Text: &text}, {Command: driver.Read, Count: 1}, {Command: driver.Interrupt}, {Command: driver.Close},
	} {
		r, err := s.do(c)
		if err != nil {
			return err
		}
		if r.Report == driver.Done && (c.Command == driver.Prompt || c.Command == driver.Interrupt) {
			return wrong("it says done to %s before there was a start", c.Command)
		}
	}
	return nil
}

// sdkError starts a CLI that is not there: something must fail, at the latest the read.
func sdkError(s *session) error {
	text := "hello"
	start := driver.Command{Command: driver.Start, CLI: filepath.Join(s.stage.Cwd, "no-such-cli")}
	commands := []driver.Command{start, {Command: driver.Prompt, Text: &text}, {Command: driver.Read, Until: "result"}}
	if !slices.Contains(s.features, "session") {
		commands[0].Prompt = &text
		commands = slices.Delete(commands, 1, 2)
	}
	for _, c := range commands {
		r, err := s.do(c)
		if err != nil {
			return err
		}
		if r.Report == driver.Error {
			return nil
		}
	}
	return unclear("the path of the CLI does not exist, and no command fails: either the driver drops the exceptions of the SDK, or it does not use the path")
}

func reads(s *session) error {
	if err := s.talk(nil); err != nil {
		return err
	}
	from := s.count()
	if _, err := s.must(driver.Command{Command: driver.Read, Count: 1}); err != nil {
		return err
	}
	if got := s.messages(from); len(got) != 1 {
		return wrong("a read with the count 1 gives %d messages: %q", len(got), got)
	}
	from = s.count()
	if _, err := s.must(driver.Command{Command: driver.Read, Until: "result"}); err != nil {
		return err
	}
	got := s.messages(from)
	switch {
	case !slices.Contains(got, "result"):
		return wrong("a read until the result is done, and no message of the type result was reported: %q", got)
	case got[len(got)-1] != "result":
		return wrong("a read until the result goes on after it: %q", got)
	case !slices.Contains(got, "assistant"):
		return unclear("the turn has no message of the type assistant: %q", got)
	}
	return nil
}

func atOnceRun(s *session) error {
	if _, err := s.must(driver.Command{Command: driver.Start}); err != nil {
		return err
	}
	read, err := s.begin(driver.Command{Command: driver.Read, Until: "result"})
	if err != nil {
		return err
	}
	text := "hello"
	if _, err := s.must(driver.Command{Command: driver.Prompt, Text: &text}); err != nil {
		return unclear("a prompt while a read runs: %w", err)
	}
	_, err = s.end(read)
	return err
}

func endOfInput(s *session) error {
	if _, err := s.must(driver.Command{Command: driver.Start}); err != nil {
		return err
	}
	_, err := s.begin(driver.Command{Command: driver.Read, Until: "result"})
	return err
}

// asking has the driver wait for a callback while it reads.
func asking(s *session, do driver.Behavior) (read int, err error) {
	if err := s.talk(&driver.Options{CanUseTool: &do, PermissionMode: "default"}); err != nil {
		return 0, err
	}
	if read, err = s.begin(driver.Command{Command: driver.Read, Until: "result"}); err != nil {
		return 0, err
	}
	_, err = s.callback("can_use_tool", "Write")
	return read, err
}

func hangingCallback(s *session) error {
	_, err := asking(s, driver.Behavior{Do: driver.Hang})
	return err
}

func raisingCallback(s *session) error {
	read, err := asking(s, driver.Behavior{Do: driver.Raise, Message: "boom"})
	if err != nil {
		return err
	}
	if _, err := s.end(read); err != nil {
		return unclear("after a callback that raises: %w", err)
	}
	return nil
}

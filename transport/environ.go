package transport

import (
	"os"
	"slices"
	"strings"
)

// envCheckpointing switches file checkpoints on. The member enable_file_checkpointing of initialize
// that some documents have does not.
const envCheckpointing = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"

// envQuestionPreview names the format of previews.
const envQuestionPreview = "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT="

// addedEnv returns what the options add to the environment, each name once.
func (o *Options) addedEnv() []string {
	env := slices.Clone(o.Env)
	if o.FileCheckpointing {
		env = append(env, envCheckpointing)
	}
	if o.QuestionPreview != "" {
		env = append(env, envQuestionPreview+o.QuestionPreview)
	}
	return lastValues(env)
}

// environ returns the whole environment of the CLI, each name once. It is never nil.
func (o *Options) environ() []string {
	env := []string{}
	if !o.CleanEnv {
		env = os.Environ()
	}
	return lastValues(append(env, o.addedEnv()...))
}

// lastValues keeps the last value of each name.
func lastValues(env []string) []string {
	last := make(map[string]int, len(env))
	for i, entry := range env {
		last[envName(entry)] = i
	}
	kept := env[:0]
	for i, entry := range env {
		if last[envName(entry)] == i {
			kept = append(kept, entry)
		}
	}
	return kept
}

// envName returns the name of an entry. On Windows some names begin with an equals sign.
func envName(entry string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(entry, "="), "=")
	return name
}

// Package sweep looks for what a CLI says in circumstances that no scenario has. It takes the names
// of environment variables and flags from a release's package, plays one rich session under many of
// them at once, and under fewer and fewer where that shows something that the schemas do not name,
// until the one that does it is known.
package sweep

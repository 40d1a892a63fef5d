// Package npm installs versions of the Claude Code CLI from npm, each into a folder of its own that
// is kept for the next time.
package npm

//go:build ccwire_safe

package run

// sharesStrings says whether strings of the alias mode share memory.
const sharesStrings = false

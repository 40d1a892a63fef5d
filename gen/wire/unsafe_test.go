//go:build !ccwire_safe

package wire

// sharesStrings says whether strings of the alias mode share memory.
const sharesStrings = true

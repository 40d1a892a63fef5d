//go:build !ccwire_safe

package codec

// sharesStrings says whether strings of the alias mode share memory.
const sharesStrings = true

// Package jsontext reads JSON text without giving it a meaning: tokens, strings, numbers, places.
// Everything in this module that scans JSON by hand uses it, and it uses the standard library only,
// so that the copies that other modules vendor can hold it.
//
// A [Scanner] moves over a text. Its methods report success; a failure stays in its [Fault]. A
// string that is not valid text in Go is kept as the package doc of codec says: a lone surrogate
// escape becomes the three bytes that WTF-8 gives it, and [AppendString] writes the escape again.
//
// The file unsafe.go holds the only use of package unsafe. The build tag ccwire_safe replaces it.
package jsontext

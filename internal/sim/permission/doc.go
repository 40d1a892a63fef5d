// Package permission decides whether a tool may be used: by the mode of the session, by rules from
// settings, flags and earlier answers, and by what the tool would do. Where it cannot tell, the
// user is asked; where nobody can be asked, the tool is not used.
package permission

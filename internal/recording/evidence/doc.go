// Package evidence says what the recordings show of each definition of the schemas and of its
// members: which versions of the CLI have it, and since when a member is always there. The keywords
// x-since, x-required-since and x-evidence, the tables of what is supported and the closed form of
// a version are all made from it.
//
// What the CLI wrote counts, and what the SDK wrote if the CLI took it: a control request that was
// refused as unsupported, or that got no reply, shows nothing. One that got another error shows
// that the CLI knows the request, and nothing of the definitions inside it.
//
// Members have versions only from what the CLI wrote. It ignores members that it does not know, so
// a member that an SDK sent to a version says nothing of that version.
package evidence

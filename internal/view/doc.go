// Package view shows a recording: as a page with two lanes, or as a timeline in a terminal.
//
// A [Builder] makes rows of entries: what kind of line each is, which request it answers, which
// turn it belongs to, what is wrong with it. [Page] writes all of them into one HTML file that
// needs nothing else; a [Hub] keeps the newest of a session that goes on, and [Server] shows them
// while they come.
//
// A recording is not to be trusted. The page has a policy that allows its own script and no other,
// puts every text of a recording into the document as text, and has only the rows in the document
// that can be seen. What goes to a terminal has no control characters.
package view

// Package linecheck judges lines of the protocol by the schemas and by the generated decoder at
// once.
//
// A [Checker] works in one of two ways. The strict one wants every line to be valid by the closed
// form of the schemas and to be accepted by the strict decoder. The lint wants a line to be
// readable by the tolerant decoder, and lists besides what the schemas do not name: members, types,
// values, shapes of older peers, optional parts that do not decode, oddities of the line itself.
//
// A line of which there is nothing to say costs no look into the schemas, see package clean.
//
// Entries of transcript files have no decoder: both ways judge them by the schemas alone. The
// entries in a transcript_mirror line are judged as those of a file.
//
// A [Run] judges whole files on all cores, and a [Printer] prints what it finds.
package linecheck

// Package vendoring copies the generated types and what they need into another module.
//
// # What is written
//
// The copy is one tree. The files of gen/wire go to the folder itself, those of codec to its
// subfolder codec, and what only these two call to its subfolder internal, without tests. The
// package clause and the imports are rewritten, nothing else but comments that name the package.
// Each file starts with a header that says where it comes from. The licence is beside them, and a
// manifest that lists every file with its hash.
//
// A copy may have the types of some areas of the schemas only: then the generator runs for these.
// It may have package transport too, in a folder of that name.
//
// # What is never done
//
// A file that the manifest does not list, or that was edited since it was written, is not
// overwritten or removed: the run ends with a [*ConflictError] before anything is changed. Files
// that the manifest lists and that are not part of the copy any more are removed.
package vendoring

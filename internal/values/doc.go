// Package values makes JSON values out of the schemas, for tests.
//
// [Of] yields instances of a definition. They are valid by the closed form: every arm, every
// member, every value of an enum turns up, optional members come and go, members stand in any
// order, names and strings are spelt with any escape, and opaque payloads hold whatever JSON
// allows, such as integers of fifty digits and lone surrogates. With [Open] they are valid by the
// open form only: they also have members, tags and enum values that no schema names.
//
// [Mutants] yields such values with one thing broken. A [Mutant] says what was done to it and
// where; whether it is still valid is for the validators to say.
//
// [Same] compares two texts as instances of a definition, without the losses of encoding/json.
//
// Members that a sender must give (x-send-required) are always there and not empty, so that every
// value can be encoded again. The size of values is bounded.
package values

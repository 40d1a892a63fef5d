// Package jsontest has generators of JSON text for tests with rapid. What they make is checked by
// the tests that use them: JSON and its parts are valid for encoding/json, Broken mostly is not.
package jsontest

// Package drift compares what recordings of two CLI versions contain, and says what changed on the
// wire.
//
// Members, kinds, values and courses are compared over the scenarios that both versions have. What
// only the schemas lack is listed for the newer one.
package drift

// Package policy is the engine: it decides which attempts of untrusted code
// leave a sandbox, by what layer and rule, and why.
//
// A [Boundary] says what stands between the code and the world. An [Attempt]
// meets it and becomes a [Decision]. A [Scenario] is a list of attempts with
// their seconds; run against a boundary it becomes a [Run], whose state at any
// second is a [Snapshot]. Everything here is a pure function of its input:
// nothing is contacted, no clock is read.
//
// The package knows neither controls nor screen nor file formats. Whoever has
// such a thing compiles it to a Boundary.
package policy

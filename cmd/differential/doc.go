// Package differential holds the policy file readers against the enforcers' own
// code, on generated pairs of a policy and a destination. It is a module of its
// own, since the enforcers drag much with them.
//
// The seed is fixed: a disagreement that one run finds, every run finds.
package differential

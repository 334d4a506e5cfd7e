// Package smokescreen reads the access control list of Stripe's Smokescreen, an
// egress proxy (github.com/stripe/smokescreen, pkg/smokescreen/acl/v1).
//
// What is said here of Smokescreen was read in, and compared with, its version
// 0.1.0. The list of the client's role decides first, then the global denials,
// then the global allowances, then the role's action. "*.x" is every name below
// x at any depth and not x itself. After the list an address is classified, and
// a private, local or embedding one refused.
package smokescreen

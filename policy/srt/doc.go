// Package srt reads the settings of Anthropic's sandbox-runtime, and the
// sandbox settings of Claude Code, which hands them to the same runtime.
//
// What is said here of the runtime was read in, and compared with, its version
// 0.0.83. A host is checked for its characters, made canonical as the host of a
// URL, then held against deniedDomains, then against allowedDomains. "*.x" is
// every name below x at any depth and not x itself, and never an address.
package srt

//go:build wasm

package main

// generate is for the host alone: a page carries no code that writes sites.
func generate() {}

// Command wasm is the page's WebAssembly entry.
package main

import "sixways/app"

func main() { app.Run() }

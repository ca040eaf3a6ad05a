// Command two says what a module of others says.
package main

import "example.com/greet"

func main() { println(greet.Text) }

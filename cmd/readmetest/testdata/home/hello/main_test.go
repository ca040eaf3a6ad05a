package main

import "testing"

func TestGreeting(t *testing.T) {
	if got := greeting("you"); got != "hello, you" {
		t.Errorf("got %q", got)
	}
}

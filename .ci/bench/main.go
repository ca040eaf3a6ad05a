// Command bench measures what a launcher costs beside bwrap alone.
//
// It writes only below a temporary directory of its own, and judges nothing:
// numbers of one run can be compared with each other, and with nothing else.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// options are the flags.
type options struct {
	rounds, files int
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "n", 31, "how often each thing is started")
	flag.IntVar(&o.files, "files", 50000, "files in the big project")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures for every user and every bwrap, one after the other.
func run(o options) error {
	base, err := os.MkdirTemp("/var/tmp", "bwrapgen-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	cleanUpOn(base, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	if err := os.Chmod(base, 0o755); err != nil {
		return err
	}
	program := filepath.Join(base, "bwrapgen")
	if err := build(program); err != nil {
		return err
	}
	engines, err := findEngines()
	if err != nil {
		return err
	}
	users, err := findUsers()
	if err != nil {
		return err
	}
	fmt.Printf("Medians of %d interleaved runs each, in milliseconds. All run \"true\".\n", o.rounds)
	fmt.Println("\"bwrap alone\" gets the very arguments and descriptors that --sandbox-print shows.")
	for _, u := range users {
		s, err := newScene(filepath.Join(base, u.name), program, u, o.files)
		if err != nil {
			return err
		}
		for _, e := range engines {
			if err := s.measure(e, o.rounds).print(os.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

// cleanUpOn removes the directory where a signal ends the run.
func cleanUpOn(dir string, signals ...os.Signal) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals...)
	go func() {
		<-caught
		os.RemoveAll(dir)
		os.Exit(1)
	}()
}

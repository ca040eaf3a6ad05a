// Command bench measures what a launcher costs beside bwrap alone, and what a
// command in it loses.
//
// It writes only below a temporary directory of its own, and fails for no number:
// those of one run can be compared with each other, and with nothing else. The
// last table has what launchers may use, and says what is over. With -write it
// also writes what the README.md beside it shows; -check says whether that has
// the form in which it would be written.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	rounds, files, writes  int
	brief, everyone, peers bool
	write, check, child    bool
	alone                  bool
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "n", 31, "how often each thing is started; what takes long is started less often")
	flag.IntVar(&o.files, "files", 50000, "files in the big project")
	flag.IntVar(&o.writes, "writes", 2000, "small files to write")
	flag.BoolVar(&o.brief, "brief", false, "only the starts of launchers, and the budgets")
	flag.BoolVar(&o.everyone, "all", false, "starts also as every user and with every bwrap that is here")
	flag.BoolVar(&o.peers, "peers", false, "fetch other sandboxes, into the temporary directory, and start them; firejail, which is set-uid, is installed")
	flag.BoolVar(&o.write, "write", false, "write the table and the chart of the README.md beside it")
	flag.BoolVar(&o.check, "check", false, "measure nothing; say whether the README.md beside it has that table and chart")
	flag.BoolVar(&o.child, "write-files", false, "as a child of the bench: write small files in the directory DIR")
	flag.BoolVar(&o.alone, "alone", false, "as the bench in a mount namespace of its own: do not make another one")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	switch {
	case o.child:
		return writeFiles(flag.Arg(0), o.writes)
	case o.check:
		return checkPage()
	case o.brief && o.write:
		return fmt.Errorf("-brief measures too little for the table: leave out -brief or -write")
	}
	if !o.alone {
		if err := goAlone(); err != nil {
			return err
		}
	}
	begin := time.Now()
	p, err := o.measure()
	if err != nil {
		return err
	}
	fmt.Printf("\nThat took %.0f s.\n", time.Since(begin).Seconds())
	if o.write {
		return writePage(p)
	}
	return nil
}

// measure prints what it finds, part by part. It gives what the README.md beside
// it shows: of the ordinary user where there is one, with the newest bwrap.
func (o options) measure() (page, error) {
	base, err := os.MkdirTemp("/var/tmp", "bwrapgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(base)
	cleanUpOn(base, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	if err := os.Chmod(base, 0o755); err != nil {
		return nil, err
	}
	program := filepath.Join(base, "bwrapgen")
	if err := build(program); err != nil {
		return nil, err
	}
	engines, err := findEngines()
	if err != nil {
		return nil, err
	}
	users, err := findUsers()
	if err != nil {
		return nil, err
	}
	fmt.Printf("Medians of interleaved runs, %d for a start. Compared is what ran in the same round.\n", o.rounds)
	fmt.Println("\"bwrap alone\" gets the very arguments and descriptors that --sandbox-print shows.")
	b := bench{options: o, base: base, engines: engines}
	for i, u := range users {
		files := 10
		if i == len(users)-1 {
			files = o.files // all that needs a big project is done as the last one
		}
		s, err := newScene(filepath.Join(base, u.name), program, u, files)
		if err != nil {
			return nil, err
		}
		b.scenes = append(b.scenes, s)
	}
	return b.page()
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

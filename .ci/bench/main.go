// Command bench measures what a launcher costs beside bwrap alone, and what a
// command in it loses.
//
// It writes only below a temporary directory of its own, and fails for no number:
// those of one run can be compared with each other, and with nothing else. The
// last table has what launchers may use, and says what is over. With -write it
// also writes the table of the README.md beside it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	rounds, files              int
	brief, peers, write, alone bool
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "n", 31, "how often each thing is started; what takes long is started less often")
	flag.IntVar(&o.files, "files", 50000, "files in the big project")
	flag.BoolVar(&o.brief, "brief", false, "only the starts of launchers, and the budgets")
	flag.BoolVar(&o.peers, "peers", false, "fetch other sandboxes, into the temporary directory, and start them; firejail, which is set-uid, is installed")
	flag.BoolVar(&o.write, "write", false, "write the table of the README.md beside it")
	flag.BoolVar(&o.alone, "alone", false, "as the bench in a mount namespace of its own: do not make another one")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	if o.brief && o.write {
		return fmt.Errorf("-brief measures too little for the table: leave out -brief or -write")
	}
	if !o.alone {
		if err := goAlone(); err != nil {
			return err
		}
	}
	base, err := os.MkdirTemp("/var/tmp", "bwrapgen-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	cleanUpOn(base, os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	if err := os.Chmod(base, 0o755); err != nil {
		return err
	}
	begin := time.Now()
	if err := o.measure(base); err != nil {
		return err
	}
	fmt.Printf("\nThat took %.0f s.\n", time.Since(begin).Seconds())
	return nil
}

// goAlone has root's bench go on in a mount namespace of its own, with another
// /dev/shm. Launchers keep there what they know about bwrap and about each other,
// for each user: tests that run as the same user would change what is measured.
// Where that cannot be done, it goes on as it is.
func goAlone() error {
	if os.Geteuid() != 0 || exec.Command("unshare", "--mount", "true").Run() != nil {
		return nil
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	script := `mount -t tmpfs -o mode=1777 bench /dev/shm && exec "$0" "$@"`
	words := []string{"unshare", "--mount", "bash", "-c", script, self, "-alone"}
	return syscall.Exec(unshare, append(words, os.Args[1:]...), os.Environ())
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

// measure prints what it finds, part by part, as the ordinary user where there is
// one, with the newest bwrap; and the budgets with an old one, too.
func (o options) measure(base string) error {
	program := filepath.Join(base, "bwrapgen")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/bwrapgen").CombinedOutput()
	if err != nil {
		return fmt.Errorf("cannot build bwrapgen: %v\n%s", err, out)
	}
	engines, err := findEngines()
	if err != nil {
		return err
	}
	user, err := findUser()
	if err != nil {
		return err
	}
	s, err := newScene(filepath.Join(base, "scene"), program, user, o.files)
	if err != nil {
		return err
	}
	newest := engines[0]
	fmt.Printf("Medians of interleaved runs, %d for a start. Compared is what ran in the same round.\n", o.rounds)
	fmt.Println("\"bwrap alone\" gets the very arguments and descriptors that --sandbox-print shows.")
	fmt.Printf("\nAs %s, with bwrap %s.\n", user.name, newest.version)
	peers := s.peers(newest, o.peers)
	first := s.launchers(newest, o.rounds, peers)
	sections := []section{first.section(peers), first.files(o.files)}
	if !o.brief {
		building, err := newScene(filepath.Join(base, "building"), program, account{}, 0)
		if err != nil {
			return err
		}
		sections = append(sections, s.work(newest, o.files, building))
	}
	for _, one := range sections {
		if err := one.print(os.Stdout); err != nil {
			return err
		}
	}
	all := []measured{first}
	for _, e := range engines[1:] {
		all = append(all, s.launchers(e, o.rounds, nil))
	}
	if err := printBudgets(os.Stdout, all); err != nil || !o.write {
		return err
	}
	return writeTable(sections)
}

package lint

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// bwrapOption is an option of bwrap 0.13.
type bwrapOption struct {
	Words      int  // that follow it
	Since      int  // the second number of the version that brought it
	Mounts     bool // something on the last word
	Protects   bool // it is there to take something away
	Descriptor bool // the first word is one, which bwrap closes
	Distinct   bool // nothing but bwrap has an option of that name
}

func isBwrapOption(name string) bool {
	_, is := data().Options[name]
	return is
}

func unknownOption(c *call) {
	if c.gap == nil {
		return
	}
	switch text, _ := c.gap.Text.Literal(); {
	case isOption(*c.gap): // it has too few words
	case strings.HasPrefix(text, "--"):
		c.script.report(c.gap.At, "bwrap 0.13 has no option %s", text)
	}
}

// wrongArity finds options with a word too few, and a word that was meant for the option
// before it: it begins the command, and options follow.
func wrongArity(c *call) {
	for _, f := range c.wrong {
		c.script.add(f)
	}
	i := slices.IndexFunc(c.Command, func(w trace.Argument) bool {
		text, _ := w.Text.Literal()
		return w.When == 0 && data().Options[text].Distinct
	})
	endsOptions := func(w trace.Argument) bool { return w.Many || w.Text.Is("--") }
	switch {
	case c.dashes, len(c.Options) == 0, i < 1, slices.ContainsFunc(c.Command[:i], endsOptions):
		return
	}
	first, lost := c.Command[0], c.Command[i]
	c.script.report(first.At, "%s begins the command, so %s and what follows it have no effect",
		first.Text, lost.Text)
}

// stated finds the version that a script says it needs, and floor what says that a newer
// one will do.
var (
	stated = regexp.MustCompile(`(?i)(?:bwrap|bubblewrap)\)?["' ]*(?:version |v)?(?:>=|≥|from|since|at least|or later than)?` +
		` *v?0\.(\d+)(?:\.\d+)?( *\+| or (?:later|newer)| and (?:later|newer))?`)
	floor = regexp.MustCompile(`(?i)>=|≥|from|since|at least|\+$|(or|and) (later|newer)$`)
)

// statedVersion is that version's second number, of several the lowest; where none is
// stated, a large one.
func statedVersion(text string) int {
	lowest := math.MaxInt
	for _, m := range stated.FindAllStringSubmatch(text, -1) {
		if n, _ := strconv.Atoi(m[1]); floor.MatchString(m[0]) {
			lowest = min(lowest, n)
		}
	}
	return lowest
}

func newerOption(c *call, o Option) {
	switch needs, have := o.about().Since, c.script.stated; {
	case o.When != 0:
	case needs > have:
		c.script.report(o.At, "%s needs bwrap 0.%d, and the script says that 0.%d will do", o.Name, needs, have)
	}
}

// namespaces names the small namespaces that are shared, in one finding.
func namespaces(c *call) {
	var lack []string
	for _, one := range [][]string{
		{"--unshare-ipc", "--unshare-all"},
		{"--unshare-uts", "--unshare-all"},
		{"--unshare-cgroup", "--unshare-cgroup-try", "--unshare-all"},
	} {
		if c.lacks(one...) {
			lack = append(lack, one[0])
		}
	}
	if len(lack) > 0 {
		c.report("the command shares namespaces with the host: there is no %s", strings.Join(lack, ", "))
	}
}

// leftOut are options by which bwrap may leave out namespaces, those that keep one each,
// and what these namespaces are.
var leftOut = []struct {
	name  string
	exact []string
	what  string
}{
	{"--unshare-all", []string{"--unshare-user", "--unshare-cgroup"}, "user and cgroup namespaces"},
	{"--unshare-user-try", []string{"--unshare-user"}, "the user namespace"},
	{"--unshare-cgroup-try", []string{"--unshare-cgroup"}, "the cgroup namespace"},
}

func unshareTry(c *call) {
	isLacking := func(name string) bool { return c.lacks(name) }
	for _, try := range leftOut {
		if !slices.ContainsFunc(try.exact, isLacking) {
			continue
		}
		for _, o := range c.Options {
			if o.Name == try.name {
				c.script.report(o.At, "%s leaves out %s where that fails, without a word", o.Name, try.what)
				return
			}
		}
	}
}

func disableAlone(c *call, o Option) {
	if !c.has("--unshare-user", "--userns") {
		c.script.report(o.At, "--disable-userns fails without --unshare-user")
	}
}

// capability reports a capability that the call adds: with some, the command undoes the sandbox.
func capability(c *call, o Option) {
	f := told(o.At, "the command gets the capability %s", strings.Join(trace.Shown(o.Operands), " "))
	if o.complete() {
		name, _ := o.Operands[0].Text.Literal()
		name = strings.TrimPrefix(strings.ToUpper(name), "CAP_")
		for _, known := range data().Capabilities {
			if known.Name == name {
				f.What, f.Severity = "the command gets "+known.Says, Exposure
			}
		}
	}
	c.script.add(f)
}

// unsharesNet reports whether an option takes the network away.
func (o Option) unsharesNet() bool {
	return slices.Contains([]string{"--unshare-all", "--unshare-net"}, o.Name)
}

// shareNet finds the last word about the network.
func shareNet(c *call) {
	for _, o := range slices.Backward(c.Options) {
		if o.unsharesNet() {
			return
		}
		if o.Name == "--share-net" {
			c.script.report(o.At, "the network is the host's, with its abstract sockets and what listens on 127.0.0.1")
			return
		}
	}
}

func shareNetUndone(c *call) {
	var shares *Option
	for _, o := range c.Options {
		switch {
		case o.When != 0:
		case shares == nil:
			if o.Name == "--share-net" {
				shares = &o
			}
		case o.unsharesNet():
			c.script.report(shares.At, "--share-net has no effect: a later %s takes the network away again", o.Name)
			return
		}
	}
}

func twice(c *call) {
	used := map[string]bool{}
	for _, o := range c.Options {
		switch {
		case o.When != 0, !o.complete(), !o.about().Descriptor:
			continue
		}
		fd, known := o.Operands[0].Text.Literal()
		if known && used[fd] {
			c.script.report(o.At, "descriptor %s is used twice: bwrap has closed it by then", fd)
		}
		used[fd] = true
	}
}

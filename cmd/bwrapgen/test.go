package main

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/proof"
)

// testCmd is the verb test.
type testCmd struct {
	Profile []string `arg:"" help:"Profiles: built-in, your own, or paths of files; or launchers that bwrapgen has made."`
	Here    bool     `help:"Run commands in your own project, with your own home, and not in some that are made for this."`
	subject
}

// Help is the longer help.
func (testCmd) Help() string {
	return `A profile says in tables [[expect]] what its author expects of the sandbox:

    [[expect]]
    path = "~/.ssh"
    is   = "unreadable"

    [[expect]]
    run  = ["go", "version"]
    when = "go"

The sandbox is started, and each of them is tried in it, those that are inherited, too. The exit status is 0 where all of them hold, and 3 otherwise.`
}

// tested is an expectation, whose profile it is, and what has become of it.
type tested struct {
	launcher string
	where    string // FILE:LINE
	why      string
	proof.Statement
}

// Run tries what profiles expect.
func (c testCmd) Run(a app) error {
	var all []tested
	for _, name := range c.Profile {
		s, err := a.started(name, c.subject)
		if err != nil {
			return err
		}
		more, err := a.test(s, c.Here)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if err := a.artefact(testLines(all)); err != nil {
		return err
	}
	for _, one := range all {
		if one.Result == proof.False {
			return errDiffers
		}
	}
	return nil
}

// test starts a sandbox, and tries all that is expected of it.
func (a app) test(s started, isReal bool) ([]tested, error) {
	if len(s.profile.Expect) == 0 {
		a.line("", "", s.name+" expects nothing: it has no [[expect]]")
		return nil, nil
	}
	if err := askable(s); err != nil {
		return nil, err
	}
	g, err := a.stage(s, isReal)
	if err != nil {
		return nil, err
	}
	defer g.end()
	done := a.progress("testing %s", s.name)
	defer done()
	return g.expectations()
}

func (g *stage) expectations() ([]tested, error) {
	var places []proof.Place
	variables := g.callers(g.fixed())
	for _, e := range g.profile.Expect {
		if !e.Path.IsZero() {
			places = append(places, g.place(access.Entry{At: e.Path})...)
		}
		if _, isSet := variables[e.Variable]; e.Variable != "" && !isSet && e.Is == "unset" {
			variables[e.Variable] = "set outside"
		}
	}
	if err := g.plant(places); err != nil {
		return nil, failed(err, "cannot make what is to be looked for")
	}
	var tries tries
	var all []proof.Expected
	for _, e := range g.profile.Expect {
		x := proof.Expected{Expectation: e}
		g.try(&tries, &x)
		all = append(all, x)
	}
	for _, x := range all {
		tries.add(proof.Program, x.When)
	}
	v := visit{tries: tries}
	if err := g.start(variables, &v); err != nil {
		return nil, err
	}
	seen, said := v.seen, v.said
	if !v.isDone() {
		_, err := g.unstarted(said)
		return []tested{{g.name, "", "", proof.Statement{Subject: "start", Says: "a command runs inside", Result: proof.False, Why: strings.TrimSpace(said)}}}, err
	}
	var done []tested
	for i, x := range all {
		st := x.Judge(seen, i)
		if x.When != "" && !seen.Places[len(all)+i].Wrote {
			st.Result, st.Why = proof.Unprovable, "there is no "+x.When+" inside"
		}
		done = append(done, tested{g.name, fmt.Sprintf("%s:%d", filepath.Base(x.Origin.File), x.Origin.Line), x.Why, st})
	}
	return done, nil
}

// place is where an entry is, inside and on the host.
func (g *stage) place(s access.Entry) []proof.Place {
	return proof.Places([]access.Entry{s}, g.inside, g.host)
}

// try adds the word by which an expectation is tried, and looks at the host.
func (g *stage) try(t *tries, x *proof.Expected) {
	switch {
	case len(x.Run) > 0:
		var words []string
		for _, word := range x.Run {
			words = append(words, shell(word))
		}
		t.add(proof.Run, strings.Join(words, " "))
	case x.Host != "":
		x.Inside = x.Host
		if g.listener != nil && !strings.Contains(x.Host, ":") {
			x.Inside = g.listener.Addr().String()
		}
		c, err := net.DialTimeout("tcp", x.Inside, patience/4)
		x.Reaches = err == nil
		if err == nil {
			_ = c.Close()
		}
		t.add(proof.Reach, x.Inside)
	case x.Variable != "":
		t.add(proof.Program, x.Variable) // nothing is done
	default:
		way := proof.Look
		at := expr.Path{}
		for _, p := range g.place(access.Entry{At: x.Path}) {
			at, x.Inside, x.Control = p.At, p.Inside, g.control(p)
		}
		if x.Control.Own && !at.IsZero() {
			way = proof.Write
		}
		t.add(way, x.Inside)
	}
}

// marks are the words of a line for each result.
var marks = map[proof.Result]string{proof.Proved: "ok", proof.False: "FALSE", proof.Unprovable: "skip"}

func (t tested) line() string {
	text := t.Says
	for _, more := range []string{t.Statement.Why, t.why, t.where} {
		if more != "" {
			text += "; " + more
		}
	}
	return visible(text)
}

func testLines(all []tested) []byte {
	var b bytes.Buffer
	count := map[proof.Result]int{}
	name := ""
	for _, t := range all {
		if t.launcher != name {
			name = t.launcher
			fmt.Fprintf(&b, "%s\n", visible(name))
		}
		count[t.Result]++
		sideBySide(&b, len("  FALSE  "), "  "+marks[t.Result], t.line())
	}
	if len(all) > 0 {
		fmt.Fprintf(&b, "%d expectations: %d hold, %d are false, %d left out\n", len(all), count[proof.Proved], count[proof.False], count[proof.Unprovable])
	}
	return b.Bytes()
}

package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/proof"
)

// stage is where a launcher is tried: in a home and a project that are made for it, or in
// the real ones, in which nothing is made.
type stage struct {
	started
	top           string // what is made for it
	home, project string
	file          string // the launcher
	mark          string // in the names and texts of all that is made
	isReal        bool
	inside, host  expr.Env
	listener      net.Listener   // on 127.0.0.1; none where that cannot be
	listeners     []net.Listener // on ports that the sandbox is to reach
}

// stage makes a directory for a launcher. The caller removes it by end.
func (a app) stage(s started, isReal bool) (*stage, error) {
	top, err := temporary()
	if err != nil {
		return nil, cannot("set TMPDIR to a directory that can be written", "cannot make a temporary directory: %v", reason(err))
	}
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	g := &stage{
		started: s, top: top, isReal: isReal, mark: "bwrapgen-" + hex.EncodeToString(random),
		home: filepath.Join(top, "home"), project: filepath.Join(top, "project"),
	}
	if err := g.settle(a); err != nil {
		g.end()
		return nil, err
	}
	g.listener, _ = net.Listen("tcp4", "127.0.0.1:0")
	return g, nil
}

// temporary makes a directory, where layers can be kept if possible: /tmp may be in memory,
// and a sandbox may keep one of its own.
func temporary() (string, error) {
	if os.Getenv("TMPDIR") == "" {
		if top, err := os.MkdirTemp("/var/tmp", "bwrapgen-"); err == nil {
			return top, nil
		}
	}
	top, err := os.MkdirTemp("", "bwrapgen-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(top)
}

// settle makes home, project and launcher, and says what paths stand for.
func (g *stage) settle(a app) error {
	g.file = filepath.Join(g.project, g.name)
	if root := g.plan.Project.Root.Path; !root.IsZero() {
		g.project, _ = root.Eval(expr.Env{Home: g.home})
		g.file = filepath.Join(g.top, g.name)
	}
	if g.isReal {
		g.home = a.home
		project, err := a.project(g.profile.Project.Root.Kind, "")
		if err != nil {
			return err
		}
		g.project = project
		g.file = filepath.Join(g.top, g.name)
	}
	terminals := filepath.Join(g.top, "terminfo")
	g.host = expr.Env{Home: g.home, Project: g.project, Lookup: g.movers()}
	g.host.Lookup["TERMINFO"] = terminals
	if g.isReal {
		g.host.Lookup = maps.Clone(g.env.Lookup)
		g.host.Lookup["XDG_STATE_HOME"] = filepath.Join(g.top, "state")
	}
	g.inside = g.host
	if at := g.plan.Places.Home; !at.IsZero() {
		g.inside.Home = at.Rest
	}
	if at := g.plan.Places.Project; !at.IsZero() {
		g.inside.Project = at.Rest
	}
	errs := []error{
		os.MkdirAll(filepath.Join(g.top, "state"), 0o700),
		os.WriteFile(filepath.Join(g.top, "open"), nil, 0o600),
		os.MkdirAll(filepath.Join(terminals, "x"), 0o700),
		os.WriteFile(filepath.Join(terminals, "x", terminal), nil, 0o600),
	}
	for _, dir := range []string{g.home, g.project} {
		if g.isOwn(dir) {
			errs = append(errs, os.MkdirAll(dir, 0o700))
		}
	}
	if g.isOwn(g.home) { // the launcher's store is a directory, if it makes one
		errs = append(errs, os.MkdirAll(filepath.Join(g.home, ".local/state/bwrapgen"), 0o700))
	}
	if g.isOwn(g.project) {
		errs = append(errs, g.repository())
	}
	if g.started.file != "" && g.isReal {
		g.file = g.started.file
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, os.WriteFile(g.file, g.script, 0o700))...)
}

// movers are the variables by which places move, each with its usual value: then nothing
// moves. One with two usual values is left out. In a home that stands elsewhere inside, the
// launcher would change the values.
func (g *stage) movers() map[string]string {
	all := map[string]string{}
	if !g.plan.Places.Home.IsZero() {
		return all
	}
	uneven := map[string]bool{}
	for _, s := range access.Of(g.plan) {
		for at := &s.At; at.Base == expr.Variable; at = at.Default {
			if value, known := g.usual(s.Shows, *at); known {
				before, seen := all[at.Name]
				uneven[at.Name] = uneven[at.Name] || seen && before != value
				all[at.Name] = value
			}
			if at.Default == nil {
				break
			}
		}
	}
	maps.DeleteFunc(all, func(name, value string) bool { return uneven[name] || !g.mayLead(name, value) })
	return all
}

// mayLead reports whether the launcher lets a variable lead to its usual place: not where
// home hides a directory as a whole.
func (g *stage) mayLead(name, value string) bool {
	hidden := g.plan.Hidden
	return !slices.ContainsFunc(hidden.Movers, func(mover string) bool {
		rest, isIt := strings.CutPrefix(mover+"/", name+"/")
		at, isDotted := strings.CutPrefix(filepath.Join(value, rest), g.home+"/.")
		isOpen := slices.ContainsFunc(append(hidden.Open, ".cache"), func(open string) bool { return expr.Within("."+at, open) })
		return isIt && isDotted && !isOpen
	})
}

// usual is where a variable would lead by default. What is hidden only where a variable
// leads has a place of its own in home.
func (g *stage) usual(shows access.Shows, at expr.Path) (value string, known bool) {
	if at.Default != nil {
		return at.Default.Eval(expr.Env{Home: g.home, Project: g.project})
	}
	isMoved := shows == access.Hidden && !strings.HasPrefix(at.Name, "XDG_")
	return filepath.Join(g.moved(), at.Name), isMoved
}

func (g *stage) moved() string { return filepath.Join(g.home, "moved") }

// repository makes an empty one in the project, as git init does.
func (g *stage) repository() error {
	at := func(name string) string { return filepath.Join(g.project, ".git", name) }
	return errors.Join(
		os.MkdirAll(at("objects"), 0o700), os.MkdirAll(at("refs/heads"), 0o700), os.MkdirAll(at("hooks"), 0o700),
		os.WriteFile(at("HEAD"), []byte("ref: refs/heads/main\n"), 0o600),
		os.WriteFile(at("config"), []byte("[core]\n\trepositoryformatversion = 0\n"), 0o600),
		os.WriteFile(at("commondir"), []byte(".\n"), 0o600),
	)
}

func (g *stage) end() {
	if g.listener != nil {
		_ = g.listener.Close()
	}
	for _, l := range g.listeners {
		_ = l.Close()
	}
	if os.RemoveAll(g.top) == nil {
		return
	}
	_ = filepath.WalkDir(g.top, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(g.top)
}

// isOwn reports whether a path is of what was made.
func (g *stage) isOwn(path string) bool { return expr.Within(path, g.top) }

// places are those of explain, and besides them the catalogue's logins and sockets in home
// of which nothing is shown: each with the directories that are there for it alone.
func (g *stage) places() []proof.Place {
	all := access.Of(g.plan)
	shown := proof.Places(all, g.inside, g.host)
	for _, s := range g.catalogue.Hidden() {
		if s.Path.Base != expr.Home || strings.ContainsAny(s.Path.Rest, "*?[") {
			continue
		}
		at := s.Path
		for _, up := range at.Above() {
			if name, _ := up.Eval(g.inside); up.Rest != "" && proof.Absent(name, shown) {
				at = up
			}
		}
		if name, _ := at.Eval(g.inside); proof.Absent(name, shown) && !g.isReal {
			all = append(all, access.Entry{At: at, What: "logins, sockets: nothing of it is there", Tool: s.Tool, From: access.Asker(s.Tool, profile.Origin{})})
		}
	}
	if g.isOwn(g.project) {
		itself := expr.Path{Base: expr.Project, Rest: "/" + g.name}
		all = append(all, access.Entry{At: itself, Source: itself, Shows: access.Read, What: "the launcher itself cannot be changed"})
	}
	return proof.Places(all, g.inside, g.host)
}

// plant makes what the places are to show or to hide, where there is nothing yet.
func (g *stage) plant(places []proof.Place) error {
	var errs []error
	for _, p := range places {
		if !g.isOwn(p.Host) || p.Shows == access.Link || g.isUnmade(p) {
			continue
		}
		info, err := os.Lstat(p.Host)
		if err == nil && !info.IsDir() {
			continue
		}
		if err != nil && g.isFile(p, places) {
			errs = append(errs, g.plantFile(p.Host, p))
			continue
		}
		errs = append(errs, os.MkdirAll(p.Host, 0o700), g.plantFile(filepath.Join(p.Host, g.mark), p))
	}
	return errors.Join(errs...)
}

// isUnmade says of a name that it cannot be made: it stays absent, for that to be tried.
func (g *stage) isUnmade(p proof.Place) bool {
	return strings.HasSuffix(p.What, "it cannot be made, either") && !p.Pattern
}

// plantFile makes a file that looks as if it held a login, if that is what must be hidden.
func (g *stage) plantFile(name string, p proof.Place) error {
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	text := hex.EncodeToString(random)
	if !p.Shows.Host() {
		text = "password " + text
	}
	return os.WriteFile(name, []byte(text+"\n"), 0o600)
}

// fileName are the usual names of files, where the real home does not tell.
var fileName = regexp.MustCompile(`(?i)(rc|ignore|attributes|credentials|(^|[._z]|git)(env|profile|config|history)|\.[a-z]{2,5}|\.properties)$`)

// isFile guesses whether a file is meant, and no directory.
func (g *stage) isFile(p proof.Place, places []proof.Place) bool {
	if slices.ContainsFunc(places, func(other proof.Place) bool { return other.Host != p.Host && expr.Within(other.Host, p.Host) }) {
		return false
	}
	switch {
	case strings.Contains(p.What, "unless it holds a login"), p.Shows == access.Nothing, expr.Within(p.Host, g.moved()):
		return true
	case p.Shows == access.Own || p.Shows == access.View:
		return false
	}
	if at, ok := p.Source.Eval(g.env); ok {
		if info, err := os.Stat(at); err == nil {
			return !info.IsDir()
		}
	}
	if slices.ContainsFunc(g.plan.Mounts.In(plan.ScopeCredential), func(m plan.Mount) bool { return m.Source.Equal(p.Source) }) {
		return true
	}
	name := filepath.Base(p.Host)
	return fileName.MatchString(name[1:])
}

// loginWords are some by which a launcher takes settings for what may hold a login. What has
// none of them is shown.
var loginWords = regexp.MustCompile(`(?i)pass|pwd|token|secret|auth|bearer|cookie|credential|key|-----begin|@|/t/|env|vars`)

// control is what the host has at a place.
func (g *stage) control(p proof.Place) proof.Control {
	info, err := os.Stat(p.Host)
	c := proof.Control{IsThere: err == nil, Own: g.isOwn(p.Host)}
	if err != nil {
		return c
	}
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		c.Inode = fmt.Sprintf("%d:%d", system.Dev, system.Ino)
	}
	file := p.Host
	if info.IsDir() {
		c.MayHoldLogin = true // its files are judged one by one
		file = filepath.Join(p.Host, g.mark)
		if _, err := os.ReadDir(p.Host); err == nil {
			c.Holds = "readable"
		}
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		if data, err := readFile(file); err == nil {
			c.Holds = proof.Line(string(data))
			c.MayHoldLogin = loginWords.Match(data)
		}
	}
	return c
}

// arrived reports whether what was written inside is on the host.
func (g *stage) arrived(p proof.Place) bool {
	if _, err := os.Lstat(filepath.Join(p.Host, g.mark+"-wrote")); err == nil {
		return true
	}
	data, err := os.ReadFile(p.Host)
	return err == nil && strings.HasSuffix(string(data), g.mark+"-wrote")
}

// absent are paths of the host that must not be there inside: of these directories, what
// nothing shows.
func (g *stage) absent(places []proof.Place) []string {
	var all []string
	resolver, _ := filepath.EvalSymlinks("/etc/resolv.conf")
	needed := []string{g.inside.Home, g.inside.Project, g.host.Project, resolver}
	dirs := []string{"/", "/etc", "/home", "/var", "/var/lib", "/run", "/tmp", "/var/tmp", "/mnt", "/media", "/srv", g.env.Home}
	for _, dir := range dirs {
		names, _ := readDir(dir)
		for _, name := range names {
			at := filepath.Join(dir, name)
			isWay := slices.ContainsFunc(needed, func(to string) bool { return expr.Within(to, at) })
			isMade := at == "/sys" || expr.Within(at, "/run/user")
			if !isWay && !isMade && proof.Absent(at, places) {
				all = append(all, at)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

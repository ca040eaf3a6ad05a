package plan

import (
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// movable lists the variables by which a tool may, when the launcher starts, keep
// in what a user's own profile lists what this refuses to show: NAME where one
// leads to that, NAME/ where it lies below, NAME/rest where the profile lists a
// name that occurs there. Of start-up files it lists them where something is
// writable, and of sockets those that are not passed. A profile that names a tool's
// secret with a reason has all of them.
func (b *builder) movable(rechecks []Recheck, all Mounts, sockets Sockets) []string {
	own := slices.DeleteFunc(slices.Clone(rechecks), func(l Recheck) bool { return !l.Own })
	if len(own) == 0 || b.wholeHost() { // that hides them, wherever they are
		return nil
	}
	writes := slices.ContainsFunc(own, func(l Recheck) bool { return l.Writable })
	items := map[string]bool{}
	for _, s := range b.byVariable(all, sockets) {
		switch {
		case slices.Contains(otherKinds, s.Path.Name), s.Kind == catalogue.Persistence && !writes:
			continue
		case s.Path.Rest == "":
			items[s.Path.Name] = true
			continue
		}
		items[s.Path.Name+"/"] = true
		listed := func(l Recheck) bool { return occurs(s.Path.Rest, l.Path.Rest) }
		if !isGlob(s.Path) && slices.ContainsFunc(own, listed) {
			items[s.Path.Name+s.Path.Rest] = true
		}
	}
	for _, name := range addressesWithout(sockets) {
		items[name] = true
	}
	for name := range items {
		if items[strings.TrimSuffix(name, "/")] && strings.HasSuffix(name, "/") {
			delete(items, name) // all of it is one
		}
	}
	return slices.Sorted(maps.Keys(items))
}

// otherKinds are variables that lead to a directory of another kind: what lies in the
// runtime directory is judged by itself, and npm sets its prefix, where its programs lie,
// for whatever it starts.
var otherKinds = []string{runtimeVariable, "npm_config_prefix"}

// byVariable are the secrets and sockets where a variable leads, but for sockets that are passed,
// and for tools of which the profile names a secret and says why.
func (b *builder) byVariable(all Mounts, sockets Sockets) []catalogue.Secret {
	reasons := map[string]bool{}
	for _, m := range slices.Concat(all.In(ScopeToolchain), all.ofProfile()) {
		maps.Copy(reasons, b.named(m, b.hits(m)))
	}
	var found []catalogue.Secret
	for _, s := range b.known {
		switch {
		case s.Path.Base != expr.Variable, reasons[s.Tool], sockets.Has(s.Pass):
			continue
		}
		found = append(found, s)
	}
	return found
}

// occurs reports whether a path that ends as one does, or goes on below that, may
// be, hold or lie in what has a rest.
func occurs(rest, path string) bool {
	for end := len(rest); end > 0; end = strings.LastIndexByte(rest[:end], '/') {
		if strings.HasSuffix(path, rest[:end]) {
			return true
		}
	}
	return strings.Contains(path, rest+"/")
}

package profile

import "bwrapgen/gen/expr"

// parse reads a path expression. A base directory whose variable is unset is where
// the XDG specification has it; the runtime directory is nowhere then.
func parse(text string) (expr.Path, error) {
	p, err := expr.Parse(text)
	return based(p), err
}

func based(p expr.Path) expr.Path {
	usual := map[string]string{
		"XDG_CACHE_HOME": "/.cache", "XDG_CONFIG_HOME": "/.config",
		"XDG_DATA_HOME": "/.local/share", "XDG_STATE_HOME": "/.local/state",
	}[p.Name]
	switch {
	case p.Default != nil:
		inner := based(*p.Default)
		p.Default = &inner
	case usual != "":
		p.Default = &expr.Path{Base: expr.Home, Rest: usual}
	}
	return p
}

package plan

import (
	"fmt"
)

// Options are the launcher's options that not every launcher has.
func (p Plan) Options() []Line {
	var all []Line
	if l := p.Limits; l.Timeout > 0 {
		all = append(all, Line{"--sandbox-timeout TIME", fmt.Sprintf("90, 90s or 2m instead of %ds; up to %ds", seconds(l.Timeout), seconds(l.MaxTimeout))})
	}
	if p.Displaced() {
		all = append(all, Line{"--sandbox-where PATH...", "where paths of the host are inside"})
	}
	if p.Limits.Output > 0 {
		all = append(all,
			Line{"--sandbox-capture", "no input; of long output, beginning and end"},
			Line{"--sandbox-report FILE", "write how it ended, as JSON"})
	}
	all = append(all, p.storeOptions()...)
	if p.asks() && p.Confirm.AllowYes {
		all = append(all, Line{"--sandbox-yes", "do not ask"})
	}
	return all
}

// storeOptions are those of a launcher that keeps something.
func (p Plan) storeOptions() []Line {
	var all []Line
	if p.Stores(Session) {
		all = append(all,
			Line{"--sandbox-session NAME", "use this session"},
			Line{"--sandbox-end [NAME]", "throw a session away"})
	}
	switch {
	case p.KeepsCachesAlone():
		all = append(all,
			Line{"--sandbox-status [PATH]", "what was changed in caches"},
			Line{"--sandbox-diff [PATH]", "the same"},
			Line{"--sandbox-apply [PATH]", "take changes over where the host has none newer"},
			Line{"--sandbox-discard", "throw all changes away"})
	case p.Stores(Session), p.Stores(Keep):
		all = append(all,
			Line{"--sandbox-status [PATH]", "what was changed; --stale: what is no change"},
			Line{"--sandbox-diff [PATH]", "the changes, line by line"},
			Line{"--sandbox-apply [PATH]", "take changes over where the host has made none"},
			Line{"--sandbox-force [PATH]", "take them over wherever it is allowed"},
			Line{"--sandbox-refresh", "drop what is no change, or older than the host's"},
			Line{"--sandbox-discard", "throw all changes away"})
	}
	return all
}

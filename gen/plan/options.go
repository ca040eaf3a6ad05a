package plan

import (
	"fmt"

	"bwrapgen/gen/profile"
)

// Options are the launcher's options that not every launcher has.
func (p Plan) Options() []Line {
	l := p.Limits
	hasSessions, hasCaches := p.Stores(Session), p.KeepsCachesAlone()
	hasChanges := !hasCaches && (hasSessions || p.Stores(Keep))
	times := fmt.Sprintf("90, 90s or 2m instead of %ds; up to %ds", seconds(l.Timeout), seconds(l.MaxTimeout))
	var all []Line
	for _, option := range []struct {
		isThere     bool
		name, words string
	}{
		{l.Timeout > 0, "--sandbox-timeout TIME", times},
		{p.Displaced(), "--sandbox-where PATH...", "where paths of the host are inside"},
		{l.Output > 0, "--sandbox-capture", "no input; of long output, beginning and end"},
		{l.Output > 0, "--sandbox-report FILE", "write how it ended, as JSON"},
		{hasSessions, "--sandbox-session NAME", "use this session"},
		{hasSessions, "--sandbox-end [NAME]", "throw a session away"},
		{hasCaches, "--sandbox-status [PATH]", "what was changed in caches"},
		{hasCaches, "--sandbox-diff [PATH]", "the same"},
		{hasCaches, "--sandbox-apply [PATH]", "take changes over where the host has none newer"},
		{hasChanges, "--sandbox-status [PATH]", "what was changed; --stale: what is no change"},
		{hasChanges, "--sandbox-diff [PATH]", "the changes, line by line"},
		{hasChanges, "--sandbox-apply [PATH]", "take changes over where the host has made none"},
		{hasChanges, "--sandbox-force [PATH]", "take them over wherever it is allowed"},
		{hasChanges, "--sandbox-refresh", "drop what is no change, or older than the host's"},
		{hasCaches || hasChanges, "--sandbox-discard", "throw all changes away"},
		{p.Confirm.Mode == profile.ConfirmAlways && p.Confirm.AllowYes, "--sandbox-yes", "do not ask"},
	} {
		if option.isThere {
			all = append(all, Line{option.name, option.words})
		}
	}
	return all
}

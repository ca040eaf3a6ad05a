package plan

// leastFiles is how many files the launcher itself and bwrap keep open.
const leastFiles = 64

// limits refuses limits under which no sandbox would start.
func (b *builder) limits() {
	l := b.profile.Limits
	if l.OpenFiles > 0 && l.OpenFiles < leastFiles {
		b.refuse(b.profile.Origins["limits.open-files"], "64 or more", "too few open files for a sandbox to start: %d", l.OpenFiles)
	}
}

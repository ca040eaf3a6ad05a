package probe

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// Limit bounds the counting of one size. The zero value stops at once.
type Limit struct {
	Entries int
	Time    time.Duration
}

// What a question about sizes may cost, for each path and in all.
const (
	sizeEntries = 100_000
	sizeTime    = 200 * time.Millisecond
	sizesTime   = 3 * time.Second
)

// Size gives the sum of the lengths of all files at and below a path, which is
// not followed where it is a link. It is a lower bound where the limit was
// reached, ctx ended or something could not be read.
func Size(ctx context.Context, name string, limit Limit) (size int64, bound bool) {
	ctx, cancel := context.WithTimeout(ctx, limit.Time)
	defer cancel()
	left := limit.Entries
	_ = filepath.WalkDir(name, func(_ string, e fs.DirEntry, err error) error {
		if left--; left < 0 || ctx.Err() != nil {
			bound = true
			return filepath.SkipAll
		}
		if err != nil {
			bound = true
			return nil
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	return size, bound
}

// measure adds the sizes that were asked about to the facts.
func (h Host) measure(ctx context.Context, facts map[string]host.PathFact, q host.Question, env expr.Env) {
	ctx, cancel := context.WithTimeout(ctx, sizesTime)
	defer cancel()
	for _, p := range q.Sizes {
		fact, ok := facts[p.String()]
		if !ok || fact.Kind == host.Dangling {
			continue
		}
		at, _ := p.Eval(env)
		fact.Size, fact.Bound = Size(ctx, h.real(fact.Place(at)), Limit{sizeEntries, sizeTime})
		facts[p.String()] = fact
	}
}

package probe_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// BenchmarkFacts asks what the whole catalogue asks: without PATH, that is
// without the programs, and with them.
func BenchmarkFacts(b *testing.B) {
	root := tree(b, "/home/u/.cache/", "/home/u/.local/share/", "/p/go.mod", "/p/web/package.json")
	q := host.Question{Project: "/p"}
	for i := range 600 {
		q.Paths = append(q.Paths, expr.MustParse(fmt.Sprintf("${TOOL%d_HOME:-~/.local/share/tool%d}/some/cache", i, i)))
		q.Markers = append(q.Markers, fmt.Sprintf("marker%d", i))
	}
	b.Run("paths", func(b *testing.B) {
		for b.Loop() {
			if _, err := on(root).Facts(context.Background(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("programs", func(b *testing.B) {
		for b.Loop() {
			if _, err := on("", "PATH="+os.Getenv("PATH")).Facts(context.Background(), host.Question{Programs: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

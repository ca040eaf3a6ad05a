package sessiontest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"bwrapgen/cmd/harness"
)

const captured = `extends = ["base"]
[limits]
timeout = "30s"
kill-after = "1s"
output = "30KiB"
`

// report is what --sandbox-report writes.
type report struct {
	Status       int   `json:"status"`
	Signal       *int  `json:"signal"`
	TimedOut     bool  `json:"timed_out"`
	DurationMS   int64 `json:"duration_ms"`
	OutputBytes  *int  `json:"output_bytes"`
	OmittedBytes *int  `json:"omitted_bytes"`
}

// capture runs a script with capture and a report.
func (w world) capture(t *testing.T, script string, options ...string) (harness.Result, report) {
	t.Helper()
	file := filepath.Join(w.Home, "report.json")
	words := append(options, "--sandbox-capture", "--sandbox-report", file, "--", "bash", "-c", script)
	r := w.Run(t, words...)
	var got report
	d := json.NewDecoder(strings.NewReader(harness.Read(t, file)))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %q: %s", err, harness.Read(t, file), r.Stderr)
	}
	return r, got
}

func TestCaptureOrder(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		r, got := w.capture(t, "echo 1; echo 2 >&2; echo 3; cat; printf 'a\\0b'; exit 7")
		r.Ends(t, 7).Prints(t, "1\n2\n3\na\x00b")
		if got.Status != 7 || got.Signal != nil || got.TimedOut || *got.OutputBytes != 9 || *got.OmittedBytes != 0 {
			t.Errorf("the report is %+v", got)
		}
		if r.Stderr != "" {
			t.Errorf("standard error: %s", r.Stderr)
		}
	})
}

// TestCaptureSize has outputs around the border, and their ends.
func TestCaptureSize(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		text := func(from, n int) string {
			var b strings.Builder
			for b.Len() < n {
				fmt.Fprintf(&b, "%07d\n", from+b.Len()/8)
			}
			return b.String()[:n]
		}
		for _, size := range []int{0, 1, 15359, 15360, 15361, 30719, 30720, 30721, 100 << 10, 3 << 20} {
			w.write(t, "home/code/p/text", text(0, size))
			r, got := w.capture(t, "cat text")
			want, omitted := text(0, size), 0
			if size > 30720 {
				omitted = size - 30720
				want = want[:15360] + fmt.Sprintf("\n[... %d of %d bytes omitted ...]\n", omitted, size) + want[size-15360:]
			}
			r.Ends(t, 0).Prints(t, want)
			if *got.OutputBytes != size || *got.OmittedBytes != omitted {
				t.Errorf("the report on %d bytes: %d, %d", size, *got.OutputBytes, *got.OmittedBytes)
			}
		}
	})
}

// TestCaptureUTF8 shifts characters of every length over both borders.
func TestCaptureUTF8(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		for _, character := range []string{"e", "é", "€", "😀"} {
			for shift := range 4 {
				text := strings.Repeat("-", shift) + strings.Repeat(character, 40000/len(character))
				w.write(t, "home/code/p/text", text)
				r, got := w.capture(t, "cat text")
				if r.Ends(t, 0); !utf8.ValidString(r.Stdout) {
					t.Errorf("%q is cut in two after %d bytes", character, shift)
				}
				kept := len(r.Stdout) - len(fmt.Sprintf("\n[... %d of %d bytes omitted ...]\n", *got.OmittedBytes, len(text)))
				if kept+*got.OmittedBytes != len(text) || kept < 30720-6 {
					t.Errorf("%q: kept %d of %d, left out %d", character, kept, len(text), *got.OmittedBytes)
				}
			}
		}
		r := w.launch(t, strings.Replace(captured, "30KiB", "1KiB", 1)).Run(t, "--sandbox-capture", "head", "-c", "5000", "/dev/zero").Ends(t, 0)
		if bytes.Count([]byte(r.Stdout), []byte{0}) != 1024 {
			t.Errorf("of bytes that are no text, %d are kept", bytes.Count([]byte(r.Stdout), []byte{0}))
		}
	})
}

// TestCaptureEnds has commands that leave something behind, die, or are late.
func TestCaptureEnds(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		r, _ := w.capture(t, "echo x; sleep 300 & setsid sleep 300 & exit 0", "--sandbox-timeout", "600") // nobody waits so long
		r.Ends(t, 0).Prints(t, "x\n")
		r, got := w.capture(t, "echo x; kill -KILL $$")
		r.Ends(t, 137).Prints(t, "x\n")
		if got.Status != 137 || got.Signal == nil || *got.Signal != 9 || got.TimedOut {
			t.Errorf("the report on a SIGKILL is %+v", got)
		}
		r, got = w.capture(t, "exit 124")
		if r.Ends(t, 124); got.Status != 124 || got.TimedOut {
			t.Errorf("the report on exit 124 is %+v", got)
		}
		r, got = w.capture(t, "echo out; echo err >&2; sleep 300", "--sandbox-timeout", "5") // a slow machine begins late
		r.Ends(t, 124).Prints(t, "out\nerr\n").Says(t, "timed out after 5 seconds")
		if got.Status != 124 || !got.TimedOut || got.DurationMS < 5000 || got.DurationMS > harness.Patience.Milliseconds() {
			t.Errorf("the report on a timeout is %+v", got)
		}
	})
}

func TestCaptureRefuses(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		w.Run(t, "--sandbox-capture").Ends(t, 125).Says(t, "--sandbox-capture needs a command")
		w.Run(t, "--sandbox-capture", "--", "", " \t\n").Ends(t, 125).Says(t, "--sandbox-capture needs a command")
		w.Run(t, "--sandbox-report", "", "true").Ends(t, 125).Says(t, "is not a file: ''")
		w.Run(t, "--sandbox-report").Ends(t, 125).Says(t, "--sandbox-report needs a value")
		w.Run(t, "--sandbox-report", w.Home+"/no/file", "true").Ends(t, 125).Says(t, "cannot write "+w.Home+"/no/file")
		if err := os.Symlink(w.Home+"/.bashrc", w.Project+"/report"); err != nil {
			t.Fatal(err)
		}
		w.Run(t, "--sandbox-report", "report", "true").Ends(t, 125).Says(t, "is not a file: 'report'")
		if harness.Read(t, w.Home+"/.bashrc") != "" {
			t.Error("the report went through a link")
		}
		w = w.launch(t, "command = [\"bash\", \"-c\"]\n"+captured)
		w.Run(t, "--sandbox-capture").Ends(t, 125).Says(t, "--sandbox-capture needs a command")
		w.Run(t, "--sandbox-capture", "echo x").Ends(t, 0).Prints(t, "x\n")
		w = w.launch(t, "command = [\"echo\", \"x\"]\n"+captured)
		w.Run(t, "--sandbox-capture").Ends(t, 0).Prints(t, "x\n")
		w.Run(t, "--sandbox-report", "r", "y").Ends(t, 0).Prints(t, "x y\n")
		if got := harness.Read(t, w.Project+"/r"); !strings.Contains(got, `"output_bytes":null`) {
			t.Errorf("the report without capture is %s", got)
		}
	})
}

// TestCaptureLeavesNothing looks for the files that hold the output.
func TestCaptureLeavesNothing(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		tmp := filepath.Join(w.Top, "tmp")
		if err := os.Mkdir(tmp, 0o777); err != nil {
			t.Fatal(err)
		}
		w.Give(t, tmp)
		w.Set("TMPDIR=" + tmp)
		w.capture(t, "seq 100000")
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	})
}

package sessiontest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestReportOfEarlier has launchers that refuse, after a run that did not.
func TestReportOfEarlier(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		file := w.Home + "/report.json"
		for _, words := range [][]string{{"--sandbox-capture", "--", ""}, {"--sandbox-timeout", "601", "true"}} {
			if _, got := w.capture(t, "exit 3"); got.Status != 3 {
				t.Fatalf("%+v", got)
			}
			w.Run(t, append([]string{"--sandbox-report", file}, words...)...).Ends(t, 125)
			if got := harness.Read(t, file); got != "" {
				t.Errorf("%q: the report is that of an earlier run: %s", words, got)
			}
		}
	})
}

// TestReportForged has commands that write the report themselves, where they can.
func TestReportForged(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		for _, forge := range []string{`echo '{"status":0}' >report`, `echo '{"status":0}' >new && mv new report`, `ln -sf $H/.bashrc report`, `rm report`} {
			w.Run(t, "--sandbox-report", "report", "bash", "-c", w.expand(forge)+"; exit 3").Ends(t, 125).Says(t, "the command changed its report")
			_ = os.Remove(w.Project + "/report")
		}
		if harness.Exists(w.Home + "/.bashrc") {
			t.Error("the report went through a link")
		}
		w.Run(t, "--sandbox-report", "report", "bash", "-c", "exit 3").Ends(t, 3)
		w.Run(t, "--sandbox-report", "/dev/null", "bash", "-c", "exit 3").Ends(t, 3)
		w.Run(t, "--sandbox-report", "/dev/full", "bash", "-c", "exit 3").Ends(t, 125).Says(t, "cannot write /dev/full")
	})
}

// TestReportLinked has commands that leave a link, or a named pipe, where the next
// report is to be.
func TestReportLinked(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		w.write(t, "home/mine/report", "precious\n")
		for _, lead := range []string{"ln -s $H/mine out", "mkdir d; ln -s ../../../mine d/out; ln -s d/out out"} {
			w.Run(t, "bash", "-c", "mkdir out").Ends(t, 0)
			w.Run(t, "--sandbox-report", "out/report", "bash", "-c", "rm -r out; "+w.expand(lead)).Ends(t, 125).Says(t, "the command changed its report")
			for _, name := range []string{"out/report", w.Project + "/out/report", "../p/out/report"} {
				w.Run(t, "--sandbox-report", name, "true").Ends(t, 125).Says(t, "it leads to "+w.Home+"/mine")
			}
			if got := harness.Read(t, w.Home+"/mine/report"); got != "precious\n" {
				t.Errorf("%s: the report went through a link: %s", lead, got)
			}
			w.Run(t, "rm", "out").Ends(t, 0)
		}
		w.Run(t, "mkfifo", "pipe").Ends(t, 0)
		w.Run(t, "--sandbox-report", "pipe", "true").Ends(t, 125).Says(t, "is not a file: 'pipe'")
		w.Run(t, "--sandbox-report", w.Home+"/mine/report", "true").Ends(t, 0)
		if got := harness.Read(t, w.Home+"/mine/report"); !strings.Contains(got, `"status":0`) {
			t.Errorf("the report is %s", got)
		}
	})
}

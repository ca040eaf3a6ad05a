package inside

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Job is what rows reads: commands for bash, run one after the other in Dir.
type Job struct {
	Dir  string
	Env  []string // added for the commands, not for what else looks at the environment
	Rows []Row
}

// Row is one command for bash.
type Row struct{ Name, Do string }

// Result is how a row ended.
type Result struct {
	Name   string
	Status int    // of bash; 124 where it took too long
	Output string // both streams
}

const patience = 20 * time.Second // for one row

// rows runs each row of a job, and writes the results.
func rows(in io.Reader, out io.Writer) int {
	var job Job
	if err := json.NewDecoder(in).Decode(&job); err != nil {
		fmt.Fprintln(os.Stderr, "inside: rows:", err)
		return 2
	}
	results := make([]Result, len(job.Rows))
	for i, r := range job.Rows {
		results[i] = r.run(job)
	}
	if err := json.NewEncoder(out).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, "inside: rows:", err)
		return 2
	}
	return 0
}

func (r Row) run(job Job) Result {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", r.Do)
	c.Dir = job.Dir
	c.Env = append(os.Environ(), job.Env...)
	c.WaitDelay = time.Second
	output, err := c.CombinedOutput()
	result := Result{Name: r.Name, Output: string(output)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		result.Status = 124
	case errors.As(err, &exit):
		result.Status = exit.ExitCode()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		result.Status, result.Output = 127, err.Error()
	}
	return result
}

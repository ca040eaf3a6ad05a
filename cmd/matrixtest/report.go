package matrixtest

// Report is what the judge found on a machine.
type Report struct {
	Bash, Bwrap, Env string            // as each calls itself
	Launchers        map[string]Result // by name
}

// Result is what a launcher did on a machine.
type Result struct {
	Refusal  string            `json:",omitempty"` // why it does not run, in its own words
	Problems map[string]string `json:",omitempty"` // what is wrong, by the name of the check
}

package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// commands is the grammar of the command line.
type commands struct {
	Generate   generateCmd   `cmd:"" help:"Write the launcher that a profile describes."`
	Init       initCmd       `cmd:"" help:"Print a profile for the tools that a project uses."`
	Import     importCmd     `cmd:"" help:"Print a profile for another sandbox's settings, or for a script that calls bwrap."`
	Explain    explainCmd    `cmd:"" help:"Say what a profile's sandbox contains, and why."`
	Diff       diffCmd       `cmd:"" help:"Say what a change of profile or facts exposes or takes away."`
	Verify     verifyCmd     `cmd:"" help:"Start a sandbox, and prove what explain says of it."`
	Test       testCmd       `cmd:"" help:"Start sandboxes, and try what their profiles expect of them."`
	Learn      learnCmd      `cmd:"" help:"Run a command in its sandbox, and print the lines of a profile that it misses."`
	Probe      probeCmd      `cmd:"" help:"Print what there is to know about this host."`
	Doctor     doctorCmd     `cmd:"" help:"Say whether this host can run sandboxes, and what to do if not."`
	Lint       lintCmd       `cmd:"" help:"Look for holes in scripts that call bwrap."`
	Profiles   profilesCmd   `cmd:"" help:"List and show profiles."`
	Catalogue  catalogueCmd  `cmd:"" help:"List, show and check tools: where they keep programs, caches and secrets."`
	Stores     storesCmd     `cmd:"" help:"List and remove what launchers have kept."`
	Completion completionCmd `cmd:"" help:"Print completions for a shell."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"Print the words that can come next, for completions."`
	Manual     manualCmd     `cmd:"" hidden:"" help:"Print a page of the manual."`

	Help    helpFlag    `short:"h" help:"Show what there is to say about a command."`
	Version versionFlag `help:"Show the versions of the program and of its engine."`
}

const about = `bwrapgen writes launchers: bash scripts that start a command in a bubblewrap sandbox.`

// helpFlag stands in for kong's own, which ends the process.
type helpFlag bool

// IgnoreDefault keeps kong from setting the flag.
func (helpFlag) IgnoreDefault() {}

// BeforeReset prints the help before kong looks for what is missing.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return unwritten(err)
	}
	return errShown
}

// run parses the arguments and runs the verb that they name.
func (a app) run(args []string) error {
	parser, err := parserOf(&commands{}, a)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return misuse("see bwrapgen --help", "no command given")
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return usageError(err, args)
	}
	if err := emptyWord(ctx); err != nil {
		return err
	}
	return ctx.Run(a)
}

// emptyWord refuses a flag with an empty value, and an empty argument that may be
// left out: it would count as not given.
func emptyWord(ctx *kong.Context) error {
	for _, given := range ctx.Path {
		name := ""
		switch {
		case given.Flag != nil:
			name = "--" + given.Flag.Name
		case given.Positional != nil && !given.Positional.Required:
			name = "<" + given.Positional.Name + ">"
		default:
			continue
		}
		value := ctx.Value(given).Interface()
		text, isText := value.(string)
		list, _ := value.([]string)
		if isText && text == "" || slices.Contains(list, "") {
			return misuse("give it a value, or leave it out", "%s is empty", name)
		}
	}
	return nil
}

// helpTexts are the longer help of commands that have some.
//
//go:embed help
var helpTexts embed.FS

func parserOf(c *commands, a app) (*kong.Kong, error) {
	k, err := kong.New(c,
		kong.Name("bwrapgen"),
		kong.Description(about),
		kong.Writers(a.out, a.err),
		kong.NoDefaultHelp(),
		kong.Help(printHelp),
		kong.Bind(a),
		kong.KindMapper(reflect.String, kong.MapperFunc(asTyped)),
	)
	if err != nil {
		return nil, err
	}
	for _, command := range k.Model.Leaves(true) {
		name := strings.TrimPrefix(command.FullPath(), "bwrapgen ")
		text, _ := helpTexts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
		command.Detail = strings.TrimSpace(string(text))
	}
	return k, nil
}

// asTyped takes a word of the command line byte for byte. kong's own way leads through
// JSON, which replaces what is not UTF-8, as in the name of a file.
func asTyped(ctx *kong.DecodeContext, target reflect.Value) error {
	word, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(fmt.Sprint(word.Value))
	return nil
}

// removed are options that earlier versions had: the verb, the option and its value, where it has
// others left, and what to do instead.
var removed = []struct{ verb, option, value, instead string }{
	{"diff", "--old-host", "", "generate a launcher for each host with --host, and compare the files"},
	{"diff", "--new-host", "", "generate a launcher for each host with --host, and compare the files"},
	{"explain", "--format", "dot", "use --format html"},
	{"lint", "--format", "github", "use --format sarif"},
	{"probe", "--json", "", "use --format json"},
	{"test", "--format", "junit", "use the exit status, or --format json"},
	{"test", "--format", "tap", "use the exit status, or --format json"},
}

// removedOption is the hint for a command line with a removed option; empty: it has none.
func removedOption(args []string) string {
	for _, r := range removed {
		for i, word := range args {
			option, value, isJoined := strings.Cut(word, "=")
			if !isJoined && i+1 < len(args) {
				value = args[i+1]
			}
			if args[0] == r.verb && option == r.option && (r.value == "" || value == r.value) {
				return "removed in 0.1: " + r.instead
			}
		}
	}
	return ""
}

// usageError puts an error of kong's into our words. kong would exit with 80.
func usageError(err error, args []string) error {
	var parse *kong.ParseError
	var own failure
	if errors.As(err, &own) || !errors.As(err, &parse) {
		return err
	}
	command := "bwrapgen"
	if parse.Context != nil {
		if selected := parse.Context.Selected(); selected != nil {
			command = selected.FullPath()
		}
	}
	what, hint := err.Error(), fmt.Sprintf("see %s --help", command)
	if name, _, ok := strings.Cut(what, `: expected string value but got "EOL"`); ok {
		what = name + " needs a value"
	}
	if file, ok := strings.CutPrefix(what, "unexpected argument "); ok && command == "bwrapgen generate" {
		hint = "the launcher's file is named with -o " + shell(file)
	}
	return misuse(cmp.Or(removedOption(args), hint), "%s", what)
}

// printHelp is kong's printer, with what holds for all commands below theirs.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	options.Compact = true
	options.WrapUpperBound = 80
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil || ctx.Selected() != nil {
		return err
	}
	_, err := fmt.Fprint(ctx.Stdout, exitHelp)
	return err
}

const exitHelp = `
See bwrapgen <command> --help for more about a command.

Exit status: 0 done, 1 could not, 2 wrong usage, 3 drift or findings.
`

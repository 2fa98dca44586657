// Package cli is a command line of commands with flags of their own.
package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Program is what has commands.
type Program struct {
	Name string
	// Doc says what it does.
	Doc      string
	Commands []*Command
}

// Command is one command.
type Command struct {
	// Use is the name and what arguments there are, Short a line that says what it does, Long all that there is to say,
	// where that is more, and Example lines to type.
	Use, Short, Long, Example string
	// Takes reports whether there may be so many arguments, once the flags are known.
	Takes func(arguments int) bool
	Run   func(c Call, arguments []string) error

	flags *pflag.FlagSet
	help  bool
}

// Call is what a command runs with.
type Call struct {
	Context  context.Context
	Out, Err io.Writer
	// Flags are those of the command.
	Flags *pflag.FlagSet
}

// Between is for Command.Takes: from least to most arguments.
func Between(least, most int) func(int) bool {
	return func(n int) bool { return n >= least && n <= most }
}

// AtLeast is for Command.Takes: any number from least on.
func AtLeast(least int) func(int) bool { return func(n int) bool { return n >= least } }

// Flags returns the flags, to which others may be added.
func (c *Command) Flags() *pflag.FlagSet {
	if c.flags == nil {
		c.flags = pflag.NewFlagSet(c.name(), pflag.ContinueOnError)
		c.flags.Usage = func() {}
		c.flags.BoolVarP(&c.help, "help", "h", false, "help for "+c.name())
	}
	return c.flags
}

// name is the first word of Use.
func (c *Command) name() string {
	name, _, _ := strings.Cut(c.Use, " ")
	return name
}

// Run runs the command that line says.
func (p *Program) Run(call Call, line []string) error {
	help := len(line) == 0 || slices.Contains([]string{"help", "-h", "--help"}, line[0])
	if help && len(line) < 2 {
		return p.printHelp(call.Out)
	}
	name := line[0]
	if help {
		name = line[1]
	}
	k := slices.IndexFunc(p.Commands, func(c *Command) bool { return c.name() == name })
	switch {
	case k < 0:
		return fmt.Errorf("unknown command %q for %q; see %s --help", name, p.Name, p.Name)
	case help:
		return p.printHelpOf(p.Commands[k], call.Out)
	}
	return p.run(p.Commands[k], call, line[1:])
}

// run runs c with flags and arguments in any order.
func (p *Program) run(c *Command, call Call, line []string) error {
	if err := c.Flags().Parse(line); err != nil {
		return fmt.Errorf("%w; see %s %s --help", err, p.Name, c.name())
	}
	arguments := c.flags.Args()
	switch {
	case c.help:
		return p.printHelpOf(c, call.Out)
	case !c.Takes(len(arguments)):
		return fmt.Errorf("expects the arguments of %q, got %d", p.use(c), len(arguments))
	}
	call.Flags = c.flags
	return c.Run(call, arguments)
}

// use is what a whole line with c looks like.
func (p *Program) use(c *Command) string { return p.Name + " " + c.Use + " [flags]" }

// printHelp says what commands there are.
func (p *Program) printHelp(w io.Writer) error {
	var list strings.Builder
	for _, c := range p.Commands {
		fmt.Fprintf(&list, "  %-11s %s\n", c.name(), c.Short)
	}
	_, err := fmt.Fprintf(w, "%s\n\nUsage:\n  %s [command]\n\nCommands:\n%s\nUse \"%s [command] --help\" for more about a command.\n",
		p.Doc, p.Name, list.String(), p.Name)
	return err
}

// printHelpOf says all that there is to say of c.
func (p *Program) printHelpOf(c *Command, w io.Writer) error {
	doc, example := c.Long, ""
	if doc == "" {
		doc = c.Short
	}
	if c.Example != "" {
		example = "Examples:\n" + c.Example + "\n\n"
	}
	_, err := fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n\n%sFlags:\n%s", doc, p.use(c), example, c.Flags().FlagUsages())
	return err
}

package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/cli"
)

// copier is a program with a command that says what it got.
func copier() *cli.Program {
	var times int
	var files []string
	list := &cli.Command{Use: "list", Short: "List files", Takes: cli.Between(0, 0),
		Run: func(cli.Call, []string) error { return nil }}
	copies := &cli.Command{Use: "copy FILE...", Short: "Copy files", Long: "Copy files somewhere.", Example: "  c copy a",
		Takes: cli.AtLeast(1),
		Run: func(c cli.Call, args []string) error {
			fmt.Fprintln(c.Out, args, times, c.Flags.Changed("times"), files)
			return nil
		}}
	copies.Flags().IntVar(&times, "times", 1, "how often")
	copies.Flags().StringArrayVar(&files, "from", nil, "where from")
	return &cli.Program{Name: "c", Doc: "Copies.", Commands: []*cli.Command{copies, list}}
}

// TestLines: what lines print, or what their errors say.
func TestLines(t *testing.T) {
	const help = `Copies.

Usage:
  c [command]

Commands:
  copy        Copy files
  list        List files

Use "c [command] --help" for more about a command.
`
	const copyHelp = `Copy files somewhere.

Usage:
  c copy FILE... [flags]

Examples:
  c copy a

Flags:
      --from stringArray   where from
  -h, --help               help for copy
      --times int          how often (default 1)
`
	for _, c := range []struct{ line, want string }{
		{"copy a", "[a] 1 false []\n"},
		{"copy a --times 2 b --from=x --from y", "[a b] 2 true [x y]\n"},
		{"copy -- --times", "[--times] 1 false []\n"},
		{"list", ""},
		{"", help},
		{"help", help},
		{"--help", help},
		{"copy --help", copyHelp},
		{"copy a -h", copyHelp},
		{"help copy", copyHelp},
		{"help list", "List files\n\nUsage:\n  c list [flags]\n\nFlags:\n  -h, --help   help for list\n"},
		{"cpy a", `unknown command "cpy" for "c"; see c --help`},
		{"help cpy", `unknown command "cpy" for "c"; see c --help`},
		{"copy", `expects the arguments of "c copy FILE... [flags]", got 0`},
		{"list a", `expects the arguments of "c list [flags]", got 1`},
		{"copy a --often", "unknown flag: --often; see c copy --help"},
		{"copy a --times x", `invalid argument "x" for "--times" flag: strconv.ParseInt: parsing "x": invalid syntax; see c copy --help`},
	} {
		var out, errs bytes.Buffer
		err := copier().Run(cli.Call{Context: t.Context(), Out: &out, Err: &errs}, strings.Fields(c.line))
		got := out.String()
		if err != nil {
			got += err.Error()
		}
		if got != c.want || errs.Len() > 0 {
			t.Errorf("%q: got %q and %q, want %q", c.line, got, &errs, c.want)
		}
	}
}

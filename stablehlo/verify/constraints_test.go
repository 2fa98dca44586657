package verify_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// TestConstraints: the programs of constraints.txt hold, and each change breaks the
// constraint that it names.
func TestConstraints(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.op, func(t *testing.T) {
			if err := check(c.text); err != nil {
				t.Fatal(err)
			}
			for _, change := range c.changes {
				if !strings.Contains(c.text, change.from) {
					t.Errorf("%s: expected %q in the program", change.label, change.from)
					continue
				}
				text := strings.Replace(c.text, change.from, change.to, 1)
				var e *stablehlo.Error
				err := check(text)
				if !errors.As(err, &e) {
					t.Errorf("%s: %s: expected a fault, got %v", change.label, change.to, err)
					continue
				}
				want := ""
				if change.label != "-" {
					want = c.op + "_" + change.label
				}
				if e.Op != "stablehlo."+c.op || want != "" && e.Rule != want {
					t.Errorf("%s: expected a fault of %s, got %v", change.label, c.op, e)
				}
			}
		})
	}
}

func check(text string) error {
	m, err := mlirtext.Parse("", text)
	if err != nil {
		return err
	}
	return verify.Module(m)
}

// constraintCase is a program that holds and changes that break it.
type constraintCase struct {
	op, text string
	changes  []change
}

type change struct{ label, from, to string }

// cases reads constraints.txt. A change goes on until the next begins.
func cases(t testing.TB) []constraintCase {
	data, err := os.ReadFile("testdata/constraints.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []constraintCase
	for _, part := range strings.Split(string(data), "\n--- ")[1:] {
		op, rest, _ := strings.Cut(part, "\n")
		text, changes, _ := strings.Cut(rest, "\n}\n"+firstLabel(rest))
		c := constraintCase{op: op, text: text + "\n}\n"}
		var items []string
		for line := range strings.Lines(firstLabel(rest) + changes) {
			if label, _, ok := strings.Cut(line, ": "); ok && isLabel(label) {
				items = append(items, line)
			} else if n := len(items); n > 0 && strings.TrimSpace(line) != "" {
				items[n-1] += line
			}
		}
		for _, item := range items {
			label, replace, _ := strings.Cut(strings.TrimRight(item, "\n"), ": ")
			from, to, ok := strings.Cut(replace, " => ")
			if !ok {
				t.Fatalf("%s: expected old => new, got %q", op, item)
			}
			c.changes = append(c.changes, change{label, from, to})
		}
		list = append(list, c)
	}
	return list
}

// firstLabel returns the label of the first change of a case, with the colon.
func firstLabel(text string) string {
	for line := range strings.Lines(text) {
		if label, _, ok := strings.Cut(line, ": "); ok && isLabel(label) {
			return label + ": "
		}
	}
	return ""
}

// isLabel reports whether s is "-" or a label such as c12.
func isLabel(s string) bool {
	return s == "-" || len(s) > 1 && s[0] == 'c' && strings.Trim(s[1:], "0123456789") == ""
}

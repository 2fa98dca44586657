package builder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
)

// Many of the shared cases say, in a line that begins with "# builder:", which call of a
// builder they stand for. TestSeeds makes that call, on parameters of the case's shapes,
// and compares what it evaluates to with the result of the case; where the case is an
// error, the call must fail.

// seed is a case with its call.
type seed struct {
	*prog
	line string
	name string       // of the function
	args []string     // as the line has them
	p    []builder.Op // the parameters
	m    *hlo.Module  // of the case; nil where it has none
}

// otherSeeds are the cases with a line for which there is no program here, with the reason.
var otherSeeds = map[string]string{
	"002_customcall_1": "the handler is a C function",
	"001_reduce_17":    "without operands there is no builder to tell",
}

func TestSeeds(t *testing.T) {
	root := filepath.Join(hlotest.Shared(t), "conformance", "seeds")
	files, err := filepath.Glob(filepath.Join(root, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	passed, refused, skipped := 0, 0, 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := builderLine.FindStringSubmatch(string(data))
		if m == nil {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		t.Run(name, func(t *testing.T) {
			all, err := golden.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			built, err := buildSeed(t, name, m[1], all[0])
			if all[0].MustFail {
				refused++
				if err == nil {
					t.Errorf("%s: built, expected an error: %s", m[1], all[0].Fault)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", m[1], err)
			}
			if runCase(t, all[0], built) {
				passed++
			} else {
				skipped++
			}
		})
	}
	t.Logf("%d give the result, %d are refused, %d are built but not run here", passed, refused, skipped)
}

// runCase evaluates m on the inputs of c and compares with its results. It returns false if
// the client cannot run the case.
func runCase(t *testing.T, c *golden.Case, m *hlo.Module) bool {
	t.Helper()
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same := *c
	same.Module = hlotext.String(m, hlotext.Full())
	err = same.Run(context.Background(), client)
	if errors.Is(err, golden.ErrSkipped) {
		return false
	}
	if err != nil {
		t.Errorf("%v in\n%s", err, hlotext.String(m, textOptions))
	}
	return true
}

var builderLine = regexp.MustCompile(`(?m)^# builder: (.*)$`)

// buildSeed makes the call of a case.
func buildSeed(t *testing.T, name, line string, g *golden.Case) (*hlo.Module, error) {
	if reason := otherSeeds[name]; reason != "" {
		t.Skip(reason)
	}
	c := &seed{line: line, prog: &prog{Builder: builder.NewWith("seed", builder.Options{
		NoMetadata: true, Replicas: g.Replicas, Partitions: g.Partitions})}}
	c.name, c.args = splitCall(line)
	c.m, _ = hlotext.Parse(g.Module, hlotext.ParseOptions{})
	for _, s := range seedParams(c, g.Module) {
		c.p = append(c.p, c.in(s))
	}
	f := wholeSeeds[name[len("001_"):]]
	if f == nil {
		f = seedCalls[c.name]
	}
	if f == nil {
		t.Fatalf("no program for %s", line)
	}
	return c.Build(f(c))
}

var (
	paramLine = regexp.MustCompile(`= (\(.*\)|\S+) parameter\((\d+)\)`)
	typeWord  = regexp.MustCompile(`\b(pred|bf16|[suf]\d+|c\d+|PRED)\[[\d,]*\]`)
)

// seedParams returns the shapes of the parameters: those of the module, or else of the
// types in the call.
func seedParams(c *seed, module string) []string {
	if _, entry, ok := strings.Cut(module, "ENTRY"); ok {
		var params []string
		for _, m := range paramLine.FindAllStringSubmatch(entry, -1) {
			n, _ := strconv.Atoi(m[2])
			params = append(params, slices.Repeat([]string{""}, max(0, n+1-len(params)))...)
			params[n] = m[1]
		}
		return params
	}
	params := typeWord.FindAllString(strings.ToLower(strings.Join(c.args, " ")), -1)
	if len(params) == 0 && slices.Contains(c.args, "v") {
		return []string{"f32[4,2,3]"}
	}
	return params
}

// splitCall takes Name(arg, ...) apart; commas in brackets do not separate arguments.
func splitCall(line string) (name string, args []string) {
	name, rest, _ := strings.Cut(line, "(")
	depth, start := 0, 0
	for i, r := range rest {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case depth > 0 && strings.ContainsRune(")]}", r):
			depth--
		case depth == 0 && (r == ',' || r == ')'):
			if arg := strings.TrimSpace(rest[start:i]); arg != "" {
				args = append(args, arg)
			}
			start = i + 1
			if r == ')' {
				return name, args
			}
		}
	}
	return name, args
}

// value returns argument i, or the one called key, without its key; "" if there is none.
func (c *seed) value(i int, key string) string {
	for _, arg := range c.args {
		if k, v, ok := strings.Cut(arg, "="); ok && key != "" && k == key {
			return v
		}
	}
	if i >= 0 && i < len(c.args) {
		if k, v, ok := strings.Cut(c.args[i], "="); !ok || k == key {
			return max(v, map[bool]string{false: c.args[i]}[ok])
		}
	}
	return ""
}

// int returns argument i, or the one called key, as a number.
func (c *seed) int(i int, key string) int {
	n, _ := strconv.Atoi(c.value(i, key))
	return n
}

// ints returns argument i, or the one called key, as a list of numbers: {1,2}; nil if there is none.
func (c *seed) ints(i int, key string) []int {
	list := c.lists(i, key)
	if list == nil {
		return nil
	}
	return list[0]
}

var innerList = regexp.MustCompile(`\{([-\d,]*)\}`)

// lists returns argument i, or the one called key, as a list of lists: {{1,2},{3}}. A plain
// list is a list of one.
func (c *seed) lists(i int, key string) [][]int {
	var lists [][]int
	for _, m := range innerList.FindAllStringSubmatch(c.value(i, key), -1) {
		list := []int{}
		for _, word := range strings.Split(m[1], ",") {
			if n, err := strconv.Atoi(word); err == nil {
				list = append(list, n)
			}
		}
		lists = append(lists, list)
	}
	return lists
}

// pairs returns argument i as pairs.
func (c *seed) pairs(i int, key string) [][2]int {
	var pairs [][2]int
	for _, l := range c.lists(i, key) {
		pairs = append(pairs, [2]int{l[0], l[1]})
	}
	return pairs
}

// attrs returns the attributes of the first instruction of the case's module with an opcode.
func (c *seed) attrs(code op.Code) op.Attrs {
	for _, i := range c.m.Entry().Instructions() {
		if i.Code() == code {
			return i.Attrs()
		}
	}
	return nil
}

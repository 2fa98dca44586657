package raise_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/raise"
)

// TestGolden raises the module of every golden case and runs the text of the result,
// lowered again: the outputs must be those of the case, leaf by leaf.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "conformance", "hlo", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	client, err := xla.NewClient(xla.Options{Backend: xla.Interp(), Handlers: golden.Handlers()})
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			t.Error(err)
		}
		for _, c := range cases {
			if c.MustFail {
				continue
			}
			if err := runRaised(client, c); err != nil {
				t.Errorf("%v: %v", c, err)
				continue
			}
			passed++
		}
	}
	t.Logf("%d passed", passed)
}

// runRaised runs the StableHLO form of a case.
func runRaised(client *xla.Client, c *golden.Case) error {
	text, err := raised(c.String(), c.Module)
	if err != nil {
		return err
	}
	prog, err := xla.Parse(c.String(), []byte(text))
	if err != nil {
		return err
	}
	exe, err := client.Compile(context.Background(), prog, xla.WithDevices(c.Replicas, c.Partitions))
	if err != nil {
		return err
	}
	host := ffi.NewHost()
	args := make([][]literal.Literal, len(c.Devices))
	for i, d := range c.Devices {
		for _, text := range d.Inputs {
			a, err := literal.ParseGolden(text)
			if err != nil {
				return err
			}
			args[i] = leaves(args[i], a)
		}
		for _, text := range d.Infeed {
			a, err := literal.ParseGolden(text)
			if err == nil {
				err = host.Infeed(i).Put(a)
			}
			if err != nil {
				return err
			}
		}
	}
	host.Close()
	out, err := exe.RunReplicated(context.Background(), args, xla.WithHost(host))
	if err != nil {
		return err
	}
	for i, d := range c.Devices {
		if err := sameLeaves(out[i], []string{d.Output}, c.Tolerance); err != nil {
			return fmt.Errorf("device %d: %w", i, err)
		}
		if err := sameLeaves(host.Outfeed(i).Drain(), d.Outfeed, c.Tolerance); err != nil {
			return fmt.Errorf("outfeed %d: %w", i, err)
		}
	}
	return nil
}

// sameLeaves compares the leaves of got with those that texts stand for.
func sameLeaves(got []literal.Literal, texts []string, tol literal.Tolerance) error {
	var have, want []literal.Literal
	for _, l := range got {
		have = leaves(have, l)
	}
	for _, text := range texts {
		l, err := literal.ParseGolden(text)
		if err != nil {
			return err
		}
		want = leaves(want, l)
	}
	if len(have) != len(want) {
		return fmt.Errorf("expected %d arrays, got %d", len(want), len(have))
	}
	for k := range have {
		// A generator of signed integers gives, in the cases, the unsigned ones of the same bits.
		if have[k].Type().IsSigned() && want[k].Type().IsUnsigned() {
			var err error
			if have[k], err = literal.BitcastConvert(have[k], want[k].Type()); err != nil {
				return err
			}
		}
		if err := literal.Compare(have[k], want[k], tol); err != nil {
			return fmt.Errorf("result %d: %w", k, err)
		}
	}
	return nil
}

// leaves appends the arrays that l is made of; tokens have no value.
func leaves(dst []literal.Literal, l literal.Literal) []literal.Literal {
	switch {
	case l.Shape().IsTuple():
		for _, e := range l.Elems() {
			dst = leaves(dst, e)
		}
	case l.Shape().IsArray():
		dst = append(dst, l)
	}
	return dst
}

// raised returns the StableHLO text of a module in HLO text.
func raised(name, text string) (string, error) {
	m, err := hlotext.Parse(text, hlotext.ParseOptions{File: name})
	if err != nil {
		return "", err
	}
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		return "", err
	}
	s, err := raise.Module(m, raise.Options{})
	if err != nil {
		return "", err
	}
	return mlirtext.Print(s, mlirtext.Options{}), nil
}

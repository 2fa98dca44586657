package jaxexport_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/goxla/xla/stablehlo/jaxexport"
)

// use reads what may be damaged and calls all that works on it.
func use(data []byte) {
	jaxexport.IsExported(data)
	e, err := jaxexport.Read(data)
	if err != nil {
		return
	}
	_ = e.Signature()
	a, err := e.Module()
	if err != nil {
		return
	}
	_, _ = e.MainArgs(a.Module)
	_ = jaxexport.Constraints(a.Module)
}

// TestDamaged: files that end early or have wrong bits do not make the reader panic.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, path := range files(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 150 {
			use(data[:r.IntN(len(data))])
			bad := append([]byte(nil), data...)
			for range 1 + r.IntN(3) {
				bad[r.IntN(min(len(bad), 1200))] ^= 1 << r.IntN(8)
			}
			use(bad)
		}
	}
}

// FuzzRead: no input makes the reader panic, hang or take memory without bound.
func FuzzRead(f *testing.F) {
	for _, path := range files(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) { use(data) })
}

// TestDim: expressions of sizes as JAX writes them, and their values.
func TestDim(t *testing.T) {
	vars := map[string]int64{"a": 7, "b": -3}
	for _, c := range []struct {
		text string
		want int64
	}{
		{"16", 16}, {"a", 7}, {"2*a + 1", 15}, {"a*b", -21}, {"2*b^2", 18}, {"-b^2", -9}, {"-1*b", 3},
		{"floordiv(b, 2)", -2}, {"mod(b, 2)", 1}, {"max(a, b, 9)", 9}, {"min(a, 2*b)", -6},
		{"floordiv(a + 1, 2) - 1", 3}, {"(a + b)*2", 8}, {"non_negative(b)", 0},
	} {
		d, err := jaxexport.ParseDim(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got, err := d.Eval(vars); err != nil || got != c.want {
			t.Errorf("%s = %d (%v), want %d", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "a +", "(a", "foo(a, b)", "mod(a)", "mod(a, b, a)", "a b", "99999999999999999999"} {
		if d, err := jaxexport.ParseDim(text); err == nil {
			t.Errorf("%q: expected an error, got %s", text, d)
		}
	}
	for _, text := range []string{"c", "floordiv(a, 0)", "a^65", "4611686018427387904*a"} {
		d, err := jaxexport.ParseDim(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if v, err := d.Eval(vars); err == nil {
			t.Errorf("%q: expected an error, got %d", text, v)
		}
	}
}

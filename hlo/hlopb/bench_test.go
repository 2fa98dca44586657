package hlopb

import (
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// chain returns a module of n instructions behind a constant of as many elements.
func chain(n int) *hlo.Module {
	m := hlo.NewModule("chain")
	c := m.AddComputation("e")
	m.SetEntry(c)
	s := shape.Make(shape.F32, n)
	at := c.Add("c", op.Constant, s, nil, &op.ConstantAttrs{Value: literal.New(s)})
	for range n {
		at = c.Add("a", op.Add, s, []*hlo.Instruction{at, at}, nil)
		at.Metadata = &hlo.Metadata{OpName: "jit(f)/add", SourceFile: "f.py", SourceLine: 3}
	}
	return m
}

func BenchmarkAppend(b *testing.B) {
	m := chain(10000)
	var data []byte
	for b.Loop() {
		var err error
		if data, err = Append(data[:0], m); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(data)))
}

func BenchmarkParse(b *testing.B) {
	data, err := Append(nil, chain(10000))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data, ParseOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

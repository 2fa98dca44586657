package elem_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// instance is one operation on operands of some types.
type instance struct {
	code  op.Code
	attrs string // as text, with a comma in front
	to    shape.ElementType
	from  []shape.ElementType
}

func (c instance) String() string { return fmt.Sprintf("%v%s %v <- %v", c.code, c.attrs, c.to, c.from) }

// module is the operation on arrays of n elements; nil if it is not legal HLO.
func (c instance) module(n int) *hlo.Module {
	var text strings.Builder
	names := make([]string, len(c.from))
	fmt.Fprint(&text, "HloModule m\nENTRY e {\n")
	for i, t := range c.from {
		names[i] = fmt.Sprintf("p%d", i)
		fmt.Fprintf(&text, "  p%d = %v[%d] parameter(%d)\n", i, t, n, i)
	}
	fmt.Fprintf(&text, "  ROOT r = %v[%d] %v(%s)%s\n}\n", c.to, n, c.code, strings.Join(names, ", "), c.attrs)
	m, err := hlotext.Parse(text.String(), hlotext.ParseOptions{})
	if err != nil || hlo.Verify(m, hlo.VerifyOptions{}) != nil {
		return nil
	}
	return m
}

// evaluate is what package interp gives; ok is false if the operation is not legal or not defined
// for the types.
func (c instance) evaluate(args []literal.Literal) (v literal.Literal, m *hlo.Module, ok bool) {
	if m = c.module(args[0].Len()); m == nil {
		return v, nil, false
	}
	defer func() {
		if recover() != nil {
			ok = false // comparisons of floats of different types
		}
	}()
	v, err := interp.Run(context.Background(), m, args, interp.Options{})
	return v, m, err == nil
}

// nest computes the operation in a lane loop.
func (c instance) nest(i *hlo.Instruction, n int) (*loop.Nest, error) {
	b := loop.NewBuilder("test")
	bufs := make([]int, len(c.from))
	for k, t := range c.from {
		bufs[k] = b.Buffer(loop.Buffer{Name: fmt.Sprint("p", k), Bytes: int64(n * t.ByteSize())})
	}
	out := b.Buffer(loop.Buffer{Name: "r", Bytes: int64(n * c.to.ByteSize()), Write: true})
	var err error
	b.Each(loop.Spec{Extent: int64(n), Lanes: true, Parallel: true}, func(v int) {
		at := func(buf int) elem.Address {
			return elem.Address{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}}
		}
		x := make([]elem.Value, len(c.from))
		for k, t := range c.from {
			x[k] = elem.Load(b, t, at(bufs[k]), 0)
		}
		var r elem.Value
		if r, err = elem.Apply(b, c.code, i.Attrs(), c.to, x); err == nil {
			elem.Store(b, r, at(out), 0)
		}
	})
	return b.Nest(), err
}

// compute runs the nest of the operation i in e.
func (c instance) compute(e executor, i *hlo.Instruction, args []literal.Literal) (literal.Literal, error) {
	n := args[0].Len()
	nest, err := c.nest(i, n)
	if err != nil {
		return literal.Literal{}, err
	}
	if err := nest.Verify(); err != nil {
		return literal.Literal{}, fmt.Errorf("%w\n%v", err, nest)
	}
	out := literal.New(shape.Make(c.to, n))
	var bufs [][]byte
	for _, a := range args {
		bufs = append(bufs, a.Bytes())
	}
	return out, e.run(nest, append(bufs, out.Bytes()))
}

// run compares elem with interp; it reports whether the operation is legal and supported.
func (c instance) run(t *testing.T, args []literal.Literal, tol literal.Tolerance) (legal, supported bool) {
	want, m, ok := c.evaluate(args)
	if !ok {
		return false, false
	}
	i := m.Entry().Root()
	if !elem.Supports(c.code, i.Attrs(), c.to, c.from) {
		return true, false
	}
	for _, e := range executors() {
		got, err := c.compute(e, i, args)
		if err != nil {
			t.Errorf("%v: %s: %v", c, e.name, err)
			continue
		}
		if err := literal.Compare(got, want, tol); err != nil {
			text := err.Error()
			t.Errorf("%v: %s: %s%s", c, e.name, text[:min(len(text), 700)], c.firstMismatch(got, want, args, tol))
		}
	}
	return true, true
}

// firstMismatch names operands with a wrong result.
func (c instance) firstMismatch(got, want literal.Literal, args []literal.Literal, tol literal.Tolerance) string {
	var text strings.Builder
	shown := 0
	for i := 0; i < want.Len() && shown < 4; i++ {
		element := func(l literal.Literal) literal.Literal {
			n := l.Type().ByteSize()
			e, _ := literal.FromBytes(shape.Make(l.Type(), 1), slices.Clone(l.Bytes()[i*n:(i+1)*n]))
			return e
		}
		if literal.Compare(element(got), element(want), tol) == nil {
			continue
		}
		shown++
		text.WriteString("\n  on")
		for _, a := range args {
			fmt.Fprintf(&text, " %v", element(a))
		}
		fmt.Fprintf(&text, ": got %v, expected %v", element(got), element(want))
	}
	return text.String()
}

package main

import (
	"context"
	"fmt"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// locate runs a program whose results differ from the evaluator's again, with the values of all its instructions
// as results, and says which is the first that differs: its operands agree. It returns "" for a program for
// several devices, and where it cannot tell.
func (j job) locate(ctx context.Context, backend xla.Backend, args [][]literal.Literal, rtol runio.Tolerance) string {
	m := j.prog.Module()
	if m == nil || len(args) != 1 {
		return ""
	}
	watched, list := withAllValues(m)
	if len(list) == 0 {
		return ""
	}
	got, err := j.values(ctx, backend, watched, args[0])
	if err != nil {
		return ""
	}
	want, err := j.values(ctx, xla.Interp(), watched, args[0])
	if err != nil {
		return ""
	}
	for k, i := range list {
		if err := literal.Compare(got[k], want[k], rtol.Of(i.Type())); err != nil {
			return fmt.Sprintf("the first instruction that differs is %v", i.Errorf("", "", "%w", err))
		}
	}
	return "with the values of all instructions as results none differs: it is one computed together with others that does"
}

// withAllValues returns a copy of m that gives the arrays of all instructions of its entry computation, and these.
func withAllValues(m *hlo.Module) (*hlo.Module, []*hlo.Instruction) {
	m = m.Clone()
	var list []*hlo.Instruction
	for _, i := range m.Entry().PostOrder() {
		if s := i.Shape(); s.IsArray() && s.IsStatic() && i.Code() != op.Parameter && i.Code() != op.Constant {
			list = append(list, i)
		}
	}
	e := m.Entry()
	e.SetRoot(e.Add("values", op.Tuple, tupleOf(list), list, nil))
	m.EntryLayout, m.InputOutputAlias, m.BufferDonors = nil, nil, nil
	return m, list
}

func tupleOf(list []*hlo.Instruction) shape.Shape {
	shapes := make([]shape.Shape, len(list))
	for k, i := range list {
		shapes[k] = i.Shape()
	}
	return shape.MakeTuple(shapes...)
}

func (j job) values(ctx context.Context, backend xla.Backend, m *hlo.Module, args []literal.Literal) (
	[]literal.Literal, error) {
	client, err := xla.NewClient(j.options(backend, nil))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	exe, err := client.Compile(ctx, m)
	if err != nil {
		return nil, err
	}
	return exe.Run(ctx, args...)
}

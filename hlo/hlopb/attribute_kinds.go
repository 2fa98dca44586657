package hlopb

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// readOnly is k for a field that is no longer written.
func readOnly[P any](k kindAt[P]) kindAt[P] { return kindAt[P]{read: k.read} }

// present is the kind of a message that is written even if it is empty.
func present[P any](m *messageAt[P]) kindAt[P] {
	return kindAt[P]{
		read: func(r *reader, p P) { r.nested(func() { m.read(r, p) }) },
		write: func(w *writer, num protowire.Number, p P) {
			w.present(num, func() { m.write(w, p) })
		},
	}
}

// oneOf is the kind of a number that the proto has as a list of one.
func oneOf() kind[int] {
	return kind[int]{
		read: func(r *reader, p *int) {
			var all []int
			if numbers().read(r, &all); r.ok() && len(all) != 1 {
				r.fail("expects one number, got %d", len(all))
			}
			if r.ok() {
				*p = all[0]
			}
		},
		write: func(w *writer, num protowire.Number, p *int) {
			w.packed(num, 1, func(int) uint64 { return uint64(*p) })
		},
	}
}

// oneNumber is the kind of a list that must have one number.
func oneNumber() kind[[]int] {
	k := numbers()
	k.read = func(r *reader, p *[]int) {
		*p = make([]int, 1)
		oneOf().read(r, &(*p)[0])
	}
	return k
}

// firstOf is the kind of a number that the proto has as a list of one, or none for no number.
func firstOf() kind[op.OptInt] {
	return kind[op.OptInt]{
		read: func(r *reader, p *op.OptInt) {
			r.varints(func(v uint64) {
				if n := int(int64(v)); !p.Present && n >= 0 {
					*p = op.Some(n)
				}
			})
		},
		write: func(w *writer, num protowire.Number, p *op.OptInt) {
			if p.Present {
				w.packed(num, 1, func(int) uint64 { return uint64(p.Value) })
			}
		},
	}
}

// channel is the kind of a channel: numbers above 0, or none.
func channel() kind[op.OptInt] {
	return kind[op.OptInt]{
		read: func(r *reader, p *op.OptInt) {
			if n := int(int64(r.varint())); n > 0 {
				*p = op.Some(n)
			}
		},
		write: func(w *writer, num protowire.Number, p *op.OptInt) {
			if p.Present {
				w.varint(num, uint64(p.Value))
			}
		},
	}
}

// presentNumber is the kind of a number that may be absent.
func presentNumber() kind[op.OptInt] {
	return kind[op.OptInt]{
		read:  func(r *reader, p *op.OptInt) { *p = op.Some(int(int64(r.varint()))) },
		write: channel().write,
	}
}

// oldPrefetch is the kind of the flag that stood for the prefetch of number 0.
func oldPrefetch() kind[op.OptInt] {
	return kind[op.OptInt]{read: func(r *reader, p *op.OptInt) {
		if r.varint() != 0 && !p.Present {
			*p = op.Some(0)
		}
	}}
}

// triState is the kind of a TriState, whose numbers in the proto are unset, true, false.
func triState() kind[op.TriState] {
	values := [...]op.TriState{op.Unset, op.True, op.False}
	return kind[op.TriState]{
		read: func(r *reader, p *op.TriState) {
			if v := enumValue(r, op.TriState(len(values)), r.varint()); r.ok() {
				*p = values[v]
			}
		},
		write: func(w *writer, num protowire.Number, p *op.TriState) {
			if *p != op.Unset {
				w.varint(num, uint64(slices.Index(values[:], *p)))
			}
		},
	}
}

// trueByDefault is the kind of a flag that is true where text does not say.
func trueByDefault() kind[op.TriState] {
	return kind[op.TriState]{
		read: func(r *reader, p *op.TriState) {
			if *p = op.False; r.varint() != 0 {
				*p = op.True
			}
		},
		write: func(w *writer, num protowire.Number, p *op.TriState) {
			if *p != op.False {
				w.varint(num, 1)
			}
		},
	}
}

// trueOrUnset is the kind of a flag of which the proto cannot say that it is false.
func trueOrUnset() kind[op.TriState] {
	return kind[op.TriState]{
		read: func(r *reader, p *op.TriState) {
			if *p = op.Unset; r.varint() != 0 {
				*p = op.True
			}
		},
		write: func(w *writer, num protowire.Number, p *op.TriState) {
			if *p == op.True {
				w.varint(num, 1)
			}
		},
	}
}

// spelledEnum is the kind of an enum that the proto has as a string; "" is the zero value.
func spelledEnum[T named](what string, parse func(string) (T, bool)) kind[T] {
	return kind[T]{
		read: func(r *reader, p *T) {
			start, name := r.pos, r.text()
			v, ok := parse(name)
			if r.ok() && !ok && name != "" {
				r.failAt(start, "expects %s, got %q", what, name)
			}
			*p = v
		},
		write: func(w *writer, num protowire.Number, p *T) {
			if *p != 0 {
				w.text(num, (*p).String())
			}
		},
	}
}

func direction() kind[op.Direction] {
	return spelledEnum("a direction of comparison such as EQ", op.ParseDirection)
}

func comparison() kind[op.ComparisonType] {
	return spelledEnum("a type of comparison such as FLOAT", op.ParseComparisonType)
}

// mainThread is what the proto may call the main thread, which package op calls "".
const mainThread = "main"

// thread is the kind of the name of a thread.
func thread() kind[string] {
	k := text()
	k.read = func(r *reader, p *string) {
		if *p = r.text(); *p == mainThread {
			*p = ""
		}
	}
	return k
}

// windows is the kind of a window, which may be there without dimensions.
func (s *schema) windows() kind[op.Window] {
	return kind[op.Window]{
		read: func(r *reader, p *op.Window) {
			r.nested(func() { s.window.read(r, p) })
			if p.Dims == nil {
				p.Dims = []op.WindowDim{}
			}
		},
		write: func(w *writer, num protowire.Number, p *op.Window) {
			if p.Dims != nil {
				w.present(num, func() { s.window.write(w, p) })
			}
		},
	}
}

// labels is the kind of dimension labels.
func (s *schema) labels() kind[op.DimLabels] {
	return kind[op.DimLabels]{
		read: func(r *reader, p *op.DimLabels) {
			p.Given = true
			r.nested(func() { s.dimLabels.read(r, p) })
			if n := len(p.InputSpatial); r.ok() && (len(p.KernelSpatial) != n || len(p.OutputSpatial) != n) {
				r.fail("expects as many spatial dimensions in input, kernel and output, got %d, %d and %d", n,
					len(p.KernelSpatial), len(p.OutputSpatial))
			}
		},
		write: func(w *writer, num protowire.Number, p *op.DimLabels) {
			if p.Given {
				w.present(num, func() { s.dimLabels.write(w, p) })
			}
		},
	}
}

// ranges is the kind of the ranges of a slice.
func ranges(m *message[op.SliceRange]) kind[op.SliceRanges] {
	k := list(m)
	return kind[op.SliceRanges]{
		read:  func(r *reader, p *op.SliceRanges) { k.read(r, (*[]op.SliceRange)(p)) },
		write: func(w *writer, num protowire.Number, p *op.SliceRanges) { k.write(w, num, (*[]op.SliceRange)(p)) },
	}
}

// sparsities is the kind of a sparsity config; one without a sparse side is none.
func (s *schema) sparsities() kind[*op.SparsityConfig] {
	k := optional(&s.sparsity)
	return kind[*op.SparsityConfig]{
		read: func(r *reader, p **op.SparsityConfig) {
			if k.read(r, p); **p == (op.SparsityConfig{}) {
				*p = nil
			}
		},
		write: k.write,
	}
}

// accuracies is the kind of a result accuracy; the default one is not written.
func (s *schema) accuracies() kind[op.ResultAccuracy] { return single(&s.accuracy) }

// pairs is the kind of pairs of source and target.
func (s *schema) pairs() kind[[][]int] {
	return listOf(converted(&s.pair,
		func(_ *reader, raw *[2]int) []int { return raw[:] },
		func(w *writer, p *[]int) (raw [2]int) {
			if len(*p) != len(raw) {
				w.fail("expects pairs of source and target, got %v", *p)
				return raw
			}
			return [2]int(*p)
		}))
}

// flattened is the kind of lists that the proto has behind each other. They are read
// as one list, which is cut when the operands are known.
func flattened() kind[[][]int] {
	return kind[[][]int]{
		read: func(r *reader, p *[][]int) {
			if *p == nil {
				*p = make([][]int, 1)
			}
			numbers().read(r, &(*p)[0])
		},
		write: func(w *writer, num protowire.Number, p *[][]int) {
			all := slices.Concat(*p...)
			numbers().write(w, num, &all)
		},
	}
}

// constrained is the kind of the flag that says whether there are layout constraints.
func constrained() kind[*op.OperandLayouts] {
	return kind[*op.OperandLayouts]{
		read: func(r *reader, p **op.OperandLayouts) {
			if r.varint() != 0 && *p == nil {
				*p = &op.OperandLayouts{}
			}
		},
		write: func(w *writer, num protowire.Number, p **op.OperandLayouts) {
			if *p != nil {
				w.varint(num, 1)
			}
		},
	}
}

// constraints is the kind of the layout constraints.
func (s *schema) constraints() kind[*op.OperandLayouts] {
	k := listOf(s.shapes())
	return kind[*op.OperandLayouts]{
		read: func(r *reader, p **op.OperandLayouts) {
			if *p == nil {
				*p = &op.OperandLayouts{}
			}
			k.read(r, &(*p).Shapes)
		},
		write: func(w *writer, num protowire.Number, p **op.OperandLayouts) {
			if *p != nil {
				k.write(w, num, &(*p).Shapes)
			}
		},
	}
}

// customLiteral is the kind of the literal of a custom call, which may be absent.
func (s *schema) customLiteral() kind[literal.Literal] {
	k := s.literals()
	return kind[literal.Literal]{read: k.read, write: func(w *writer, num protowire.Number, p *literal.Literal) {
		if p.IsValid() {
			k.write(w, num, p)
		}
	}}
}

// domainExit and domainEntry are the kinds of the two shardings of a domain.
func (s *schema) domainExit() kind[op.DomainSpec] {
	return s.domainSide(func(d *op.DomainSpec) **op.Sharding { return &d.Exit })
}

func (s *schema) domainEntry() kind[op.DomainSpec] {
	return s.domainSide(func(d *op.DomainSpec) **op.Sharding { return &d.Entry })
}

func (s *schema) domainSide(side func(d *op.DomainSpec) **op.Sharding) kind[op.DomainSpec] {
	k := s.optionalSharding()
	return kind[op.DomainSpec]{
		read:  func(r *reader, p *op.DomainSpec) { k.read(r, side(p)) },
		write: func(w *writer, num protowire.Number, p *op.DomainSpec) { k.write(w, num, side(p)) },
	}
}

// optionalSharding is the kind of a sharding that may be absent.
func (s *schema) optionalSharding() kind[*op.Sharding] {
	k := s.shardings()
	return kind[*op.Sharding]{
		read: func(r *reader, p **op.Sharding) {
			*p = &op.Sharding{}
			k.read(r, *p)
		},
		write: func(w *writer, num protowire.Number, p **op.Sharding) {
			if *p != nil {
				k.write(w, num, *p)
			}
		},
	}
}

// outfeedShape is shapes for a shape that may be absent.
func (s *schema) outfeedShape() kind[shape.Shape] {
	k := s.shapes()
	return kind[shape.Shape]{read: k.read, write: func(w *writer, num protowire.Number, p *shape.Shape) {
		if p.Type != shape.Invalid {
			k.write(w, num, p)
		}
	}}
}

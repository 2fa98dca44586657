package hlopb

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/shape"
)

func (s *schema) fillShapes() {
	s.shape.fill(
		row(2, "element_type", elementType(), func(t *shape.Shape) *shape.ElementType { return &t.Type }),
		row(3, "dimensions", sizes(), func(t *shape.Shape) *[]int { return &t.Dims }),
		row(4, "tuple_shapes", listOf(s.shapes()), func(t *shape.Shape) *[]shape.Shape { return &t.Elems }),
		row(5, "layout", optional(&s.layout), func(t *shape.Shape) **shape.Layout { return &t.Layout }),
		row(6, "is_dynamic_dimension", flags(), func(t *shape.Shape) *[]bool { return &t.Dynamic }),
	)
	var tile message[shape.Tile]
	tile.fill(row(1, "dimensions", numbers(), func(t *shape.Tile) *[]int { return &t.Dims }))
	var split message[shape.SplitConfig]
	split.fill(
		row(1, "dimension", number(), func(t *shape.SplitConfig) *int { return &t.Dim }),
		row(2, "split_indices", numbers(), func(t *shape.SplitConfig) *[]int { return &t.Indices }),
	)
	type layout = shape.Layout
	s.layout.fill(
		row(1, "minor_to_major", numbers(), func(t *layout) *[]int { return &t.MinorToMajor }),
		row(6, "tiles", list(&tile), func(t *layout) *[]shape.Tile { return &t.Tiles }),
		row(7, "element_size_in_bits", number(), func(t *layout) *int { return &t.ElementBits }),
		row(8, "memory_space", number(), func(t *layout) *int { return &t.MemorySpace }),
		row(10, "physical_shape", s.physical(), func(t *layout) **shape.Shape { return &t.Physical }),
		row(11, "index_primitive_type", elementType(), func(t *layout) *shape.ElementType { return &t.IndexType }),
		row(12, "pointer_primitive_type", elementType(), func(t *layout) *shape.ElementType { return &t.PointerType }),
		row(15, "dynamic_shape_metadata_prefix_bytes", number(),
			func(t *layout) *int { return &t.DynamicMetadataPrefix }),
		row(16, "tail_padding_alignment_in_elements", alignment(), func(t *layout) *int { return &t.TailPadding }),
		row(17, "split_configs", list(&split), func(t *layout) *[]shape.SplitConfig { return &t.SplitConfigs }),
	)
	s.program.fill(
		row(1, "parameters", listOf(s.shapes()), func(t *shape.Program) *[]shape.Shape { return &t.Params }),
		row(2, "result", s.shapes(), func(t *shape.Program) *shape.Shape { return &t.Result }),
		row(3, "parameter_names", texts(), func(t *shape.Program) *[]string { return &t.Names }),
	)
}

// shapes is the kind of a shape. It is written with everything that has a default, as XLA does.
func (s *schema) shapes() kind[shape.Shape] {
	return kind[shape.Shape]{
		read: func(r *reader, p *shape.Shape) {
			var sh shape.Shape
			start := r.pos
			r.apart(func() { r.message(func() { s.shape.read(r, &sh) }) })
			if !r.ok() {
				return
			}
			sh = normalShape(sh)
			if err := sh.Check(); err != nil {
				r.failAt(start, "expects a shape: %w", err)
			}
			*p = sh
		},
		write: func(w *writer, num protowire.Number, p *shape.Shape) {
			sh := *p
			if sh.IsArray() && sh.Layout == nil {
				sh.Layout = &shape.Layout{MinorToMajor: sh.MinorToMajor()}
			}
			if sh.IsArray() && sh.Dynamic == nil {
				sh.Dynamic = make([]bool, len(sh.Dims))
			}
			w.present(num, func() { s.shape.write(w, &sh) })
		},
	}
}

// normalShape returns sh with defaults as package shape has them. Layouts of what is
// no array, which old programs have, are dropped. A dimension without bound is dynamic.
func normalShape(sh shape.Shape) shape.Shape {
	sh.Layout = sh.Layout.Normalize()
	if !sh.IsArray() {
		sh.Layout = nil
	}
	if len(sh.Dynamic) == 0 && slices.Contains(sh.Dims, shape.Unbounded) {
		sh.Dynamic = make([]bool, len(sh.Dims))
	}
	for i := range min(len(sh.Dynamic), len(sh.Dims)) {
		sh.Dynamic[i] = sh.Dynamic[i] || sh.Dims[i] == shape.Unbounded
	}
	if !slices.Contains(sh.Dynamic, true) && len(sh.Dynamic) <= len(sh.Dims) {
		sh.Dynamic = nil
	}
	return sh
}

// physical is the kind of the shape that a layout may have.
func (s *schema) physical() kind[*shape.Shape] {
	inner := s.shapes()
	return kind[*shape.Shape]{
		read: func(r *reader, p **shape.Shape) {
			*p = new(shape.Shape)
			inner.read(r, *p)
		},
		write: func(w *writer, num protowire.Number, p **shape.Shape) {
			if *p != nil {
				inner.write(w, num, *p)
			}
		},
	}
}

// sizes is the kind of dimension sizes. Of one without bound XLA writes the least
// number, or -1.
func sizes() kind[[]int] {
	k := numbers()
	read := k.read
	k.read = func(r *reader, p *[]int) {
		read(r, p)
		for i, d := range *p {
			if d == -1 {
				(*p)[i] = shape.Unbounded
			}
		}
	}
	return k
}

// alignment is the kind of a padding in elements, whose default is 1 in the proto and 0 here.
func alignment() kind[int] {
	return kind[int]{
		read: func(r *reader, p *int) {
			if number().read(r, p); *p == 1 {
				*p = 0
			}
		},
		write: func(w *writer, num protowire.Number, p *int) { w.varint(num, uint64(max(*p, 1))) },
	}
}

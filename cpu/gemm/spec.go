package gemm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/shape"
)

// Dim is one dimension of an operand: how many elements it has, and how far apart they are, in elements.
type Dim struct{ Size, Stride int }

// Axis is what takes the place of one dimension of a matrix: dimensions, the outermost first. Empty, it has one
// element.
type Axis []Dim

// Size returns the number of elements along a.
func (a Axis) Size() int {
	n := 1
	for _, d := range a {
		n *= d.Size
	}
	return n
}

// span returns how far the elements along a are apart at most.
func (a Axis) span() int {
	n := 0
	for _, d := range a {
		n += (d.Size - 1) * max(d.Stride, -d.Stride)
	}
	return n
}

// Merged returns a with as few dimensions as describe the same elements.
func (a Axis) Merged() Axis {
	var out Axis
	for _, d := range a {
		if d.Size == 1 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Stride == d.Size*d.Stride {
			out[n-1] = Dim{out[n-1].Size * d.Size, d.Stride}
			continue
		}
		out = append(out, d)
	}
	return out
}

// Stride returns the distance between neighbours if it is the same for all of them.
func (a Axis) Stride() (stride int, ok bool) {
	switch m := a.Merged(); len(m) {
	case 0:
		return 0, true
	case 1:
		return m[0].Stride, true
	}
	return 0, false
}

// run returns the innermost dimension: so many elements are evenly spaced.
func (a Axis) run() Dim {
	if m := a.Merged(); len(m) > 0 {
		return m[len(m)-1]
	}
	return Dim{Size: 1, Stride: 1}
}

func (a Axis) String() string {
	m := a.Merged()
	parts := make([]string, len(m))
	for i, d := range m {
		parts[i] = fmt.Sprintf("%d:%d", d.Size, d.Stride)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// Operand is where the elements of A or B are in their array: element (batch, free, depth) is at the sum of the
// three places and Offset. Free is the rows of A, the columns of B.
type Operand struct {
	Type               shape.ElementType
	Offset             int
	Batch, Free, Depth Axis
	// Fresh: the elements have just been written. Those of another thread's are in its caches.
	Fresh bool
	// Far: the elements come from memory, though the caches might hold them: much else is read before they are read again.
	Far bool
	// Around is the dimensions of the array, the outermost first, if it has zeros around it that are not in memory: the
	// places are those of the array with them. See [Spec.TakesAround].
	Around []Margin
}

// denseBytes returns the size of one product's elements, 0 if there are others between them.
func (o *Operand) denseBytes() int {
	n, last := 1, 0
	for _, d := range append(o.Free.Merged(), o.Depth.Merged()...) {
		if d.Stride < 0 {
			return 0
		}
		n *= d.Size
		last += (d.Size - 1) * d.Stride
	}
	if last+1 != n {
		return 0
	}
	return n * o.Type.ByteSize()
}

// Spec is a product. The batch axes of A and B have the same size, and so have their depths. C is batch, rows of A,
// columns of B.
type Spec struct {
	A, B Operand
	C    shape.ElementType
	// Rows and Products are where the rows of a product's C, and C of each product, begin, from Start on; a row is dense.
	// Both nil: C is dense.
	Rows, Products Axis
	Start          int
	// Constant says that B never changes: it will be given to Prepack.
	Constant bool
	// Stream says that C begins with a line of a cache, is large, and is not read soon: it may go past the caches.
	Stream bool
	// Together, if it is not 0, says that something is to be done with rows of C while they are in the cache, so many at
	// a time or multiples of that: see [Product.Follows].
	Together int
}

// Equal reports whether s and t are the same product.
func (s *Spec) Equal(t *Spec) bool {
	return s.C == t.C && s.Start == t.Start && s.Constant == t.Constant && s.Stream == t.Stream &&
		s.Together == t.Together && slices.Equal(s.Rows, t.Rows) && slices.Equal(s.Products, t.Products) &&
		(s.Rows == nil) == (t.Rows == nil) && (s.Products == nil) == (t.Products == nil) && // nil: dense
		s.A.equal(&t.A) && s.B.equal(&t.B)
}

// equal reports whether o and t are the same.
func (o *Operand) equal(t *Operand) bool {
	return o.Type == t.Type && o.Offset == t.Offset && o.Fresh == t.Fresh && o.Far == t.Far &&
		slices.Equal(o.Batch, t.Batch) && slices.Equal(o.Free, t.Free) && slices.Equal(o.Depth, t.Depth) &&
		slices.Equal(o.Around, t.Around)
}

// Batch returns the number of products.
func (s *Spec) Batch() int { return s.A.Batch.Size() }

// M returns the number of rows of A and C.
func (s *Spec) M() int { return s.A.Free.Size() }

// N returns the number of columns of B and C.
func (s *Spec) N() int { return s.B.Free.Size() }

// K returns the depth: the columns of A and the rows of B.
func (s *Spec) K() int { return s.A.Depth.Size() }

// kind is the type in which products are made and summed.
type kind uint8

const (
	kindF32 kind = iota
	kindF64
	kindS32
	kindPairs // s32, of which each lane adds two products at once
	kindBF16  // f32, of which each lane adds two products of bf16 at once
	kindVNNI  // s32, of which each lane adds four products of s8 and u8 at once
	kindWords // f32 by tiles, of bf16: two products at once
	kindBytes // s32 by tiles, of s8 and u8: four products at once
	kindSplit // f32, of which neighbouring lanes hold the sums of even and odd depths of one column
	kindQuads // f32, of which four neighbouring lanes hold sums of one column, each of every fourth depth
	// f32, of which all lanes hold sums of one column, each of every eighth depth, or sixteenth.
	kindEights
	kindSixteens
	// The same of f64: sums of even and odd depths, of every fourth depth, and of every eighth.
	kindSplit64
	kindFours64
	kindEights64
	// Sums of diagonals of groups of 2, 4 or 8 features, of f32, and of 2 or 4 of f64.
	kindTwos
	kindFours
	kindEightsOf
	kindTwosOf64
	kindFoursOf64
	numKinds
)

func (k kind) size() int {
	return [numKinds]int{4, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 8, 4, 4, 4, 8, 8}[k]
}

// wide is how many elements of an operand make one lane, or as many of kinds whose lanes are depths.
func (k kind) wide() int {
	return [numKinds]int{1, 1, 1, 2, 2, 4, 2, 4, 2, 4, 8, 16, 2, 4, 8, 2, 4, 8, 2, 4}[k]
}

// splits reports whether lanes are depths.
func (k kind) splits() bool { return k >= kindSplit }

// tiles reports whether the products are those of tile registers.
func (k kind) tiles() bool { return k == kindWords || k == kindBytes }

// sums is the kind whose sums these are, once they are in memory.
func (k kind) sums() kind {
	return [numKinds]kind{kindF32, kindF64, kindS32, kindS32, kindF32, kindS32, kindF32, kindS32, kindF32, kindF32,
		kindF32, kindF32, kindF64, kindF64, kindF64, kindF32, kindF32, kindF32, kindF64, kindF64}[k]
}

func (k kind) elementType() shape.ElementType {
	return [numKinds]shape.ElementType{shape.F32, shape.F64, shape.S32}[k.sums()]
}

// sameBits reports whether elements of type t are summed as they are.
func (k kind) sameBits(t shape.ElementType) bool {
	return t == k.elementType() || k == kindS32 && t == shape.U32
}

// Supports reports whether New takes operands of types a and b and a result of type c: floats, sums in f64
// if a type is f64, else in f32; integers of up to 32 bits, whose sums wrap in 32.
func Supports(a, b, c shape.ElementType) bool {
	_, ok := kindOf(a, b, c)
	return ok
}

func kindOf(a, b, c shape.ElementType) (kind, bool) {
	k := kindF32
	switch {
	case c.IsInteger():
		if !a.IsInteger() || !b.IsInteger() {
			return 0, false
		}
		k = kindS32
	case a == shape.F64 || b == shape.F64 || c == shape.F64:
		k = kindF64
	}
	return k, reader(k, a) != nil && reader(k, b) != nil && writer(k, c) != nil
}

func (s *Spec) check() error {
	if !Supports(s.A.Type, s.B.Type, s.C) {
		return fmt.Errorf("gemm: no product of %v and %v to %v", s.A.Type, s.B.Type, s.C)
	}
	if a, b := s.A.Batch.Size(), s.B.Batch.Size(); a != b {
		return fmt.Errorf("gemm: expected equal batches, got %d and %d", a, b)
	}
	if a, b := s.A.Depth.Size(), s.B.Depth.Size(); a != b {
		return fmt.Errorf("gemm: expected equal depths, got %d and %d", a, b)
	}
	if r, b := s.Rows.Size(), s.Products.Size(); s.placed() && (r != s.M() || b != s.Batch()) {
		return fmt.Errorf("gemm: expected places of %d rows and %d products, got %d and %d", s.M(), s.Batch(), r, b)
	}
	if s.Batch() <= 0 || s.M() <= 0 || s.N() <= 0 || s.K() <= 0 {
		return fmt.Errorf("gemm: expected sizes above 0, got %d x %d x %d x %d", s.Batch(), s.M(), s.N(), s.K())
	}
	return nil
}

// String describes the product: sizes, types, and the strides of what is not row-major.
func (s *Spec) String() string {
	var w strings.Builder
	if n := s.Batch(); n > 1 {
		fmt.Fprintf(&w, "%d x ", n)
	}
	m, n, k := s.M(), s.N(), s.K()
	fmt.Fprintf(&w, "%v[%d,%d] = %v[%d,%d] * %v[%d,%d]", s.C, m, n, s.A.Type, m, k, s.B.Type, k, n)
	fmt.Fprintf(&w, ", a %v%v%v, b %v%v%v", s.A.Batch, s.A.Free, s.A.Depth, s.B.Batch, s.B.Depth, s.B.Free)
	if s.A.Around != nil {
		fmt.Fprintf(&w, ", zeros around a %v", s.A.Around)
	}
	if s.B.Around != nil {
		fmt.Fprintf(&w, ", zeros around b %v", s.B.Around)
	}
	if s.placed() {
		fmt.Fprintf(&w, ", c %d+%v%v", s.Start, s.Products, s.Rows)
	}
	if s.B.Far {
		w.WriteString(", b far")
	}
	if s.Stream {
		w.WriteString(", c streamed")
	}
	return w.String()
}

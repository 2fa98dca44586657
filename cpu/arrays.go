package cpu

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/shape"
)

// Array is the memory of an argument or of a result: the elements of an array, the first one at the start.
type Array struct {
	Bytes []byte
	// Strides are the distances, in elements, between neighbours along each dimension; nil: row-major, packed.
	Strides []int
}

// RunInto executes the program on the leaves of the arguments and writes the leaves of the result to outs: arrays of
// constant size, whose shapes, alignment and number were checked. Arguments may be the memory of outs too, save those
// for which the program was given strides: they have these, and stay where they are. It allocates nothing after the
// first time, but for what instructions without a kernel take.
func (p *Program) RunInto(ctx context.Context, outs, args []Array, eval Evaluator) error {
	r, err := p.take()
	if err != nil {
		return err
	}
	defer p.give(r)
	for k, n := range p.params {
		if b := &p.plan.Buffers[n]; p.strides.arg(k) != nil {
			r.bufs[n] = args[k].Bytes[:b.Bytes]
		} else {
			r.bufs[n] = r.packedArg(k, args[k], b.Shape)
		}
	}
	for k, n := range p.results {
		switch b := &p.plan.Buffers[n]; {
		case b.Written && b.Result == k:
			r.update(n, outs[k], args)
		case b.Kind != plan.Output || b.Index != k:
		case p.strides.result(k) != nil:
			r.bufs[n] = outs[k].Bytes[:b.Bytes]
		default:
			r.bufs[n] = r.place(k, outs[k], args, b.Bytes)
		}
	}
	if err := r.execute(ctx, eval); err != nil {
		return err
	}
	for k, n := range p.results {
		r.save(k, n, outs)
	}
	for k := range p.results {
		if err := r.deliver(k, outs[k]); err != nil {
			return err
		}
	}
	return nil
}

// save copies an argument that is result k aside if the results that are delivered are written over it.
func (r *run) save(k, n int, outs []Array) {
	r.from[k] = r.bufs[n]
	if b := &r.program.plan.Buffers[n]; b.Kind != plan.Param || b.Written {
		return
	}
	for _, o := range outs {
		if overlap(o.Bytes, r.bufs[n]) {
			if r.spare[k] == nil {
				r.spare[k] = alignedBytes(int64(len(r.bufs[n])))
			}
			copy(r.spare[k], r.bufs[n])
			r.from[k] = r.spare[k]
			return
		}
	}
}

// update keeps an argument that is turned into a result from being written to if out, the memory of the result for
// which it may be, is elsewhere, or if another argument is there too: then a copy is, and other arguments may be in
// out.
func (r *run) update(n int, out Array, args []Array) {
	arg, there := r.bufs[n], 0
	for _, a := range args {
		if overlap(arg, a.Bytes) {
			there++
		}
	}
	if len(arg) > 0 && (there > 1 || out.Strides != nil || &arg[0] != &out.Bytes[0]) {
		r.bufs[n] = append([]byte(nil), arg...)
	}
}

// packedArg is the memory of argument k in row-major order.
func (r *run) packedArg(k int, a Array, s shape.Shape) []byte {
	n := s.Size() * s.Type.ByteSize()
	if a.Strides == nil {
		return a.Bytes[:n]
	}
	if r.packed[k] == nil {
		r.packed[k] = alignedBytes(int64(n))
	}
	pack(r.packed[k], a.Bytes, s.Dims, a.Strides, s.Type.ByteSize())
	return r.packed[k]
}

// place is where result k is computed: in out, if that is in row-major order and no argument is read there.
func (r *run) place(k int, out Array, args []Array, bytes int64) []byte {
	own := out.Strides != nil
	for _, a := range args {
		own = own || overlap(out.Bytes, a.Bytes)
	}
	if !own {
		return out.Bytes[:bytes]
	}
	if r.spare[k] == nil {
		r.spare[k] = alignedBytes(bytes)
	}
	return r.spare[k]
}

// deliver copies result k to out, if it is not there already.
func (r *run) deliver(k int, out Array) error {
	n := r.program.results[k]
	from, s := r.from[k], r.program.plan.Buffers[n].Shape
	if from == nil && s.Size() > 0 { // a value that was a literal
		if !r.hosts[n].IsValid() {
			return fmt.Errorf("%s: the result %v is no array of constant size", r.program.plan.Name, s)
		}
		from = r.hosts[n].RowMajor().Bytes()
	}
	switch {
	case len(from) == 0 || &from[0] == &out.Bytes[0]:
	case out.Strides == nil:
		r.copy(out.Bytes, from, cachedGrain)
	default:
		unpack(out.Bytes, from, s.Dims, out.Strides, s.Type.ByteSize())
	}
	return nil
}

// Overlap reports whether two arrays may have memory in common.
func Overlap(a, b Array) bool { return overlap(a.Bytes, b.Bytes) }

// overlap reports whether two pieces of memory have a byte in common.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return p < q+uintptr(len(b)) && q < p+uintptr(len(a))
}

// alignedBytes returns n zero bytes that start on a cache line.
func alignedBytes(n int64) []byte {
	if n == 0 {
		return nil
	}
	const line = 64
	mem := make([]byte, n+line)
	skew := -int(uintptr(unsafe.Pointer(&mem[0]))) & (line - 1)
	return mem[skew : skew+int(n) : skew+int(n)]
}

// Pack copies the array from, of shape s, to dst in row-major order.
func Pack(dst []byte, from Array, s shape.Shape) {
	pack(dst, from.Bytes, s.Dims, from.strides(s), s.Type.ByteSize())
}

// Unpack copies the elements of src, in row-major order, to the array to, of shape s.
func Unpack(to Array, src []byte, s shape.Shape) {
	unpack(to.Bytes, src, s.Dims, to.strides(s), s.Type.ByteSize())
}

func (a Array) strides(s shape.Shape) []int {
	if a.Strides == nil {
		return shape.RowMajorStrides(s.Dims)
	}
	return a.Strides
}

// pack copies the elements of a strided array, each of size bytes, into row-major order.
func pack(dst, src []byte, dims, strides []int, size int) {
	walk(dims, strides, size, func(packed, strided, n, step int) {
		copyElements(dst[packed:], src[strided:], n, size, size, step)
	})
}

// unpack is the inverse of pack.
func unpack(dst, src []byte, dims, strides []int, size int) {
	walk(dims, strides, size, func(packed, strided, n, step int) {
		copyElements(dst[strided:], src[packed:], n, size, step, size)
	})
}

// maxRank bounds the dimensions of a strided array.
const maxRank = 16

// walk calls row for each row, along the last dimension, of a strided array: where it starts packed and strided, in
// bytes, its length in elements and the distance between them in bytes.
func walk(dims, strides []int, size int, row func(packed, strided, n, step int)) {
	last := len(dims) - 1
	n, step := 1, size
	if last >= 0 {
		n, step = dims[last], strides[last]*size
	}
	for _, d := range dims {
		if d == 0 {
			return
		}
	}
	var at [maxRank]int
	packed, strided := 0, 0
	for {
		row(packed, strided, n, step)
		packed += n * size
		d := last - 1
		for ; d >= 0; d-- {
			at[d]++
			strided += strides[d] * size
			if at[d] < dims[d] {
				break
			}
			strided -= dims[d] * strides[d] * size
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

func copyElements(dst, src []byte, n, size, dstStep, srcStep int) {
	if dstStep == size && srcStep == size {
		copy(dst[:n*size], src[:n*size])
		return
	}
	for k := range n {
		copy(dst[k*dstStep:k*dstStep+size], src[k*srcStep:])
	}
}

package tile

import (
	"sync"

	"github.com/goxla/xla/cpu/loop"
)

// key names a form of an operation: the kind of its result and, where the form depends on
// it, of its first operand.
type key struct {
	op       loop.Op
	kind, of loop.Kind
}

// maker compiles an operation of a form.
type maker func(dst int, args [3]int, imm uint64) instr

// unary, binary, ternary and compare make makers of functions on single lanes.
func unary[A, R number](f func(A) R) maker {
	return func(dst int, args [3]int, _ uint64) instr {
		return func(fr *frame, n int) {
			d, a := file[R](fr)[dst][:n], file[A](fr)[args[0]][:n]
			for k, x := range a {
				d[k] = f(x)
			}
		}
	}
}

func binary[A, R number](f func(x, y A) R) maker {
	return func(dst int, args [3]int, _ uint64) instr {
		return func(fr *frame, n int) {
			d, a, b := file[R](fr)[dst][:n], file[A](fr)[args[0]][:n], file[A](fr)[args[1]][:n]
			for k, x := range a {
				d[k] = f(x, b[k])
			}
		}
	}
}

func ternary[T number](f func(x, y, z T) T) maker {
	return func(dst int, args [3]int, _ uint64) instr {
		return func(fr *frame, n int) {
			r := file[T](fr)
			d, a, b, c := r[dst][:n], r[args[0]][:n], r[args[1]][:n], r[args[2]][:n]
			for k, x := range a {
				d[k] = f(x, b[k], c[k])
			}
		}
	}
}

// whole makes a maker of a function on all lanes at once: what is done most is written out.
func whole[T number](f func(d, a, b []T)) maker {
	return func(dst int, args [3]int, _ uint64) instr {
		return func(fr *frame, n int) {
			r := file[T](fr)
			f(r[dst][:n], r[args[0]][:n], r[args[1]][:n])
		}
	}
}

func selector[T number]() maker {
	return func(dst int, args [3]int, _ uint64) instr {
		return func(fr *frame, n int) {
			r := file[T](fr)
			d, m, a, b := r[dst][:n], fr.mask[args[0]][:n], r[args[1]][:n], r[args[2]][:n]
			for k, on := range m {
				v := b[k]
				if on {
					v = a[k]
				}
				d[k] = v
			}
		}
	}
}

// byImm makes a maker that chooses the function by the immediate.
func byImm(list ...maker) maker {
	return func(dst int, args [3]int, imm uint64) instr { return list[imm](dst, args, imm) }
}

// table holds the forms by operation, kind of the result and kind of the first operand.
type table [loop.RoundBF16 + 1][loop.F64 + 1][loop.F64 + 1]maker

func (t *table) at(k key) *maker { return &t[k.op][k.kind][k.of] }

// operations returns the table of every form of every operation but loads, stores, constants and indices.
var operations = sync.OnceValue(func() *table {
	t := &table{}
	for _, add := range []func(*table){intRows, floatRows, maskRows, bitRows, convertRows, compareRows} {
		add(t)
	}
	return t
})

// operation returns the form of o with a result of one kind from operands of another.
func operation(o loop.Op, k, from loop.Kind) maker {
	if m := *operations().at(key{o, k, from}); m != nil {
		return m
	}
	return *operations().at(key{op: o, kind: k})
}

// Registers as a whole: copies, fills, and halves.

func mover[T number]() func(dst, src int) instr {
	return func(dst, src int) instr {
		return func(f *frame, n int) {
			r := file[T](f)
			copy(r[dst][:n], r[src][:n])
		}
	}
}

func spreader[T number]() func(dst, src int) instr {
	return func(dst, src int) instr {
		return func(f *frame, n int) {
			r := file[T](f)
			v := r[src][0]
			for k := range r[dst][:n] {
				r[dst][k] = v
			}
		}
	}
}

func filler[T number](decode func(uint64) T) func(dst int, bits uint64) instr {
	return func(dst int, bits uint64) instr {
		v := decode(bits)
		return func(f *frame, n int) {
			d := file[T](f)[dst][:n]
			for k := range d {
				d[k] = v
			}
		}
	}
}

// lookup makes instructions that read a table at an index of type I.
func lookup[T number, I uint32 | uint64](decode func(uint64) T) func(dst, index int, table []uint64) instr {
	return func(dst, index int, table []uint64) instr {
		decoded := make([]T, len(table))
		for k, bits := range table {
			decoded[k] = decode(bits)
		}
		return func(f *frame, n int) {
			d, at := file[T](f)[dst][:n], file[I](f)[index][:n]
			for k, i := range at {
				d[k] = decoded[i]
			}
		}
	}
}

// scanner makes the instruction that combines acc, a register of one value, with x lane by lane: what it is after each
// lane goes to dst. combine is the operation.
func scanner[T number]() func(combine maker, dst, acc, x int) instr {
	return func(combine maker, dst, acc, x int) instr {
		step := combine(acc, [3]int{acc, dst}, 0)
		return func(f *frame, n int) {
			r := file[T](f)
			for k, v := range r[x][:n] {
				r[dst][0], v = v, r[dst][0]
				step(f, 1)
				r[dst][0] = v
				r[dst][k] = r[acc][0]
			}
		}
	}
}

func shifter[T number]() func(f *frame, dst, src, from int) {
	return func(f *frame, dst, src, from int) {
		r := file[T](f)
		copy(r[dst][:from], r[src][from:2*from])
	}
}

// By kind, loop.None first.
var (
	moves = [...]func(dst, src int) instr{nil, mover[bool](), mover[uint32](), mover[uint64](),
		mover[float32](), mover[float64]()}
	spreads = [...]func(dst, src int) instr{nil, spreader[bool](), spreader[uint32](), spreader[uint64](),
		spreader[float32](), spreader[float64]()}
	fills = [...]func(dst int, bits uint64) instr{nil, filler(func(b uint64) bool { return b != 0 }),
		filler(func(b uint64) uint32 { return uint32(b) }), filler(func(b uint64) uint64 { return b }),
		filler(f32bits), filler(f64bits)}
	lookups = [...]func(dst, index int, table []uint64) instr{nil, nil,
		lookup[uint32, uint32](func(b uint64) uint32 { return uint32(b) }),
		lookup[uint64, uint64](func(b uint64) uint64 { return b }), lookup[float32, uint32](f32bits),
		lookup[float64, uint64](f64bits)}
	scanners = [...]func(combine maker, dst, acc, x int) instr{nil, nil, scanner[uint32](), scanner[uint64](),
		scanner[float32](), scanner[float64]()}
	shifts = [...]func(f *frame, dst, src, from int){nil, shifter[bool](), shifter[uint32](), shifter[uint64](),
		shifter[float32](), shifter[float64]()}
)

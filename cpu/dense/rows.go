package dense

import (
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// This file has steps on two rows: their products, and a rotation.

// rowsArgs is the argument block of their kernels.
type rowsArgs struct {
	turns int // of rowsUnroll vectors
	x, y  unsafe.Pointer
	out   unsafe.Pointer // of the products: the partial sums; of a rotation: c and s
}

const (
	argTurns = 8 * iota
	argX
	argY
	argOut
)

// rowsUnroll is the vectors of a turn of the loop.
const rowsUnroll = 2

// mostLanes is the most numbers of a vector.
const mostLanes = 16

// Products returns the sums of the products of x with x, of y with y and of x with y, which are as long.
func (k *Kernels[T]) Products(x, y []T) (xx, yy, xy T) {
	y = y[:len(x)]
	done := 0
	if turn := rowsUnroll * k.Lanes; k.code != nil && len(x) >= turn {
		var sums [3 * rowsUnroll * mostLanes]T
		args := rowsArgs{turns: len(x) / turn, x: pointer(x), y: pointer(y), out: unsafe.Pointer(&sums)}
		exec.Call(k.products, unsafe.Pointer(&args))
		runtime.KeepAlive(k)
		for l := range turn {
			xx, yy, xy = xx+sums[l], yy+sums[turn+l], xy+sums[2*turn+l]
		}
		done = args.turns * turn
	}
	for i := done; i < len(x); i++ {
		a, b := x[i], y[i]
		xx, yy, xy = xx+T(a*a), yy+T(b*b), xy+T(a*b)
	}
	return xx, yy, xy
}

// Rotate replaces rows x and y, which are as long, by c x + s y and c y - s x.
func (k *Kernels[T]) Rotate(x, y []T, c, s T) {
	y = y[:len(x)]
	done := 0
	if turn := rowsUnroll * k.Lanes; k.code != nil && len(x) >= turn {
		factors := [2]T{c, s}
		args := rowsArgs{turns: len(x) / turn, x: pointer(x), y: pointer(y), out: unsafe.Pointer(&factors)}
		exec.Call(k.rotate, unsafe.Pointer(&args))
		runtime.KeepAlive(k)
		done = args.turns * turn
	}
	for i := done; i < len(x); i++ {
		a, b := x[i], y[i]
		x[i], y[i] = T(c*a)+T(s*b), T(c*b)-T(s*a)
	}
}

// Registers of the kernels of rows.
const (
	regTurns = asm.RCX
	regX     = asm.RAX
	regY     = asm.RBX
	regOut   = asm.RDX
)

// rows emits the frame of a kernel: turn is given the number of a vector and where it is in the rows.
func (s *step) rows(begin func(), turn func(n int, x, y asm.Mem), end func()) {
	s.RM(asm.MOV, asm.W64, regTurns, asm.M(asm.RDI, argTurns))
	s.RM(asm.MOV, asm.W64, regX, asm.M(asm.RDI, argX))
	s.RM(asm.MOV, asm.W64, regY, asm.M(asm.RDI, argY))
	s.RM(asm.MOV, asm.W64, regOut, asm.M(asm.RDI, argOut))
	begin()
	s.Align(align)
	next := s.Here()
	for n := range rowsUnroll {
		turn(n, asm.M(regX, int32(n*s.vector)), asm.M(regY, int32(n*s.vector)))
	}
	s.RI(asm.ADD, asm.W64, regX, int64(rowsUnroll*s.vector))
	s.RI(asm.ADD, asm.W64, regY, int64(rowsUnroll*s.vector))
	s.RI(asm.SUB, asm.W64, regTurns, 1)
	s.Jcc(asm.NE, next)
	end()
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

// productsOf emits the kernel of Products.
func (s *step) productsOf() {
	add := asm.VFMADD231PS
	if s.size == 8 {
		add = asm.VFMADD231PD
	}
	const x, y, sums = 0, 1, 2
	s.rows(func() {
		for i := range asm.Vec(3 * rowsUnroll) {
			s.V3(asm.VPXORD, s.vl, sums+i, sums+i, sums+i)
		}
	}, func(n int, atX, atY asm.Mem) {
		s.V2M(s.move, s.vl, x, atX)
		s.V2M(s.move, s.vl, y, atY)
		sum := asm.Vec(sums + n)
		s.V3(add, s.vl, sum, x, x)
		s.V3(add, s.vl, sum+rowsUnroll, y, y)
		s.V3(add, s.vl, sum+2*rowsUnroll, x, y)
	}, func() {
		for i := range 3 * rowsUnroll {
			s.MV(s.move, s.vl, asm.M(regOut, int32(i*s.vector)), asm.Vec(sums+i))
		}
	})
}

// rotation emits the kernel of Rotate.
func (s *step) rotation() {
	add := asm.VFMADD231PS
	if s.size == 8 {
		add = asm.VFMADD231PD
	}
	const c, f, x, y, t, u = 0, 1, 2, 3, 4, 5
	s.rows(func() {
		s.V2M(s.spread, s.vl, c, asm.M(regOut, 0))
		s.V2M(s.spread, s.vl, f, asm.M(regOut, int32(s.size)))
	}, func(n int, atX, atY asm.Mem) {
		at := asm.Vec(4 * n)
		s.V2M(s.move, s.vl, x+at, atX)
		s.V2M(s.move, s.vl, y+at, atY)
		s.V3(s.mul, s.vl, t+at, x+at, c)
		s.V3(s.mul, s.vl, u+at, y+at, c)
		s.V3(add, s.vl, t+at, y+at, f)
		s.V3(s.fma, s.vl, u+at, x+at, f)
		s.MV(s.move, s.vl, atX, t+at)
		s.MV(s.move, s.vl, atY, u+at)
	}, func() {})
}

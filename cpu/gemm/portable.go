package gemm

import "unsafe"

// microGo does what the micro-kernel of key k does.
func microGo(k *microKey, args *microArgs) {
	switch k.kind {
	case kindF32:
		blocks[float32](k, args)
	case kindF64:
		blocks[float64](k, args)
	default:
		blocks[int32](k, args)
	}
}

func blocks[T number](k *microKey, args *microArgs) {
	g := grid[T]{microKey: k, a: args.a, b: args.b, c: args.c, depth: args.depth, add: args.add != 0}
	if g.runs = []int{0}; k.run > 0 {
		g.runs, g.depth = unsafe.Slice((*int)(args.at), args.runs), k.run
	}
	g.cols = k.nv * (k.vector / k.kind.size())
	if k.tail > 0 {
		g.cols -= k.vector/k.kind.size() - k.tail
	}
	if k.placed {
		for _, at := range unsafe.Slice((*place)(args.places), args.steps) {
			g.atA, g.atC = int(at.a), int(at.c)
			g.block()
		}
		return
	}
	for range args.steps {
		g.block()
		g.atA += k.mr * k.lda
		g.atC += k.mr * k.ldc
	}
}

// grid is a block of rows times a panel. Places are kept as distances in bytes, so that no pointer leaves its array.
type grid[T number] struct {
	*microKey
	a, b, c     unsafe.Pointer
	atA, atC    int
	runs        []int // where A has the runs of so many depths
	depth, cols int
	add         bool
}

func elem[T any](p unsafe.Pointer, bytes int) *T { return (*T)(unsafe.Add(p, bytes)) }

func four[T number](p unsafe.Pointer, bytes int) *[4]T { return (*[4]T)(unsafe.Add(p, bytes)) }

// block goes by pieces of 2 rows and 4 columns, whose sums stay in registers.
func (g *grid[T]) block() {
	size := g.kind.size()
	for i := 0; i < g.mr; i += 2 {
		for j := 0; j < g.cols; j += 4 {
			if i+2 <= g.mr && j+4 <= g.cols {
				g.piece(i, j*size)
				continue
			}
			for r := i; r < min(i+2, g.mr); r++ {
				for c := j; c < min(j+4, g.cols); c++ {
					g.element(r, c*size)
				}
			}
		}
	}
}

func (g *grid[T]) piece(i, col int) {
	var s00, s01, s02, s03, s10, s11, s12, s13 T
	b := col
	for _, run := range g.runs {
		a := g.atA + i*g.lda + run
		for range g.depth {
			x, y, r := *elem[T](g.a, a), *elem[T](g.a, a+g.lda), four[T](g.b, b)
			s00, s01, s02, s03 = s00+T(x*r[0]), s01+T(x*r[1]), s02+T(x*r[2]), s03+T(x*r[3])
			s10, s11, s12, s13 = s10+T(y*r[0]), s11+T(y*r[1]), s12+T(y*r[2]), s13+T(y*r[3])
			a, b = a+g.stepA, b+g.ldb
		}
	}
	c := g.atC + i*g.ldc + col
	g.put(four[T](g.c, c), [4]T{s00, s01, s02, s03})
	g.put(four[T](g.c, c+g.ldc), [4]T{s10, s11, s12, s13})
}

func (g *grid[T]) put(c *[4]T, s [4]T) {
	if g.add {
		for i := range s {
			s[i] += c[i]
		}
	}
	*c = s
}

func (g *grid[T]) element(i, col int) {
	var s T
	b := col
	for _, run := range g.runs {
		a := g.atA + i*g.lda + run
		for range g.depth {
			s += T(*elem[T](g.a, a) * *elem[T](g.b, b))
			a, b = a+g.stepA, b+g.ldb
		}
	}
	c := elem[T](g.c, g.atC+i*g.ldc+col)
	if g.add {
		s += *c
	}
	*c = s
}

package lapack

import "github.com/goxla/xla/cpu/dense"

// trsmDirect solves complex systems where they are, by steps of machine code, unless it reports false: there are none,
// or the sizes do not agree.
func trsmDirect(c *call, from, to []array, each dense.Parallel) bool {
	if !c.elem.IsComplex() || c.on.steps == nil {
		return false
	}
	k, err := c.on.steps.Triangles(c.elem.ByteSize())
	n, left := c.reads[0].rows, c.attr.get("side") == 'L'
	own, sides := c.reads[1].rows, c.reads[1].cols
	if !left {
		own, sides = sides, own
	}
	if err != nil || k == nil || own != n || c.sets[0].n != c.reads[1].n || c.sets[0].elem != c.elem ||
		c.reads[1].elem != c.elem || n*sides == 0 {
		return false
	}
	trans := c.attr.get("trans_x")
	t := dense.NewTriangle(n, sides, left, c.attr.get("uplo") == 'L', trans != 'N')
	t.Unit, t.Conjugate = c.attr.get("diag") == 'U', trans == 'C'
	chunk, beside := max(1, smallProblem/(n*n)), each
	if c.problems > 1 {
		beside = nil
	}
	each((c.problems+chunk-1)/chunk, func(part int) {
		m := k.Borrow()
		defer k.Lend(m)
		for p := part * chunk; p < min(c.problems, (part+1)*chunk); p++ {
			if !k.Solve(&t, p, from[0].data, from[1].data, to[0].data, m, beside) {
				trsmAlone(c, from, to, p)
			}
		}
	})
	return true
}

// trsmAlone solves problem b of a call in loops.
func trsmAlone(c *call, from, to []array, b int) {
	p := &problem[complex128]{attr: c.attr}
	for k := range c.reads {
		x := from[k].problem(b, c.problems)
		all, _ := elements(p, &x)
		p.in = append(p.in, matrix[complex128]{c.reads[k].rows, c.reads[k].cols, all})
	}
	y := to[0].problem(b, c.problems)
	p.out = append(p.out, p.resultFor(&y))
	trsm(p)
	store(&y, p.out[0])
}

// problem is the part of a that is one of so many problems.
func (a *array) problem(b, problems int) array {
	n := len(a.data) / problems
	return array{a.elem, a.n / problems, a.data[b*n:][:n]}
}

package plan

func renameAll(list []int, of func(int) int) {
	for k, b := range list {
		list[k] = of(b)
	}
}

func (k *Kernel) rename(of func(int) int) { renameAll(k.Buffers, of) }

func (h *HostStep) rename(of func(int) int) {
	for k := range h.Operands {
		h.Operands[k].rename(of)
	}
	h.Result.rename(of)
}

func (c *Copy) rename(of func(int) int) { c.From, c.To = of(c.From), of(c.To) }

func (w *While) rename(of func(int) int) { w.State.rename(of) }

func (c *Conditional) rename(of func(int) int) {
	c.Index = of(c.Index)
	c.Result.rename(of)
}

func (k *Pack) rename(of func(int) int) { k.From, k.To = of(k.From), of(k.To) }

func (g *Gemm) rename(of func(int) int) {
	g.A, g.B, g.C = of(g.A), of(g.B), of(g.C)
	for _, list := range [][]Start{g.StartsA, g.StartsB, g.StartsC} {
		for k := range list {
			list[k].Buffer = of(list[k].Buffer)
		}
	}
	if g.Scratch >= 0 {
		g.Scratch = of(g.Scratch)
	}
	if g.Packed >= 0 {
		g.Packed = of(g.Packed)
	}
}

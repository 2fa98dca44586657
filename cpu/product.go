package cpu

import (
	"encoding/binary"
	"os"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/shape"
)

// machine is what products are planned for.
func machine(pool *exec.Pool) (gemm.Config, error) {
	return gemm.HostConfig(os.Getenv(exec.TierEnv), pool.Threads())
}

// products returns the products of matrices, those with followers planned again, and the kernels that are to be made
// for them.
func (p *Program) products(machine gemm.Config) ([]*plan.Gemm, *gemm.Batch, error) {
	p.followers = map[*plan.Gemm]*follower{}
	if err := p.follow(p.plan.Body, machine); err != nil {
		return nil, nil, err
	}
	steps := gemms(p.plan.Body, nil)
	all := make([]*gemm.Product, len(steps))
	for i, g := range steps {
		all[i] = g.Product
	}
	return steps, library(p.pool, machine.Tier).Begin(all...), nil
}

// prepack packs operands that are constant, one behind the other: large ones on huge pages where there are any.
func (p *Program) prepack(steps []*plan.Gemm) error {
	const line = 64
	size := func(g *plan.Gemm) int {
		if g.Packed >= 0 {
			return 0
		}
		return (g.Product.PackedBytes() + line - 1) &^ (line - 1)
	}
	p.packed = map[*plan.Gemm][]byte{}
	total := 0
	for _, g := range steps {
		total += size(g)
	}
	mem, arena, err := newMemory(int64(total))
	if err != nil {
		return err
	}
	p.weights = arena
	for _, g := range steps {
		if n := size(g); n > 0 {
			p.packed[g] = mem[:g.Product.PackedBytes():n]
			g.Product.PrepackTo(p.packed[g], p.plan.Buffers[g.B].Value.RowMajor().Bytes())
			mem = mem[n:]
		}
	}
	return nil
}

// libraryKey is the key of what the programs of a pool share of their products.
type libraryKey struct{ tier exec.Tier }

// library returns the code of products that the programs of a pool share.
func library(pool *exec.Pool, tier exec.Tier) *gemm.Library {
	key := libraryKey{tier}
	made, ok := pool.Shared().Load(key)
	if !ok {
		made, _ = pool.Shared().LoadOrStore(key, new(gemm.Library))
	}
	return made.(*gemm.Library)
}

// gemms appends the products of s and of the sequences in it.
func gemms(s *plan.Sequence, to []*plan.Gemm) []*plan.Gemm {
	for _, st := range s.Steps {
		for _, inner := range plan.Inner(st) {
			to = gemms(inner, to)
		}
		if g, ok := st.(*plan.Gemm); ok {
			to = append(to, g)
		}
	}
	return to
}

// gemmStep runs a product of matrices.
type gemmStep struct {
	*plan.Gemm
	packed []byte
}

func (g *gemmStep) do(r *run) error {
	g.run(r, nil)
	return nil
}

// run runs the product, and after on the rows that are complete.
func (g *gemmStep) run(r *run, after exec.Job) {
	args := gemm.Args{A: r.begun(g.A, g.StartsA), B: r.begun(g.B, g.StartsB), C: r.begun(g.C, g.StartsC),
		Packed: g.packed, After: after, Done: r.done, Threads: r.most(g.Product.Time() > shortProduct)}
	if g.Scratch >= 0 {
		args.Scratch = r.bufs[g.Scratch]
	}
	if g.Packed >= 0 {
		args.Packed = r.bufs[g.Packed]
	}
	r.product.Run(r.program.pool, g.Product, args)
}

// begun returns buffer b from where starts say on.
func (r *run) begun(b int, starts []plan.Start) []byte {
	bytes, at := r.bufs[b], 0
	for _, s := range starts {
		n := int64(0)
		switch i := r.bufs[s.Buffer]; r.program.plan.Buffers[s.Buffer].Shape.Type {
		case shape.S32:
			n = int64(int32(binary.LittleEndian.Uint32(i)))
		case shape.U32:
			n = int64(binary.LittleEndian.Uint32(i))
		default:
			n = int64(binary.LittleEndian.Uint64(i))
		}
		at += int(min(max(n, 0), int64(s.Most))) * s.Stride
	}
	return bytes[at*r.program.plan.Buffers[b].Shape.Type.ByteSize():]
}

// packStep packs an operand of products for all runs of a loop.
type packStep struct{ *plan.Pack }

func (k *packStep) do(r *run) error {
	r.product.Prepack(r.program.pool, k.Product, r.bufs[k.To], r.bufs[k.From])
	return nil
}

package hlotest

import (
	"math/rand/v2"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// FromSeed returns the random module of a seed, of 4 to 27 operations, and arguments for
// it. It is what FuzzRandomModule checks, so a seed that it found serves any other test
// of whole modules. A module that reads an infeed needs [Host].
func FromSeed(seed uint64) (*hlo.Module, []literal.Literal) {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := Generate(rng, GenerateOptions{Instructions: 4 + int(seed%24)})
	return m, Arguments(rng, m)
}

// Host returns a host that has a value for each infeed in the entry computation of m.
func Host(m *hlo.Module) *ffi.Host {
	h := ffi.NewHost()
	for _, i := range m.Entry().Instructions() {
		if i.Code() == op.Infeed {
			_ = h.Infeed(0).Put(literal.New(i.Shape().Elems[0])) // an open queue takes it
		}
	}
	return h
}

package hlo_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// allChecks turns everything on.
var allChecks = hlo.VerifyOptions{LayoutSensitive: true, NoMixedPrecision: true, NoUnboundedDynamism: true,
	NoHostMemory: true, NamesUnchanged: true, UniqueChannels: true, SortedBroadcasts: true, BitcastReshapes: true,
	NoCollectiveDeadlocks: true}

// TestVerifyCorpusWithAllOptions checks that the verifier gets through everything that parses.
func TestVerifyCorpusWithAllOptions(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus/hlo/*/*.hlo"))
	refused, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := hlotext.Parse(string(text), hlotext.ParseOptions{})
		if err != nil {
			continue
		}
		all++
		if hlo.Verify(m, allChecks) != nil {
			refused++
		}
	}
	t.Logf("%d of %d modules refused with all options", refused, all)
}

// TestVerifyBrokenModules breaks random modules at random places: Verify must end
// with an error or none, and printing must end, whatever is wrong.
func TestVerifyBrokenModules(t *testing.T) {
	refused := 0
	const n = 3000
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := hlotest.Generate(rng, hlotest.GenerateOptions{Instructions: 15})
		for range 1 + rng.IntN(3) {
			breakModule(rng, m)
		}
		if hlo.Verify(m, hlo.VerifyOptions{}) != nil {
			refused++
		} else if d := hlo.Diff(m, m.Clone()); d != "" {
			t.Errorf("seed %d: verifies, but the clone differs: %s", seed, d)
		}
		hlo.Verify(m, allChecks)
		for _, o := range []hlotext.Options{hlotext.Long(), hlotext.Canonical(), hlotext.Fingerprint()} {
			hlotext.String(m, o)
		}
	}
	t.Logf("%d of %d modules refused", refused, n)
	if refused < n/2 {
		t.Errorf("only %d of %d broken modules refused", refused, n)
	}
}

// breakModule makes one random change that may be wrong.
func breakModule(rng *rand.Rand, m *hlo.Module) {
	comps := m.Computations()
	c := comps[rng.IntN(len(comps))]
	pick := func() *hlo.Instruction { return c.Instructions()[rng.IntN(len(c.Instructions()))] }
	i := pick()
	switch rng.IntN(8) {
	case 0:
		i.SetShape(pick().Shape())
	case 1:
		i.SetShape(shape.MakeTuple(i.Shape(), pick().Shape()))
	case 2:
		if len(i.Operands()) > 0 {
			i.SetOperand(rng.IntN(len(i.Operands())), pick())
		}
	case 3:
		i.AppendOperand(pick())
	case 4:
		i.SetAttrs(pick().Attrs())
	case 5:
		if i.Attrs() != nil {
			i.SetAttrs(op.NewAttrs(i.Code()))
		}
	case 6:
		if len(i.Called()) > 0 {
			i.SetCalled(0, comps[rng.IntN(len(comps))])
		}
	case 7:
		i.AddControlPredecessor(pick())
	}
}

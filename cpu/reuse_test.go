package cpu_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// TestBuffersOfRandomModules: no step finds the memory of a value that it reads overwritten. XLA_SEEDS says how many.
func TestBuffersOfRandomModules(t *testing.T) {
	seeds := uint64(300)
	if n, err := strconv.ParseUint(os.Getenv("XLA_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	pool := exec.NewPool(1)
	for seed := range seeds {
		m, _ := hlotest.FromSeed(seed)
		for _, o := range []cpu.Options{{}, {NoPasses: true}, {NoPasses: true, NoFusion: true}} {
			o.Pool = pool
			p, err := cpu.Compile(t.Context(), m, o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := p.Plan().Check(); err != nil {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, err, p.Plan(), hlotext.String(m, hlotext.Full()))
			}
		}
	}
}

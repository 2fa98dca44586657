package cpu_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/goxla/xla/cpu"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
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

// TestAliases: results that can be computed in the memory of an argument are.
func TestAliases(t *testing.T) {
	const head = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n"
	for _, test := range []struct {
		body    string
		inPlace bool
	}{
		{"ROOT z = f32[4] subtract(x, y)", true},
		{"i = s32[] constant(1)\nu = f32[1] constant({7})\nROOT z = f32[4] dynamic-update-slice(x, u, i)", true},
		{"ROOT z = f32[4] reverse(x), dimensions={0}", false},
		{"r = f32[4] reverse(x), dimensions={0}\nROOT z = f32[4] subtract(r, x)", false},
	} {
		m, err := hlotext.Parse(head+test.body+"\n}\n", hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := cpu.Options{Pool: exec.NewPool(1), Aliases: []plan.Alias{{Param: 0, Result: 0}}}
		p, err := cpu.Compile(t.Context(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Memory().Results == 0; got != test.inPlace {
			t.Errorf("%s: in place: got %v, want %v\n%s", test.body, got, test.inPlace, p.Plan())
		}
	}
}

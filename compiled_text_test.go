package xla_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// textGenerator writes the instructions of a computation at random.
type textGenerator struct {
	rng   *rand.Rand
	body  strings.Builder
	names int
}

// emit writes an instruction and returns its name.
func (g *textGenerator) emit(shape, format string, args ...any) string {
	g.names++
	v := fmt.Sprintf("v%d", g.names)
	fmt.Fprintf(&g.body, "  %s = %s "+format+"\n", append([]any{v, shape}, args...)...)
	return v
}

// checkEvaluated runs programs of one parameter, a tuple of an s32 that is first and arrays of small integers, on the
// evaluator and on the compiler, for as many seeds as XLA_SEEDS says: the same bits.
func checkEvaluated(t *testing.T, usual uint64, first int32, write func(seed uint64) (text string, rng *rand.Rand)) {
	t.Helper()
	seeds := usual
	if n, err := strconv.ParseUint(os.Getenv("XLA_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	for seed := range seeds {
		text, rng := write(seed)
		prog := parse(t, text)
		elems := []literal.Literal{literal.Scalar(first)}
		for _, s := range prog.Module().Entry().Params()[0].Shape().Elems[1:] {
			x := literal.New(s)
			for i := range s.Size() {
				x.SetInt(i, int64(rng.IntN(200)-100))
			}
			elems = append(elems, x)
		}
		var results [2][]literal.Literal
		for k, b := range []xla.Backend{xla.Interp(), xla.CPU()} {
			exe, err := newClient(t, xla.Options{Backend: b}).Compile(t.Context(), prog)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			results[k] = run(t, exe, literal.MakeTuple(elems...))
		}
		for k, want := range results[0] {
			if err := literal.Compare(results[1][k], want, literal.ULP(0)); err != nil {
				t.Fatalf("seed %d: result %d: %v\n%s", seed, k, err, text)
			}
		}
	}
}

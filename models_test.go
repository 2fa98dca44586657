package xla_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// maxModelElements is the most elements that the parameters of a model may have to
// be run by the test; XLA_MODELS=all runs all.
const maxModelElements = 8 << 20

// slowModels take the evaluator more than some seconds; XLA_MODELS=all runs them too.
var slowModels = map[string]bool{
	"diffrax.b380012920":                   true, // 4 s
	"in_place_dynamic_update_slice_fusion": true, // 11 s: 100 000 iterations with random bits
	"jax.b380442861":                       true, // 13 s: 1 000 000 iterations
	"sharded_computation":                  true, // 25 s
}

// lostNaN are models of which XLA:CPU gave no NaN in output 0 where all of it is NaN.
// The fusions that XLA:CPU gives to the library YNNPACK drop NaN in maximum: with an input of
// NaN, reduce(maximum(x, 0)) over dimensions 1 and 2 of f32[1,7,7,2048] gives 0, and NaN
// without them (XLA_FLAGS=--xla_cpu_experimental_ynn_fusion_type=), as the specification has it.
// Half of the variances of this model are negative in the recorded input, so all is NaN
// until the last maximum; TestResNetPositiveVariances compares its numbers.
var lostNaN = map[string]bool{"resnet50_keras_jax_f32": true}

// TestModels runs real models and compares with what XLA gave for the same inputs.
func TestModels(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "models")
	if testing.Short() {
		t.Skip("long")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.expect.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no models in %s (%v)", dir, err)
	}
	for _, file := range files {
		path := strings.TrimSuffix(file, ".expect.json")
		t.Run(filepath.Base(path), func(t *testing.T) { testModel(t, path) })
	}
}

func testModel(t *testing.T, path string) {
	prog, args := loadModel(t, path)
	want, out := readExpected(t, path+".expect.json"), runModel(t, prog, args)
	if lostNaN[filepath.Base(path)] {
		want[0] = expectedOutput{Shape: want[0].Shape, NonFinite: out[0].Len()}
	}
	compareModel(t, out, want)
}

// TestResNetPositiveVariances runs a model whose recorded input is none that it is made for.
func TestResNetPositiveVariances(t *testing.T) {
	path := filepath.Join(hlotest.Shared(t), "models", "resnet50_keras_jax_f32")
	prog, args := loadModel(t, path)
	for p := 215; p < len(args)-1; p += 2 {
		v := toFloats(args[p])
		for i := range v {
			v[i] += 4
		}
		literal.FromFloat64s(args[p], v)
	}
	want := readExpected(t, filepath.Join("testdata", "models", "resnet50_positive_variances.json"))
	compareModel(t, runModel(t, prog, args)[:1], want)
}

// loadModel returns the model at path and its inputs. A large one is skipped.
func loadModel(t *testing.T, path string) (*xla.Program, []literal.Literal) {
	prog, err := xla.Load(path + ".hlo")
	if err != nil {
		t.Fatal(err)
	}
	params := prog.EntrySignature().Params
	elements := 0
	for _, p := range params {
		elements += p.Size()
	}
	if os.Getenv("XLA_MODELS") != "all" && (elements > maxModelElements || slowModels[filepath.Base(path)]) {
		t.Skipf("large: %d elements in the parameters; set XLA_MODELS=all", elements)
	}
	args := make([]literal.Literal, len(params))
	for i, p := range params {
		args[i] = modelInput(p, uint64(i))
	}
	return prog, args
}

func runModel(t *testing.T, prog *xla.Program, args []literal.Literal) []literal.Literal {
	exe := compile(t, prog)
	start := time.Now()
	out, err := exe.Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f s", time.Since(start).Seconds())
	return out
}

// modelInput fills parameter p as README.md of the models says: integers are 0.
func modelInput(s shape.Shape, p uint64) literal.Literal {
	s.Layout = nil
	l := literal.New(s)
	if !s.Type.IsFloat() {
		return l
	}
	v := make([]float64, l.Len())
	for i := range v {
		v[i] = float64(uint32(uint64(i)*2654435761+(p+1)*40503))/(1<<32) - 0.5
	}
	literal.FromFloat64s(l, v)
	return l
}

// flushed is a sum that may be 0 in XLA:CPU, which makes 0 of denormal numbers.
const flushed = 1e-36

// expectedOutput describes an output of XLA.
type expectedOutput struct {
	Shape                 string
	First                 []*float64 // nil: not finite
	NonFinite             int
	Sum, AbsSum, Min, Max float64
}

func readExpected(t *testing.T, file string) []expectedOutput {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("NaN"), []byte("null")) // JSON has none
	var want struct{ Outputs []expectedOutput }
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want.Outputs
}

func compareModel(t *testing.T, out []literal.Literal, want []expectedOutput) {
	if len(out) != len(want) {
		t.Fatalf("%d outputs, want %d", len(out), len(want))
	}
	for i, w := range want {
		if err := w.compare(out[i]); err != nil {
			t.Errorf("output %d of %s: %v", i, w.Shape, err)
		}
	}
}

// compare checks the first elements and the sums of got.
func (w *expectedOutput) compare(got literal.Literal) error {
	v := toFloats(got)
	tol := modelTolerance(got.Type())
	if tol > 0 && w.AbsSum == 0 && summarize(v).AbsSum < flushed {
		return nil
	}
	scale := max(math.Abs(w.Min), math.Abs(w.Max))
	for i, want := range w.First {
		if want == nil || math.Abs(v[i]-*want) <= tol*scale {
			continue
		}
		return fmt.Errorf("element %d: %v, want %v", i, v[i], *want)
	}
	h := summarize(v)
	switch {
	case h.NonFinite != w.NonFinite:
		return fmt.Errorf("%d elements are not finite, want %d", h.NonFinite, w.NonFinite)
	case w.NonFinite == len(v):
		return nil
	case math.Abs(h.Min-w.Min) > tol*scale || math.Abs(h.Max-w.Max) > tol*scale:
		return fmt.Errorf("range %v to %v, want %v to %v", h.Min, h.Max, w.Min, w.Max)
	case math.Abs(h.Sum-w.Sum) > tol*w.AbsSum || math.Abs(h.AbsSum-w.AbsSum) > tol*w.AbsSum:
		return fmt.Errorf("sum %v, of absolute values %v, want %v and %v", h.Sum, h.AbsSum, w.Sum, w.AbsSum)
	}
	return nil
}

// modelTolerance is relative to the largest element.
func modelTolerance(t shape.ElementType) float64 {
	switch t {
	case shape.F64:
		return 1e-9
	case shape.F32:
		return 2e-4
	case shape.F16:
		return 5e-3
	case shape.BF16:
		return 2e-2
	}
	return 0 // integers are equal
}

func toFloats(l literal.Literal) []float64 {
	v := make([]float64, l.Len())
	for i := range v {
		switch {
		case l.Type() == shape.Pred:
			if l.BoolAt(i) {
				v[i] = 1
			}
		default:
			v[i] = l.FloatAt(i)
		}
	}
	return v
}

func summarize(v []float64) (s expectedOutput) {
	s.Min, s.Max = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			s.NonFinite++
			continue
		}
		s.Sum, s.AbsSum = s.Sum+x, s.AbsSum+math.Abs(x)
		s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	}
	return s
}

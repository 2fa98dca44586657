package builder_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/shape"
)

// specNames are the names of the functions in BUILDER.md.
const specNames = `
Abs Add AddDependency AfterAll AllGather AllReduce AllToAll And AsyncDone AsyncStart AsyncUpdate Atan2
BatchNormGrad BatchNormInference BatchNormTraining Bitcast BitcastConvertType Broadcast BroadcastInDim
Call Cbrt Ceil Cholesky Clamp Clz Collapse CollectiveBroadcast CollectivePermute Compare Complex CompositeCall
ConcatInDim Conditional Constant Conv ConvGeneral ConvGeneralDilated ConvWithGeneralDimensions ConvWithGeneralPadding
ConvertElementType Copy CopyDone CopyStart Cos Cosh CrossReplicaSum CustomCall Div Domain Dot DotGeneral
DynamicReshape DynamicSlice DynamicUpdateSlice Eq EqTotalOrder Erf Exp Expm1 Fft Floor Fusion Gather Ge GeTotalOrder
GetDimensionSize GetTupleElement Gt GtTotalOrder Imag Infeed Iota IsFinite Le LeTotalOrder Log Log1p LogicalAnd
LogicalNot LogicalOr Logistic Lt LtTotalOrder Map Max Min Mul Ne NeTotalOrder Neg Not OptimizationBarrier Or Outfeed
Pad Parameter PartitionId PopulationCount Pow RaggedAllToAll RaggedDot Real Recv Reduce ReducePrecision ReduceScatter
ReduceWindow Rem ReplicaId Reshape Rev RngBernoulli RngBitGenerator RngGetAndUpdateState RngNormal RngUniform Round
RoundNearestAfz RoundNearestEven Rsqrt ScaledDot Scan Scatter Select SelectAndScatter Send SetDimensionSize ShiftLeft
ShiftRightArithmetic ShiftRightLogical Sign Sin Slice Sort Sqrt Sub Tan Tanh TopK Transpose TriangularSolve Tuple
While Xor`

// variantNames are the names that BUILDER.md and OPS.md have in their notes.
const variantNames = `
AllGatherDone AllGatherStart AllReduceDone AllReduceStart CollectivePermuteDone CollectivePermuteStart Concatenate
RecvDone RecvFromHost RecvWithTokens ReduceWindowWithGeneralPadding SelectAndScatterWithGeneralPadding SendDone
SendToHost SendWithTokens`

func TestEveryNameOfTheSpecIsThere(t *testing.T) {
	names := exportedFunctions(t)
	for _, name := range strings.Fields(specNames + variantNames) {
		if !slices.Contains(names, name) {
			t.Errorf("no function %s", name)
		}
	}
}

// TestSpecNames: specNames are those of the tables in BUILDER.md.
func TestSpecNames(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(hlotest.Shared(t), "spec", "BUILDER.md"))
	if err != nil {
		t.Fatal(err)
	}
	firstColumn := regexp.MustCompile(`(?m)^\| ([A-Z][^|]*) \| (?:C|17|C 17|17 \(.*?\)) \|`)
	brackets := regexp.MustCompile(`\([^()]*\)`)
	var names []string
	for _, row := range firstColumn.FindAllStringSubmatch(string(data), -1) {
		text := row[1]
		for brackets.MatchString(text) {
			text = brackets.ReplaceAllString(text, "")
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
			if word[0] >= 'A' && word[0] <= 'Z' {
				names = append(names, word)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	want := strings.Fields(specNames)
	for _, name := range names {
		if !slices.Contains(want, name) {
			t.Errorf("BUILDER.md has %s, specNames has not", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("specNames has %s, BUILDER.md has not", name)
		}
	}
}

// TestOddShapes: whatever the shapes of the operands, a program is built or is an error,
// and what is built verifies.
func TestOddShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	built, failed := 0, 0
	for _, c := range allPrograms() {
		for range 40 {
			p := newProg("odd")
			p.change = func(s shape.Shape) shape.Shape { return oddShape(rng, s) }
			m, err := p.Build(c.build(p))
			if err != nil {
				failed++
				continue
			}
			built++
			if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	if built == 0 || failed == 0 {
		t.Errorf("%d built, %d failed, want both", built, failed)
	}
}

// oddShape returns s, or something like it or unlike it.
func oddShape(rng *rand.Rand, s shape.Shape) shape.Shape {
	types := []shape.ElementType{shape.F32, shape.S32, shape.Pred, shape.C64, shape.U8, shape.BF16, shape.U64}
	switch rng.IntN(8) {
	case 0:
		return shape.MakeToken()
	case 1:
		return shape.MakeTuple()
	case 2:
		return shape.MakeTuple(s, s)
	case 3:
		if s.IsArray() {
			return s.WithType(types[rng.IntN(len(types))])
		}
	case 4, 5:
		dims := make([]int, rng.IntN(4))
		dynamic := make([]bool, len(dims))
		for i := range dims {
			dims[i], dynamic[i] = []int{0, 1, 2, 3, 7, 1 << 40}[rng.IntN(6)], rng.IntN(8) == 0
			if dynamic[i] && rng.IntN(2) == 0 {
				dims[i] = shape.Unbounded
			}
		}
		return shape.MakeDynamic(types[rng.IntN(len(types))], dims, dynamic)
	}
	return s
}

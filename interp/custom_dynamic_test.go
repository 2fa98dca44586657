package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// runBuilt evaluates the program that build makes of parameters of the given shapes.
func runBuilt(t *testing.T, build func(p []builder.Op) builder.Op, shapes []string, args []literal.Literal) (
	*hlo.Module, literal.Literal) {
	t.Helper()
	b := builder.New("m")
	var params []builder.Op
	for i, text := range shapes {
		s, err := shape.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, b.Parameter(i, s, ""))
	}
	m, err := b.Build(build(params))
	if err != nil {
		t.Fatal(err)
	}
	v, err := interp.Run(t.Context(), m, args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, v
}

func hasTarget(m *hlo.Module, target string) bool {
	for _, i := range m.Entry().Instructions() {
		if strings.Contains(fmt.Sprintf("%+v", i.Attrs()), target) {
			return true
		}
	}
	return false
}

// counts returns 1, 4, 9, ... in an array of the given sizes.
func counts(dims ...int) literal.Literal {
	l := literal.New(shape.Make(shape.F32, dims...))
	for i := range l.Len() {
		l.SetFloat(i, float64((i+1)*(i+1)%11))
	}
	return l
}

// TestSamePaddingOfDynamicSizes: windows over n of at most 9 rows lie as over n rows.
func TestSamePaddingOfDynamicSizes(t *testing.T) {
	for _, w := range []builder.Window{
		{Sizes: []int{3, 2}, Strides: []int{2, 2}, Padding: builder.Same},
		{Sizes: []int{2, 3}, Strides: []int{3, 1}, Padding: builder.Same},
		{Sizes: []int{4, 1}, Strides: []int{2, 1}, WindowDilations: []int{2, 1}, Padding: builder.Same},
		{Sizes: []int{3, 1}, Strides: []int{2, 1}, BaseDilations: []int{2, 1}, Padding: builder.Same},
	} {
		window := func(p []builder.Op) builder.Op {
			return builder.ReduceWindow(p[0], p[0].Builder().Zero(shape.F32), builder.Add, w)
		}
		for n := 1; n <= 9; n++ {
			arg := counts(n, 4)
			static := fmt.Sprintf("f32[%d,4]", n)
			_, want := runBuilt(t, window, []string{static}, []literal.Literal{arg})
			m, got := runBuilt(t, window, []string{"f32[<=9,4]"}, []literal.Literal{arg})
			if !hasTarget(m, "DynamicReduceWindowSamePadding") || !literal.Equal(got, want) {
				t.Errorf("%+v over %d rows:\n%s\nwant\n%s", w, n, got.AppendText(nil), want.AppendText(nil))
			}
			if w.BaseDilations != nil {
				continue
			}
			scatter := func(p []builder.Op) builder.Op {
				return builder.SelectAndScatter(p[0], builder.Ge, w, p[1], p[0].Builder().Zero(shape.F32), builder.Add)
			}
			source := counts(want.Dims()...)
			shapes := []string{static, want.Shape().StringNoLayout()}
			_, want = runBuilt(t, scatter, shapes, []literal.Literal{arg, source})
			bound := fmt.Sprintf("f32[<=%d,%d]", (9+w.Strides[0]-1)/w.Strides[0], source.Dims()[1])
			m, got = runBuilt(t, scatter, []string{"f32[<=9,4]", bound}, []literal.Literal{arg, source})
			if !hasTarget(m, "DynamicSelectAndScatterSamePadding") || !literal.Equal(got, want) {
				t.Errorf("scattered %+v over %d rows:\n%s\nwant\n%s", w, n, got.AppendText(nil), want.AppendText(nil))
			}
		}
	}
}

// TestBroadcastToSizes: an operand of size 1, and one of fewer dimensions, meets one without bound.
func TestBroadcastToSizes(t *testing.T) {
	add := func(p []builder.Op) builder.Op { return builder.Add(p[0], p[1]) }
	x := counts(4, 3)
	for _, c := range []struct {
		s   string
		arg literal.Literal
	}{{"f32[1,3]", counts(1, 3)}, {"f32[1,1]", counts(1, 1)}, {"f32[]", counts()}} {
		_, want := runBuilt(t, add, []string{"f32[4,3]", c.s}, []literal.Literal{x, c.arg})
		m, got := runBuilt(t, add, []string{"f32[?,3]", c.s}, []literal.Literal{x, c.arg})
		if !hasTarget(m, "mhlo.dynamic_broadcast_in_dim") || !literal.Equal(got, want) {
			t.Errorf("%s: got %s, want %s", c.s, got.AppendText(nil), want.AppendText(nil))
		}
	}
}

func TestErrorsOfDynamicCalls(t *testing.T) {
	const call = `ROOT r = f32[<=4,2] custom-call(x, n), custom_call_target="mhlo.dynamic_broadcast_in_dim"`
	const window = `custom_call_target="DynamicReduceWindowSamePadding", called_computations={add}`
	three := counts(3)
	for _, c := range []struct{ name, shape, call, want string }{
		{"no dimensions", "f32[3]", call, `an attribute "broadcast_dimensions", got []`},
		{"too many", "f32[3]", call + ", backend_config={broadcast_dimensions=[0,1]}", "expects 1 dimensions, got [0 1]"},
		{"out of range", "f32[3]", call + ", backend_config={broadcast_dimensions=[2]}", "dimensions in [0, 2), got [2]"},
		{"size", "f32[3]", call + ", backend_config={broadcast_dimensions=[1]}",
			"size 1 or 2 in dimension 0 of the operand, got 3"},
		{"above the bound", "f32[3]", strings.Replace(call, "<=4", "<=2", 1) + ", backend_config={broadcast_dimensions=[0]}",
			"at most 2 for dimension 0, got 3"},
		{"window", "f32[<=3]", "ROOT r = f32[<=3] custom-call(x, z), window={size=3x3}, " + window,
			"a dimension for each of the operand, got 2"},
		{"reducer", "f32[<=3]", "ROOT r = f32[<=3] custom-call(x), window={size=3}, " + window,
			"expected n inputs and n initial values"},
		{"result", "f32[<=3]", "ROOT r = f32[<=2] custom-call(x, z), window={size=3}, " + window,
			"expects a value of shape f32[<=2]{0}, got f32[3]"},
		{"sharding", "f32[3]", `ROOT r = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape"`,
			"SPMDFullToShardShape: expects a program that is partitioned already: expects a value of shape f32[2]{0}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := entry("x = "+c.shape+" parameter(0)", "z = f32[] constant(0)", "n = s32[2] constant({3, 2})", c.call)
			_, err := evaluate(t, text, interp.Options{}, three)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, got %v", c.want, err)
			}
		})
	}
}

package interp_test

import (
	"regexp"
	"testing"

	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// TestDynamicAsStatic: an operation on three of five rows gives what it gives on an
// array of three rows. N stands for the size of a dimension that is `<=5` in the one
// module and 3 in the other, M for `<=10` and 6, K for `<=4` and 2.
func TestDynamicAsStatic(t *testing.T) {
	const prologue = `HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
both { a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  k = s32[] add(i, j)
  s = f32[] maximum(a, b)
  ROOT r = (f32[], s32[]) tuple(s, k) }
greater { a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT g = pred[] compare(a, b), direction=GT }
ge { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT g = pred[] compare(a, b), direction=GE }
step { a = f32[2] parameter(0)
  c = f32[2] parameter(1)
  s = f32[2] add(a, c)
  ROOT r = (f32[2], f32[2]) tuple(s, s) }
sum { a = f32[N,2] parameter(0)
  z = f32[] constant(0)
  ROOT s = f32[2] reduce(a, z), dimensions={0}, to_apply=add }
more { a = f32[N,2] parameter(0)
  c = f32[2] call(a), to_apply=sum
  d = f32[1] slice(c), slice={[0:1]}
  e = f32[] reshape(d)
  z = f32[] constant(1000)
  ROOT r = pred[] compare(e, z), direction=LT }
twice { a = f32[N,2] parameter(0)
  ROOT r = f32[N,2] add(a, a) }
ENTRY e {
  full = f32[5,2] parameter(0)
  z = f32[] constant(0)
  o = f32[] constant(1)
  zi = s32[] constant(0)
`
	const rowsOf = `  n = s32[] constant(3)
  x = f32[<=5,2] set-dimension-size(full, n), dimensions={0}
`
	const first = `  x = f32[3,2] slice(full), slice={[0:3], [0:2]}
`
	letter := regexp.MustCompile(`\b[NMK]\b`)
	run := func(t *testing.T, setup, lines string, sizes map[string]string) literal.Literal {
		text := letter.ReplaceAllStringFunc(prologue+setup+lines+"\n}\n", func(s string) string { return sizes[s] })
		full := literal.Of([][]float32{{5, -1}, {3, 7.5}, {4, 0.25}, {8, 8}, {9, 9}})
		v, err := evaluate(t, text, interp.Options{}, full)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct{ name, lines string }{
		{"clamp", "ROOT r = f32[N,2] clamp(z, x, o)"},
		{"select by scalar", "p = pred[] constant(false)\n y = f32[N,2] negate(x)\n ROOT r = f32[N,2] select(p, x, y)"},
		{"compare", "ROOT r = pred[N,2] compare(x, x), direction=EQ"},
		{"convert", "ROOT r = s8[N,2] convert(x)"},
		{"bitcast-convert", "ROOT r = u8[N,2,4] bitcast-convert(x)"},
		{"bitcast-convert to wider", "ROOT r = u64[N] bitcast-convert(x)"},
		{"bitcast", "ROOT r = f32[M] bitcast(x)"},
		{"reshape", "y = f32[2,N] reshape(x)\n ROOT r = f32[N,2] transpose(y), dimensions={1,0}"},
		{"reshape with ones", "ROOT r = f32[1,N,1,2] reshape(x)"},
		{"reshape of two", "y = f32[M] reshape(x)\n w = f32[2,N] reshape(y)\n ROOT r = f32[N,2] reshape(w)"},
		{"reshape to an inferred dimension", "y = f32[M] reshape(x)\n ROOT r = f32[2,N] reshape(y), inferred_dimension=1"},
		{"concatenate", "ROOT r = f32[M,2] concatenate(x, x), dimensions={0}"},
		{"pad negative and interior", "ROOT r = f32[K,4] pad(x, z), padding=-1_0x0_1_1"},
		{"sort", "i = s32[N,2] convert(x)\n ROOT r = (f32[N,2], s32[N,2]) sort(x, i), dimensions={0}, to_apply=greater"},
		{"reduce of two", "i = s32[N,2] convert(x)\n" +
			" ROOT r = (f32[2], s32[2]) reduce(x, i, z, zi), dimensions={0}, to_apply=both"},
		{"reduce of the other", "ROOT r = f32[N] reduce(x, z), dimensions={1}, to_apply=add"},
		{"select-and-scatter", "s = f32[K,1] reduce-window(x, z), window={size=2x2}, to_apply=add\n" +
			" ROOT r = f32[N,2] select-and-scatter(x, s, z), window={size=2x2}, select=ge, scatter=add"},
		{"scan", "c = f32[2] constant({0, 0})\n" +
			" ROOT r = (f32[N,2], f32[2]) scan(x, c), dimensions={0}, num_carries=1, to_apply=step"},
		{"dot", "ROOT r = f32[N,N] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
		{"batch dot", "ROOT r = f32[N] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, " +
			"lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
		{"convolution", "k = f32[2,1,2] constant({{{1, 2}}, {{10, 20}}})\n y = f32[1,N,2] reshape(x)\n" +
			" ROOT r = f32[1,K,2] convolution(y, k), window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2"},
		{"gather rows", "i = s32[2,1] constant({{2}, {0}})\n ROOT r = f32[2,2] gather(x, i), offset_dims={1}, " +
			"collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"},
		{"scatter", "i = s32[2,1] constant({{2}, {0}})\n u = f32[2,2] constant({{1, 2}, {3, 4}})\n" +
			" ROOT r = f32[N,2] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, " +
			"scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"},
		{"dynamic-update-slice", "i = s32[] constant(1)\n u = f32[1,1] constant({{77}})\n" +
			" ROOT r = f32[N,2] dynamic-update-slice(x, u, i, zi)"},
		{"topk", "y = f32[2,N] transpose(x), dimensions={1,0}\n ROOT r = (f32[2,2], s32[2,2]) topk(y), k=2, largest=true"},
		{"fft", "ROOT r = c64[N,2] fft(x), fft_type=RFFT, fft_length={2}"},
		{"batch norm", "s = f32[2] constant({1, 2})\n ROOT r = (f32[N,2], f32[2], f32[2]) batch-norm-training(x, s, s), " +
			"epsilon=1, feature_index=1"},
		{"call and fusion", "y = f32[2] call(x), to_apply=sum\n w = f32[N,2] fusion(x), kind=kLoop, calls=twice\n" +
			" ROOT r = (f32[2], f32[N,2]) tuple(y, w)"},
		{"while", "ROOT r = f32[N,2] while(x), condition=more, body=twice"},
		{"conditional", "p = pred[] constant(true)\n ROOT r = f32[N,2] conditional(p, x, x), " +
			"true_computation=twice, false_computation=twice"},
		{"tuple", "t = (f32[N,2], f32[]) tuple(x, z)\n b = (f32[N,2], f32[]) opt-barrier(t)\n" +
			" ROOT r = f32[N,2] get-tuple-element(b), index=0"},
		{"copy-start", "c = (f32[N,2], f32[N,2], u32[]) copy-start(x)\n ROOT r = f32[N,2] copy-done(c)"},
		{"all-gather", "ROOT r = f32[N,2] all-gather(x), replica_groups={}, dimensions={0}"},
		{"all-reduce", "ROOT r = f32[N,2] all-reduce(x), replica_groups={}, to_apply=add"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run(t, rowsOf, c.lines, map[string]string{"N": "<=5", "M": "<=10", "K": "<=4"})
			want := run(t, first, c.lines, map[string]string{"N": "3", "M": "6", "K": "2"})
			if err := literal.Compare(got, want, literal.Tolerance{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBoundOfItsOwn: what no operand sizes has the size of its bound.
func TestBoundOfItsOwn(t *testing.T) {
	text := entry("i = s32[<=3] iota(), iota_dimension=0", "a = f32[] constant(1)", "b = f32[] constant(2)",
		"u = f32[<=4] rng(a, a), distribution=rng_uniform", "w = f32[2,<=3] broadcast(a), dimensions={}",
		"ROOT r = (s32[<=3], f32[<=4], f32[2,<=3]) tuple(i, u, w)")
	got, err := evaluate(t, text, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := literal.MakeTuple(literal.Of([]int32{0, 1, 2}), literal.Of([]float32{1, 1, 1, 1}),
		literal.Of([][]float32{{1, 1, 1}, {1, 1, 1}}))
	if err := literal.Compare(got, want, literal.Tolerance{}); err != nil {
		t.Error(err)
	}
}

// TestUnbounded: sizes of which not even a bound is known come from the arguments.
func TestUnbounded(t *testing.T) {
	text := entry("x = f32[?,2] parameter(0)", "y = f32[?,2] add(x, x)", "s = f32[2,?] transpose(y), dimensions={1,0}",
		"d = f32[2,2] dot(s, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
		"ROOT r = (f32[2,?], f32[2,2]) tuple(s, d)")
	got, err := evaluate(t, text, interp.Options{}, literal.Of([][]float32{{1, 2}, {3, 4}, {5, 6}}))
	if err != nil {
		t.Fatal(err)
	}
	want := literal.MakeTuple(literal.Of([][]float32{{2, 6, 10}, {4, 8, 12}}),
		literal.Of([][]float32{{70, 88}, {88, 112}}))
	if err := literal.Compare(got, want, literal.Tolerance{}); err != nil {
		t.Error(err)
	}
}

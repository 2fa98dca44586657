package native_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
)

// Comparators of one operand type T, or of two, T and U.
const (
	lessThan  = `ROOT r = pred[] compare(a, b), direction=LT`
	greater   = `ROOT r = pred[] compare(a, b), direction=GT`
	totalLess = `ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER`
	totalMore = `ROOT r = pred[] compare(a, b), direction=GT, type=TOTALORDER`
	lessEqual = `ROOT r = pred[] compare(a, b), direction=LE`
	loose     = `z = T[] constant(0)
  n = T[] constant(nan)
  az = pred[] compare(a, z), direction=EQ
  bz = pred[] compare(b, z), direction=EQ
  an = pred[] compare(a, a), direction=NE
  bn = pred[] compare(b, b), direction=NE
  a1 = T[] select(az, z, a)
  b1 = T[] select(bz, z, b)
  a2 = T[] select(an, n, a1)
  b2 = T[] select(bn, n, b1)
  ROOT r = pred[] compare(a2, b2), direction=LT, type=TOTALORDER`
	byMagnitude = `x = T[] abs(a)
  y = T[] abs(b)
  ROOT r = pred[] compare(x, y), direction=LT`
	byModulus = `x = f32[] abs(a)
  y = f32[] abs(b)
  ROOT r = pred[] compare(x, y), direction=LT`
	complexLess = `ar = f32[] real(a)
  br = f32[] real(b)
  ai = f32[] imag(a)
  bi = f32[] imag(b)
  lt = pred[] compare(ar, br), direction=LT, type=TOTALORDER
  eq = pred[] compare(ar, br), direction=EQ, type=TOTALORDER
  lt2 = pred[] compare(ai, bi), direction=LT, type=TOTALORDER
  and = pred[] and(eq, lt2)
  ROOT r = pred[] or(lt, and)`
	// looseTwo is what frameworks make of a sort by two keys: zeros are equal, NaNs are equal and last.
	looseTwo = `z = T[] constant(0)
  n = T[] constant(nan)
  az = pred[] compare(a, z), direction=EQ
  bz = pred[] compare(b, z), direction=EQ
  an = pred[] compare(a, a), direction=NE
  bn = pred[] compare(b, b), direction=NE
  a1 = T[] select(az, z, a)
  b1 = T[] select(bz, z, b)
  a2 = T[] select(an, n, a1)
  b2 = T[] select(bn, n, b1)
  lt = pred[] compare(a2, b2), direction=LT, type=TOTALORDER
  eq = pred[] compare(a2, b2), direction=EQ, type=TOTALORDER
  lt2 = pred[] compare(c, d), direction=LT
  and = pred[] and(eq, lt2)
  ROOT r = pred[] or(lt, and)`
	tieBreak = `lt = pred[] compare(a, b), direction=LT
  eq = pred[] compare(a, b), direction=EQ
  less2 = pred[] compare(c, d), direction=GT
  both = pred[] and(eq, less2)
  ROOT r = pred[] or(lt, both)`
	// totalTie tells zeros and NaNs apart, unlike what then breaks ties.
	totalTie = `lt = pred[] compare(a, b), direction=LT, type=TOTALORDER
  eq = pred[] compare(a, b), direction=EQ, type=TOTALORDER
  less2 = pred[] compare(c, d), direction=GT
  both = pred[] and(eq, less2)
  ROOT r = pred[] or(lt, both)`
)

// sortText returns a module that sorts arrays of types.
func sortText(comparator, dims string, d int, types ...string) string {
	var params, entry strings.Builder
	var names, shapes []string
	for k, typ := range types {
		for j := range 2 {
			fmt.Fprintf(&params, "  %c = %s[] parameter(%d)\n", 'a'+2*k+j, typ, 2*k+j)
		}
		names, shapes = append(names, fmt.Sprintf("p%d", k)), append(shapes, typ+"["+dims+"]")
		fmt.Fprintf(&entry, "  p%d = %s[%s] parameter(%d)\n", k, typ, dims, k)
	}
	result := strings.Join(shapes, ", ")
	if len(types) > 1 {
		result = "(" + result + ")"
	}
	return fmt.Sprintf("HloModule m\n\ncmp {\n%s  %s\n}\n\nENTRY e {\n%s  ROOT s = %s sort(%s), dimensions={%d}, "+
		"is_stable=true, to_apply=cmp\n}\n", params.String(), strings.ReplaceAll(comparator, "T[]", types[0]+"[]"),
		entry.String(), result, strings.Join(names, ", "), d)
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name, comparator string
		types            []string
	}{
		{"less", lessThan, strings.Fields("pred s4 u4 s8 u8 s16 u16 s32 u32 s64 u64 f16 bf16 f32 f64 f8e5m2 f8e4m3 f8e3m4")},
		{"greater", greater, strings.Fields("pred s8 u8 s16 s32 u32 s64 u64 f16 bf16 f32 f64 f8e5m2")},
		{"total", totalLess, strings.Fields("f16 bf16 f32 f64 f8e5m2 f8e4m3 f8e3m4 s32")},
		{"total_greater", totalMore, strings.Fields("f16 bf16 f32 f64 f8e5m2 u16")},
		{"loose", loose, strings.Fields("bf16 f32 f64")},
	} {
		for _, typ := range c.types {
			for _, v := range []variety{anyBits, few, special} {
				for _, s := range []struct {
					dims string
					d    int
				}{{"1", 0}, {"33", 0}, {"7,150", 1}, {"150,5", 0}, {"3,50,20", 1}, {"2,0", 1}} {
					for _, types := range [][]string{{typ}, {typ, "s32"}, {typ, "c128", "u8"}} {
						i := parse(t, sortText(c.comparator, s.dims, s.d, types...))
						t.Run(fmt.Sprintf("%s_%v_%d_%s", c.name, types, v, s.dims), func(t *testing.T) {
							compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
						})
					}
				}
			}
		}
	}
}

// TestSortByProgram sorts by comparators that are no order of the operands.
func TestSortByProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		name, comparator string
		types            []string
	}{
		{"le", lessEqual, strings.Fields("s32 f32 u8")},
		{"magnitude", byMagnitude, strings.Fields("s32 f32 bf16 f64 f8e4m3fn")},
		{"modulus", byModulus, []string{"c64"}},
		{"complex", complexLess, []string{"c64"}},
		{"less", lessThan, strings.Fields("f8e4m3fn f4e2m1fn f6e3m2fn")},
	} {
		for _, typ := range c.types {
			for _, v := range []variety{anyBits, few, special} {
				for _, s := range []struct {
					dims string
					d    int
				}{{"1", 0}, {"33", 0}, {"7,150", 1}, {"1500,5", 0}, {"3,50,20", 1}, {"2,0", 1}, {"3000,2", 1}} {
					i := parse(t, sortText(c.comparator, s.dims, s.d, typ, "s16"))
					t.Run(fmt.Sprintf("%s_%v_%d_%s", c.name, typ, v, s.dims), func(t *testing.T) {
						compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
					})
				}
			}
		}
	}
}

func TestSortByTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, types := range [][]string{{"f32", "s32"}, {"f64", "u8"}, {"s16", "s64"}, {"bf16", "f32"}, {"f32", "f64", "u16"},
		{"s64", "u64"}} {
		for _, v := range []variety{few, special, numbers} {
			for _, dims := range []string{"20", "300", "2,400"} {
				for k, comparator := range []string{tieBreak, looseTwo, totalTie} {
					if k == 1 && types[0][0] == 's' {
						continue
					}
					i := parse(t, sortText(comparator, dims, strings.Count(dims, ","), types...))
					t.Run(fmt.Sprintf("%d_%v_%d_%s", k, types, v, dims), func(t *testing.T) {
						compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
					})
				}
			}
		}
	}
}

// TestSortLong sorts rows that several threads work on.
func TestSortLong(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, types := range [][]string{{"f32"}, {"u8"}, {"s64"}, {"f32", "s32"}, {"f64", "s32"}} {
		for _, v := range []variety{anyBits, few} {
			if v == anyBits && types[0][0] == 'f' {
				v = numbers
			}
			i := parse(t, sortText(lessThan, "2,70000", 1, types...))
			t.Run(fmt.Sprintf("%v_%d", types, v), func(t *testing.T) {
				compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
			})
		}
	}
}

// TestSortNarrow sorts elements that are counted, or ordered by digits, with and without others that go along, long
// rows on several threads; with numbers that are equal to others, and without.
func TestSortNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		comparator string
		types      []string
	}{
		{loose, strings.Fields("bf16 f16 f8e5m2")},
		{totalMore, strings.Fields("f16 s8")},
		{lessThan, strings.Fields("s16 u16 pred u8 bf16")},
	} {
		for _, typ := range c.types {
			for k, dims := range []string{"20,300", "90,7", "1,17000", "1,66000"} {
				for _, types := range [][]string{{typ}, {typ, "s32"}, {"f32", typ}}[:3-k/2] {
					for _, v := range []variety{special, few, numbers}[:3-k/2] {
						i := parse(t, sortText(c.comparator, dims, 1, types...))
						t.Run(fmt.Sprintf("%v_%d_%s", types, v, dims), func(t *testing.T) {
							compare(t, i, randomArgs(r, i, v), literal.Tolerance{})
						})
					}
				}
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, c := range []struct {
		name, comparator, dims string
		d                      int
		types                  []string
	}{
		{"1M_f32", lessThan, "1048576", 0, []string{"f32"}},
		{"1M_loose_f32", loose, "1048576", 0, []string{"f32"}},
		{"1M_s64", lessThan, "1048576", 0, []string{"s64"}},
		{"pairs_1M_f32", lessThan, "1048576", 0, []string{"f32", "s32"}},
		{"pairs_1M_f64", lessThan, "1048576", 0, []string{"f64", "s32"}},
		{"argsort_1M_f32", lessThan, "1048576", 0, []string{"f32", "s32"}},
		{"argsort_1M_f64", lessThan, "1048576", 0, []string{"f64", "s32"}},
		{"1M_f16", lessThan, "1048576", 0, []string{"f16"}},
		{"argsort_1M_u8", lessThan, "1048576", 0, []string{"u8", "s32"}},
		{"argsort_1M_f16", loose, "1048576", 0, []string{"f16", "s32"}},
		{"rows_1000x1000_f32", lessThan, "1000,1000", 1, []string{"f32"}},
		{"columns_1000x1000_f32", lessThan, "1000,1000", 0, []string{"f32"}},
		{"rows_100000x10_f32", lessThan, "100000,10", 1, []string{"f32"}},
		{"by_program_1M_f32", byMagnitude, "1048576", 0, []string{"f32"}},
		{"by_program_rows_1000x1000_f32", byMagnitude, "1000,1000", 1, []string{"f32"}},
		{"tie_break_1M_f32_s32", tieBreak, "1048576", 0, []string{"f32", "s32"}},
		{"two_keys_1M_f32_s32", looseTwo, "1048576", 0, []string{"f32", "s32"}},
		{"argsort_rows_1000x1000_f32", lessThan, "1000,1000", 1, []string{"f32", "s32"}},
	} {
		text := sortText(c.comparator, c.dims, c.d, c.types...)
		if strings.HasPrefix(c.name, "argsort") {
			text = strings.Replace(text, "p1 = s32["+c.dims+"] parameter(1)",
				fmt.Sprintf("p1 = s32[%s] iota(), iota_dimension=%d", c.dims, c.d), 1)
		}
		b.Run(c.name, func(b *testing.B) { benchmark(b, text, numbers) })
	}
}

// TestArgsort sorts with indices as the second operand, of several types and along either dimension.
func TestArgsort(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, typ := range strings.Fields("f32 s8 bf16 f64 f8e5m2 u32") {
		for _, index := range strings.Fields("s32 u64 f32 s16") {
			for _, d := range []int{0, 1} {
				for _, along := range []int{0, 1} {
					text := sortText(lessThan, "70,90", d, typ, index)
					text = strings.Replace(text, fmt.Sprintf("p1 = %s[70,90] parameter(1)", index),
						fmt.Sprintf("p1 = %s[70,90] iota(), iota_dimension=%d", index, along), 1)
					i := parse(t, text)
					iota := literal.New(i.Operand(1).Shape())
					for k := range iota.Len() {
						at := []int{k / 90, k % 90}[along]
						if iota.Shape().Type.IsFloat() {
							iota.SetFloat(k, float64(at))
						} else {
							iota.SetInt(k, int64(at))
						}
					}
					for _, v := range []variety{few, special} {
						compare(t, i, []literal.Literal{random(r, i.Operand(0).Shape(), v), iota}, literal.Tolerance{})
					}
				}
			}
		}
	}
}

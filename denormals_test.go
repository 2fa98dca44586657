package xla_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// flushing are programs of the type T on an array x of 64x64 equal numbers. The second of each is how much larger each
// number of the result is; the numbers are denormal before or after.
var flushing = []struct {
	name, text string
	factor     float64
}{
	{"operands", `
  c = T[] constant(512)
  b = T[64,64] broadcast(c), dimensions={}
  ROOT r = T[64,64] multiply(x, b)`, 512},
	{"results", `
  c = T[] constant(0.25)
  b = T[64,64] broadcast(c), dimensions={}
  ROOT r = T[64,64] multiply(x, b)`, 0.25},
	{"product", `
  c = T[] constant(1)
  b = T[64,64] broadcast(c), dimensions={}
  ROOT r = T[64,64] dot(x, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}`, 64},
	{"convolution", `
  y = T[1,8,8,64] reshape(x)
  c = T[] constant(1)
  b = T[1,1,64,64] broadcast(c), dimensions={}
  z = T[1,8,8,64] convolution(y, b), window={size=1x1}, dim_labels=b01f_01io->b01f
  ROOT r = T[64,64] reshape(z)`, 64},
}

// TestFlushDenormals: numbers below the smallest normal one are zeros in arithmetic where that is allowed.
func TestFlushDenormals(t *testing.T) {
	tier, err := exec.HostTier(os.Getenv(exec.TierEnv))
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []struct {
		name     string
		typ      shape.ElementType
		denormal float64
		normal   float64
	}{
		{"f32", shape.F32, 0x1p-140, 0x1p-126},
		{"f64", shape.F64, 0x1p-1060, 0x1p-1022},
		{"bf16", shape.BF16, 0x1p-132, 0x1p-126},
	} {
		for _, p := range flushing {
			x := typ.denormal
			if p.name == "results" {
				x = typ.normal
			}
			in := literal.New(shape.Make(typ.typ, 64, 64))
			for i := range 64 * 64 {
				in.SetFloat(i, x)
			}
			text := "HloModule m\n\nENTRY main {\n  x = T[64,64] parameter(0)" + p.text + "\n}\n"
			for _, flush := range []bool{false, true} {
				want := x * p.factor
				if flush && tier > exec.Portable {
					want = 0
				}
				out := runFlushing(t, strings.ReplaceAll(text, "T[", typ.name+"["), flush, in)[0]
				for i := range 64 * 64 {
					if got := out.FloatAt(i); got != want {
						t.Fatalf("%s of %s, flush %v: element %d: got %g, want %g", p.name, typ.name, flush, i, got, want)
					}
				}
			}
		}
	}
}

func runFlushing(t *testing.T, text string, flush bool, in ...literal.Literal) []literal.Literal {
	t.Helper()
	client := newClient(t, xla.Options{Backend: xla.CPU(), FlushDenormals: flush})
	exe, err := client.Compile(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Run(t.Context(), in...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFlushDenormalsNarrow: numbers of narrower types, which are normal in f32, stay what they are, and so do the bits
// of integers.
func TestFlushDenormalsNarrow(t *testing.T) {
	const text = `HloModule m

ENTRY main {
  x = BITS[N] parameter(0)
  y = TYPE[N] bitcast-convert(x)
  z = f32[N] convert(y)
  one = f32[] constant(1)
  ones = f32[N] broadcast(one), dimensions={}
  w = f32[N] multiply(z, ones)
  back = TYPE[N] convert(w)
  bits = BITS[N] bitcast-convert(back)
  wide = u32[N] convert(x)
  sum = u32[N] add(wide, wide)
  same = f32[N] bitcast-convert(sum)
  turned = f32[N] reverse(same), dimensions={0}
  ROOT r = (f32[N], BITS[N], f32[N]) tuple(w, bits, turned)
}`
	for name, bits := range map[string]shape.ElementType{"f8e5m2": shape.U8, "f8e4m3": shape.U8, "f8e4m3fn": shape.U8,
		"f8e4m3b11fnuz": shape.U8, "f8e5m2fnuz": shape.U8, "f8e4m3fnuz": shape.U8, "f8e3m4": shape.U8, "f16": shape.U16} {
		n := 1 << bits.Bits()
		in := literal.New(shape.Make(bits, n))
		for i := range n {
			in.SetInt(i, int64(i))
		}
		named := strings.NewReplacer("TYPE", name, "BITS", bits.String(), "[N]", fmt.Sprintf("[%d]", n)).Replace(text)
		keep, flush := runFlushing(t, named, false, in), runFlushing(t, named, true, in)
		for k := range keep {
			for i := range n {
				if got, want := flush[k].BitsAt(i), keep[k].BitsAt(i); got != want {
					t.Fatalf("%s: result %d, element %d: got bits %#x, want %#x", name, k, i, got, want)
				}
			}
		}
	}
}

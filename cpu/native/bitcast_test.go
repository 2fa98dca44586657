package native_test

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/literal"
)

func TestBitcast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{
		"p = u32[2,3] parameter(0)\n  ROOT r = u16[2,3,2] bitcast-convert(p)",
		"p = s8[2,3,8] parameter(0)\n  ROOT r = f64[2,3] bitcast-convert(p)",
		"p = f32[3,4] parameter(0)\n  ROOT r = s32[2,6] bitcast(p)",
		"p = f32[3,4] parameter(0)\n  ROOT r = f32[4,3]{0,1} bitcast(p)",
		"p = f32[3,4]{0,1} parameter(0)\n  ROOT r = u32[4,3]{1,0} bitcast(p)",
		"p = u8[2,3,4]{1,2,0} parameter(0)\n  ROOT r = u8[6,4]{0,1} bitcast(p)",
	} {
		i := parse(t, "HloModule m\n\nENTRY e {\n  "+text+"\n}\n")
		args := randomArgs(r, i, anyBits)
		for k := range args { // values are row-major whatever the layout
			args[k] = args[k].RowMajor()
		}
		compare(t, i, args, literal.Tolerance{})
	}
}

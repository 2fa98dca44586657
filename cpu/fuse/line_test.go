package fuse_test

import (
	"strings"
	"testing"
)

// TestLine: what is rolled as a line is computed in one loop over the line, unless something is read in another order.
func TestLine(t *testing.T) {
	const text = `HloModule m
ENTRY main {
  x = f32[30,41] parameter(0)
  y = f32[DIMS] parameter(1)
  line = f32[1230] reshape(x)
  rest = f32[1229] slice(line), slice={[1:1230]}
  first = f32[1] slice(line), slice={[0:1]}
  joined = f32[1230] concatenate(rest, first), dimensions={0}
  moved = f32[30,41] reshape(joined)
  z = f32[30,41] OTHER
  ROOT o = f32[30,41] add(moved, z)
}`
	for _, c := range []struct {
		dims, other string
		want        bool
	}{
		{"30,41", "negate(y)", true}, {"", "broadcast(y), dimensions={}", true},
		{"41", "broadcast(y), dimensions={1}", false}, {"30", "broadcast(y), dimensions={0}", false},
		{"41,30", "transpose(y), dimensions={1,0}", false}, {"", "iota(), iota_dimension=0", false},
	} {
		_, kernel := codeOf(t, strings.NewReplacer("DIMS", c.dims, "OTHER", c.other).Replace(text), false)
		if got := strings.Contains(kernel.Nest.String(), "lanes i0 < 1230"); got != c.want {
			t.Errorf("%s: one line: %t\n%s", c.other, got, kernel.Nest)
		}
	}
}

package op

import (
	"errors"
	"testing"
)

// The rules and worked shapes of OPS.md section 1 and of XLA's page on broadcasting.
func TestBroadcastShapes(t *testing.T) {
	for _, c := range []struct {
		lhs, rhs string
		dims     []int
		want     string // or "!" and the label
	}{
		{"f32[2,3]", "f32[2,3]", nil, "f32[2,3]"},
		{"f32[2,3]", "f32[2,3]", list(0, 1), "f32[2,3]"},
		{"f32[]", "f32[2,3]", nil, "f32[2,3]"},
		{"f32[2,3]", "f32[]", nil, "f32[2,3]"},
		{"f32[2,1]", "f32[1,3]", nil, "f32[2,3]"},
		{"f32[2,3]", "f32[3]", list(1), "f32[2,3]"},
		{"f32[2]", "f32[2,3]", list(0), "f32[2,3]"},
		{"f32[4]", "f32[1,2]", list(0), "f32[4,2]"},
		{"f32[1,2]", "f32[4,3,1]", list(1, 2), "f32[4,3,2]"},
		{"f32[2,3]{0,1}", "f32[2,3]", nil, "f32[2,3]"},
		{"bf16[2]", "f32[2]", nil, "f32[2]"},
		{"f32[<=4,1]", "f32[1,3]", nil, "f32[<=4,3]"},
		{"f32[?]", "f32[1]", nil, "f32[?]"},
		{"f32[?]", "f32[7]", nil, "f32[7]"},
		{"f32[7,2,5]", "f32[7,2,6]", nil, "!_o2"},
		{"f32[2,3]", "f32[4,3]", nil, "!_o2"},
		{"f32[2,3]", "f32[3]", list(0), "!_o2"},
		{"f32[2,3]", "f32[3]", nil, "!_o1"},
		{"f32[2,3]", "f32[3]", list(0, 1), "!_o1"},
		{"f32[2,3]", "f32[3]", list(2), "!_o1"},
		{"f32[2,3]", "f32[3]", list(-1), "!_o1"},
		{"f32[2,3,4]", "f32[3,2]", list(1, 0), "!_o1"},
		{"f32[2,3]", "f32[2,3]", list(1, 0), "!_o1"},
		{"f32[2]", "s32[2]", nil, "!_c1"},
		{"f32[2]", "(f32[2])", nil, "!_i1"},
	} {
		got, err := BroadcastShapes(mustShape(t, c.lhs), mustShape(t, c.rhs), c.dims)
		if c.want[0] == '!' {
			if e, ok := errors.AsType[*Error](err); !ok || e.Label != c.want[1:] {
				t.Errorf("BroadcastShapes(%s, %s, %v) = %v, %v, want error %s", c.lhs, c.rhs, c.dims, got, err, c.want[1:])
			}
			continue
		}
		if err != nil || !got.Equal(mustShape(t, c.want)) {
			t.Errorf("BroadcastShapes(%s, %s, %v) = %v, %v, want %s", c.lhs, c.rhs, c.dims, got, err, c.want)
		}
	}
}

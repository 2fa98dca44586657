package pass_test

import (
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
)

// TestLocalizeOnlyReads: what Localize is given may be read by others, the memory behind its lists too.
func TestLocalizeOnlyReads(t *testing.T) {
	m, err := hlotext.Parse(`HloModule m, num_partitions=2

ENTRY e {
  x = f32[4] parameter(0)
  ROOT r = (f32[4]) tuple(x), sharding={{replicated}}
}
`, hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := m.Entry().Root().Sharding
	elems := append(make([]op.Sharding, 0, 2), s.Elems...)
	s.Elems = elems
	behind := &elems[:2][1]
	behind.Kind = op.ShardingManual
	if _, err := pass.Localize(t.Context(), m, 1, 2); err != nil {
		t.Fatal(err)
	}
	if behind.Kind != op.ShardingManual {
		t.Error("wrote behind the list of shardings")
	}
}

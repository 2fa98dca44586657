package pass

import (
	"testing"

	"github.com/goxla/xla/hlo"
)

// TestSeen: what shares a list with others is found by its hash, in the order in which it was added.
func TestSeen(t *testing.T) {
	const count = 100
	s := &seen{}
	s.reset(2 * count)
	s.add(1, &hlo.Instruction{}) // forgotten
	s.reset(count)
	added := map[uint64][]*hlo.Instruction{}
	for n := range uint64(count) {
		h := n % 7 << 40 // few hashes, which differ in high bits only
		i := &hlo.Instruction{}
		s.add(h, i)
		added[h] = append(added[h], i)
	}
	for h, want := range added {
		var got []*hlo.Instruction
		for k := s.first[s.bucket(h)]; k > 0; k = s.list[k-1].next {
			if s.list[k-1].hash == h {
				got = append(got, s.list[k-1].inst)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("hash %x: expected %d instructions, got %d", h, len(want), len(got))
		}
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("hash %x: expected %p as number %d, got %p", h, want[k], k, got[k])
			}
		}
	}
}

package exec

import (
	"bytes"
	"fmt"
	"testing"
)

// TestCopy: what begins and ends anywhere is copied, all of it and nothing else, and so is what overlaps.
func TestCopy(t *testing.T) {
	const room = mostAhead + leastAhead + 1000
	from := make([]byte, room)
	for k := range from {
		from[k] = byte(k % 251)
	}
	to := make([]byte, room)
	for _, c := range []struct{ at, of, n int }{{0, 0, 0}, {0, 3, 1}, {17, 5, 255}, {64, 0, 256}, {1, 0, 257},
		{3, 70, leastAhead}, {0, 0, mostAhead}, {255, 256, mostAhead + 300}, {100, 1, mostAhead + leastAhead + 77}} {
		for _, f := range []func(to, from []byte){Copy, copyInPartsOnHost} {
			clear(to)
			f(to[c.at:c.at+c.n], from[c.of:c.of+c.n])
			want := make([]byte, room)
			copy(want[c.at:], from[c.of:c.of+c.n])
			if !bytes.Equal(to, want) {
				t.Errorf("%d bytes from %d to %d: other bytes", c.n, c.of, c.at)
			}
		}
	}
	want := bytes.Clone(from)
	copy(want[1000:], want[:leastAhead])
	if Copy(from[1000:1000+leastAhead], from[:leastAhead]); !bytes.Equal(from, want) {
		t.Error("a copy over its own beginning: other bytes")
	}
}

// copyInPartsOnHost is copyInParts where there is AVX.
func copyInPartsOnHost(to, from []byte) {
	if len(to) == 0 || Host().Tier() == Portable {
		copy(to, from)
		return
	}
	copyInParts(to, from)
}

func BenchmarkCopy(b *testing.B) {
	for _, n := range []int{256 << 10, 1 << 20, 4 << 20, 16 << 20} {
		to, from := make([]byte, n), make([]byte, n)
		b.Run(fmt.Sprintf("%dK", n>>10), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				Copy(to, from)
			}
		})
	}
}

package blocks

import (
	"sync"
	"testing"
)

// TestPool: who takes a block has it alone, and has as many bytes as were asked for.
func TestPool(t *testing.T) {
	var p Pool
	if b := p.Get(64); b != nil {
		t.Errorf("an empty pool: got %d bytes", len(b))
	}
	p.Put(nil)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 1000 {
				n := 64 << (i % 3)
				b := p.Get(n)
				if b == nil {
					b = make([]byte, n)
				}
				if len(b) != n {
					t.Errorf("got %d bytes, want %d", len(b), n)
				}
				for k := range b {
					b[k] = byte(g)
				}
				for k := range b {
					if b[k] != byte(g) {
						t.Errorf("byte %d of a block of %d has another owner", k, n)
						return
					}
				}
				p.Put(b)
			}
		})
	}
	wg.Wait()
	p.Put(make([]byte, 32))
	p.Clear()
	if b := p.Get(32); b != nil {
		t.Error("a pool that was cleared has memory")
	}
}

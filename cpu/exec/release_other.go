//go:build !amd64 || race

package exec

import "sync/atomic"

// release64 and release32 store: elsewhere that waits for nothing anyhow, or is nothing that counts.
func release64(p *atomic.Int64, v int64)   { p.Store(v) }
func release32(p *atomic.Uint32, v uint32) { p.Store(v) }

//go:build !race

package exec

import "sync/atomic"

// release64 is p.Store(v) that does not wait until others know: what this thread has written before is seen by whoever
// sees v. Several such stores wait for their lines of other caches at the same time.
//
//go:noescape
func release64(p *atomic.Int64, v int64)

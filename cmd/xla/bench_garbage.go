package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// How often the collector of garbage goes through what is alive while a program is measured: what it does for one
// result is to be little beside the run that made it, but memory is to come back while the caches have it, and memory
// that the system has yet to map is dearer still.
const (
	// runsBetween is how many results there may be for one collection.
	runsBetween = 5
	// mostHeap is the largest heap that is let grow for that.
	mostHeap = 16 << 20
	// leastHeap is the heap that the collector leaves alone if GOGC is 100.
	leastHeap = 4 << 20
)

// collectFor sets GOGC for runs with so many bytes of results where live bytes stay on the heap. It returns what
// takes that back.
func collectFor(results, live int64) (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percentFor(results, live))
	return func() { debug.SetGCPercent(before) }
}

// percentFor is GOGC for runs with so many bytes of results where live bytes stay on the heap. The collector begins
// with what is alive and as many percent of it, or with so many percent of leastHeap if that is more.
func percentFor(results, live int64) int {
	garbage := min(runsBetween*results, mostHeap-live)
	percent := min(100*garbage/max(live, 1), 100*(garbage+live)/leastHeap)
	return int(max(percent, garbagePercent))
}

// liveHeap is how much the last collection of garbage left.
func liveHeap() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

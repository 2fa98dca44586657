package rates

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
)

// TestMeasure: every rate is there and is one that machines have.
func TestMeasure(t *testing.T) {
	tier := exec.Host().Tier()
	r, err := Measure(tier, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v: %+v", tier, r)
	for _, b := range r.Copy {
		if b.GBs < 0.01 || b.GBs > 10_000 {
			t.Errorf("copy of %d bytes: %g GB/s", b.Bytes, b.GBs)
		}
	}
	if len(r.Copy) != len(sizes) {
		t.Errorf("%d copies", len(r.Copy))
	}
	if tier != exec.Portable && (r.GFlops < 1 || r.GFlops > 10_000 || r.LatencyNS < 0.2 || r.LatencyNS > 50) {
		t.Errorf("%g GF/s, latency %g ns", r.GFlops, r.LatencyNS)
	}
	if r, err := Measure(exec.Portable, 2); err != nil || r.GFlops != 0 || r.LatencyNS != 0 || len(r.Copy) == 0 {
		t.Errorf("portable: %+v, %v", r, err)
	}
}

func TestAt(t *testing.T) {
	r := Rates{Copy: []Bandwidth{{100, 50}, {200, 30}, {300, 10}}}
	for bytes, want := range map[float64]float64{0: 50, 100: 50, 150: 40, 200: 30, 275: 15, 1000: 10} {
		if got := r.At(bytes); got != want {
			t.Errorf("At(%g) = %g, want %g", bytes, got, want)
		}
	}
	if got := (Rates{}).At(5); got != 0 {
		t.Errorf("nothing measured: %g", got)
	}
}

func TestMerge(t *testing.T) {
	a := Rates{GFlops: 3, LatencyNS: 2, Copy: []Bandwidth{{1, 5}, {2, 4}}}
	b := Rates{GFlops: 2, LatencyNS: 1, Copy: []Bandwidth{{1, 4}, {2, 6}}}
	got := a.Merge(b)
	if got.GFlops != 3 || got.LatencyNS != 1 || got.Copy[0].GBs != 5 || got.Copy[1].GBs != 6 || a.Copy[1].GBs != 4 {
		t.Errorf("got %+v", got)
	}
	if got := (Rates{}).Merge(b); got.GFlops != 2 || got.LatencyNS != 1 || len(got.Copy) != 2 {
		t.Errorf("got %+v", got)
	}
}

package exec

import (
	"errors"
	"testing"
)

func TestTiers(t *testing.T) {
	for _, tier := range []Tier{Portable, AVX2, AVX512, AMX} {
		if got, err := ParseTier(tier.String()); got != tier || err != nil {
			t.Errorf("%v: got %v, %v", tier, got, err)
		}
		if got, err := HostTier(tier.String()); got > tier || err != nil {
			t.Errorf("limit %v: got %v, %v", tier, got, err)
		}
	}
	for _, name := range []string{"AVX2", "sse", " avx2"} {
		if _, err := ParseTier(name); err == nil {
			t.Errorf("%q: expected an error", name)
		}
		if _, err := HostTier(name); err == nil {
			t.Errorf("limit %q: expected an error", name)
		}
	}
	if got := []int{Portable.VectorBytes(), AVX2.VectorBytes(), AVX512.VectorBytes(), AMX.VectorBytes()}; got[0] != 0 ||
		got[1] != 32 || got[2] != 64 || got[3] != 64 {
		t.Errorf("vector sizes: got %v", got)
	}
	if got, want := Tier(9).String(), "Tier(9)"; got != want {
		t.Errorf("expected %q, got %q", want, got)
	}
}

func TestHost(t *testing.T) {
	f := Host()
	t.Logf("%+v, %d cores, tier %v, %d threads", f, f.Cores(), f.Tier(), DefaultThreads())
	if f.L1D < 4<<10 || f.L2 < f.L1D || f.L3 < f.L1D {
		t.Errorf("caches: got %d, %d, %d bytes", f.L1D, f.L2, f.L3)
	}
	if f.Cores() < 1 || f.ThreadsPerCore < 1 || DefaultThreads() < 1 {
		t.Errorf("got %d cores of %d threads, %d threads", f.Cores(), f.ThreadsPerCore, DefaultThreads())
	}
	tier, err := HostTier("")
	if err != nil || tier > f.Tier() {
		t.Errorf("tier: expected at most %v, got %v, %v", f.Tier(), tier, err)
	}
	if err := EnableAMX(); err != nil && !errors.Is(err, ErrNoAMX) || err == nil && !f.AMXTile {
		t.Errorf("AMX: got %v with tiles %v", err, f.AMXTile)
	}
}

// TestKnownFor: only the processors that are known for it have an L3 that takes results faster than memory, or divide
// quickly.
func TestKnownFor(t *testing.T) {
	for _, c := range []struct {
		f    Features
		want int
	}{
		{Features{Vendor: "AuthenticAMD", AVX512: true, L3: 32 << 20}, 32 << 20},
		{Features{Vendor: "AuthenticAMD", L3: 32 << 20}, 0},
		{Features{Vendor: "GenuineIntel", AVX512: true, L3: 105 << 20}, 0},
	} {
		if got := c.f.NearL3(); got != c.want {
			t.Errorf("%+v: expected %d, got %d", c.f, c.want, got)
		}
		if got := c.f.QuickDivision(); got != (c.want > 0) {
			t.Errorf("%+v: quick divisions: got %v", c.f, got)
		}
	}
}

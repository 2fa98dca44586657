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

// TestKnownFor: only the processors that are known for it have an L3 that takes results faster than memory, or is far
// away, divide quickly, gather slowly, or have code ask for what comes from memory.
func TestKnownFor(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		f        Features
		one, two int // bytes near one thread, and two
		quick    bool
		far      bool
		ask      int // bytes that are asked for
	}{
		{Features{Vendor: "AuthenticAMD", AVX512: true, L3: 32 * mb}, 12 * mb, 32 * mb, true, false, 24 * mb},
		{Features{Vendor: "AuthenticAMD", L3: 32 * mb}, 9 * mb, 12 * mb, false, false, 0},
		{Features{Vendor: "GenuineIntel", AVX512: true, AVX512VBMI2: true, L3: 105 * mb}, 0, 0, false, false, 0},
		{Features{Vendor: "GenuineIntel", AVX512: true, AVX512VNNI: true, L3: 36 * mb}, 18 * mb, 18 * mb, false, true, 0},
		{Features{Vendor: "GenuineIntel", L3: 8 * mb}, 0, 0, false, false, 0},
	} {
		if one, two := c.f.NearL3(1), c.f.NearL3(2); one != c.one || two != c.two {
			t.Errorf("%+v: expected %d and %d, got %d and %d", c.f, c.one, c.two, one, two)
		}
		if got := c.f.AskFrom(); got != c.ask {
			t.Errorf("%+v: asked for from %d bytes on, expected %d", c.f, got, c.ask)
		}
		if got := c.f.QuickDivision(); got != c.quick {
			t.Errorf("%+v: quick divisions: got %v", c.f, got)
		}
		if got := c.f.FarL3(); got != c.far {
			t.Errorf("%+v: a last cache that is far away: got %v", c.f, got)
		}
	}
	if !(Features{Vendor: "AuthenticAMD"}).AsksRows() || (Features{Vendor: "GenuineIntel", AVX512: true}).AsksRows() {
		t.Error("rows read in turns: expected lines to be asked for on processors of AMD only")
	}
	for _, f := range []Features{{Vendor: "AuthenticAMD", AVX512: true}, {Vendor: "GenuineIntel", AVXVNNI: true}} {
		if f.SlowGather() || !(Features{Vendor: "GenuineIntel", AVX512VBMI2: true}).SlowGather() {
			t.Errorf("%+v: slow gathers: got %v", f, f.SlowGather())
		}
	}
	const l1 = 32 << 10
	amd, intel := Features{Vendor: "AuthenticAMD", L1D: l1}, Features{Vendor: "GenuineIntel", L1D: l1}
	if amd.AheadFrom() != l1 ||
		intel.AheadFrom() != 0 {
		t.Error("rows of the second cache: expected them to be asked for on processors of AMD only")
	}
	zen4 := Features{Vendor: "AuthenticAMD", AVX512: true}
	for _, f := range []Features{{Vendor: "AuthenticAMD", AVX512: true, AVXVNNI: true},
		{Vendor: "GenuineIntel", AVX512: true}, {Vendor: "AuthenticAMD"}} {
		if f.HalfVectors() || !zen4.HalfVectors() {
			t.Errorf("%+v: vectors in halves: got %v", f, f.HalfVectors())
		}
	}
}

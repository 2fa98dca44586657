package exec

import (
	"fmt"
	"slices"
	"strings"
)

// A Tier is a level of machine code. A higher tier may use all of a lower one.
type Tier uint8

// The tiers, lowest first.
const (
	Portable Tier = iota // no machine code: the Go executor
	AVX2                 // AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT: 16 registers of 32 bytes
	AVX512               // and AVX-512 F, BW, CD, DQ, VL: 32 registers of 64 bytes, opmasks
	AMX                  // and AMX tiles with the int8 or the bf16 products
)

// TierEnv is the environment variable whose value caps the tier; see [HostTier].
const TierEnv = "XLA_CPU_ISA"

var tierNames = [...]string{Portable: "portable", AVX2: "avx2", AVX512: "avx512", AMX: "amx"}

// String returns the name of t as ParseTier reads it.
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("Tier(%d)", t)
}

// VectorBytes returns the size of a vector register: 32 or 64, and 0 for Portable.
func (t Tier) VectorBytes() int {
	switch t {
	case Portable:
		return 0
	case AVX2:
		return 32
	}
	return 64
}

// ParseTier returns the tier called name. The error lists the names there are.
func ParseTier(name string) (Tier, error) {
	if i := slices.Index(tierNames[:], name); i >= 0 {
		return Tier(i), nil
	}
	return Portable, fmt.Errorf("CPU tier: expected one of %s, got %q", strings.Join(tierNames[:], ", "), name)
}

// HostTier returns the highest tier that this machine runs and that is not above limit, the value of
// the environment variable [TierEnv]. An empty limit is no limit; the name of no tier is an error.
// AMX needs a permission from the system: HostTier asks for it when the answer depends on it.
func HostTier(limit string) (Tier, error) {
	top := AMX
	if limit != "" {
		var err error
		if top, err = ParseTier(limit); err != nil {
			return Portable, fmt.Errorf("%s: %w", TierEnv, err)
		}
	}
	tier := min(top, Host().Tier())
	if tier == AMX && EnableAMX() != nil {
		tier = AVX512
	}
	return tier, nil
}

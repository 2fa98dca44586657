//go:build xla_emulate && amd64

package exec

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goxla/xla/cpu/asm"
)

// EmulateEnv is the environment variable that names the processor that is emulated: one of [processors], or host for
// that of the machine. Without it all features are there.
const EmulateEnv = "XLA_EMULATE"

const (
	intel = "GenuineIntel"
	amd   = "AuthenticAMD"
)

// processors are those whose features, or whose kind, make another choice of code.
var processors = map[string]Features{
	"skylake": {Vendor: intel, AVX2: true, AVX512: true, L1D: 32 << 10, L2: 1 << 20, L3: 36 << 20},
	"cascadelake": {Vendor: intel, AVX2: true, AVX512: true, AVX512VNNI: true, L1D: 32 << 10, L2: 1 << 20,
		L3: 36 << 20},
	"icelake": wide(Features{Vendor: intel, L1D: 48 << 10, L2: 5 << 18, L3: 48 << 20}),
	"zen4":    wide(Features{Vendor: amd, AVX512BF16: true, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20}),
	"zen5":    wide(Features{Vendor: amd, AVX512BF16: true, AVXVNNI: true, L1D: 48 << 10, L2: 1 << 20, L3: 32 << 20}),
	"sapphirerapids": wide(Features{Vendor: intel, AVX512BF16: true, AVX512FP16: true, AVXVNNI: true, AMXTile: true,
		AMXBF16: true, AMXInt8: true, L1D: 48 << 10, L2: 2 << 20, L3: 105 << 20}),
	"graniterapids": wide(Features{Vendor: intel, AVX512BF16: true, AVX512FP16: true, AVXVNNI: true, AMXTile: true,
		AMXBF16: true, AMXInt8: true, AMXFP16: true, L1D: 48 << 10, L2: 2 << 20, L3: 480 << 20}),
}

// wide adds to f what all processors since Ice Lake and Zen 4 have.
func wide(f Features) Features {
	f.AVX2, f.AVX512 = true, true
	f.AVX512VNNI, f.AVX512IFMA, f.AVX512VBMI, f.AVX512VBMI2, f.AVX512BITALG = true, true, true, true, true
	f.AVX512VPOPCNTDQ, f.GFNI, f.VAES, f.VPCLMULQDQ = true, true, true, true
	return f
}

// presented returns the features of the processor that is emulated.
func presented(host Features) Features {
	name := os.Getenv(EmulateEnv)
	switch name {
	case "host":
		return host
	case "":
		name = "graniterapids"
	}
	f, ok := processors[name]
	if !ok {
		panic(fmt.Sprintf("%s: expected host or one of %s, got %q", EmulateEnv,
			strings.Join(slices.Sorted(maps.Keys(processors)), ", "), name))
	}
	f.Brand, f.ThreadsPerCore = "emulated "+name, host.ThreadsPerCore
	return f
}

// requestTiles grants: the tiles are those of the emulator.
func requestTiles() error { return nil }

// refuses reports whether the processor lacks the instruction.
func refuses(in *asm.Inst) bool { return !has(Host(), in) }

func has(f Features, in *asm.Inst) bool {
	name := in.Op.String()
	switch {
	case strings.HasPrefix(name, "tdpbf16"):
		return f.AMXBF16
	case strings.HasPrefix(name, "tdpfp16"):
		return f.AMXFP16
	case strings.HasPrefix(name, "tdpb"):
		return f.AMXInt8
	case strings.HasPrefix(name, "tile"), strings.HasSuffix(name, "tilecfg"):
		return f.AMXTile
	case in.Op.HasEVEX() && !in.VEX, strings.HasPrefix(name, "k"):
		return f.AVX512 && hasBeyond(f, in.Op, name)
	}
	return f.AVX2
}

// hasBeyond is has of an instruction that may need more than the tier of AVX-512.
func hasBeyond(f Features, op asm.Op, name string) bool {
	switch {
	case strings.HasPrefix(name, "vpdp"):
		return f.AVX512VNNI
	case strings.Contains(name, "bf16"):
		return f.AVX512BF16
	}
	switch op {
	case asm.VPERMB, asm.VPERMI2B, asm.VPERMT2B:
		return f.AVX512VBMI
	case asm.VPCOMPRESSB, asm.VPCOMPRESSW, asm.VPEXPANDB, asm.VPEXPANDW:
		return f.AVX512VBMI2
	case asm.VPOPCNTB, asm.VPOPCNTW:
		return f.AVX512BITALG
	case asm.VPOPCNTD, asm.VPOPCNTQ:
		return f.AVX512VPOPCNTDQ
	}
	return true
}

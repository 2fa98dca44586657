package exec

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Flags like those of two processors, one of each AMX and AVX2.
var (
	emeraldRapids = leaves{
		ecx1: 0xfffa3223, ebx7: 0xf1bf07ab, ecx7: 0x1b415f6e, edx7: 0xffc14410, eax71: 0x00001c30,
		ecxExt: 0x121, xcr0: 0x602e7,
	}
	zen3 = leaves{
		ecx1: 0xfffa3203, ebx7: 0x219c07a9, ecx7: 0x0040068c, edx7: 0x10, ecxExt: 0x004003f3, xcr0: 0x7,
	}
)

// TestTierOfLeaves: a tier needs its instructions and that the system saves its registers.
func TestTierOfLeaves(t *testing.T) {
	for _, test := range []struct {
		name string
		cpu  leaves
		edit func(*leaves)
		want Tier
	}{
		{"emerald rapids", emeraldRapids, func(l *leaves) {}, AMX},
		{"no tile data in XCR0", emeraldRapids, func(l *leaves) { l.xcr0 &^= 1 << 18 }, AVX512},
		{"tiles without products", emeraldRapids, func(l *leaves) { l.edx7 &^= 1<<22 | 1<<25 }, AVX512},
		{"tiles with int8 only", emeraldRapids, func(l *leaves) { l.edx7 &^= 1 << 22 }, AMX},
		{"no opmasks in XCR0", emeraldRapids, func(l *leaves) { l.xcr0 &^= 1 << 5 }, AVX2},
		{"no upper zmm in XCR0", emeraldRapids, func(l *leaves) { l.xcr0 &^= 1 << 7 }, AVX2},
		{"no AVX512DQ", emeraldRapids, func(l *leaves) { l.ebx7 &^= 1 << 17 }, AVX2},
		{"no AVX512VL", emeraldRapids, func(l *leaves) { l.ebx7 &^= 1 << 31 }, AVX2},
		{"XCR0 cannot be read", emeraldRapids, func(l *leaves) { l.xcr0 = 0 }, Portable},
		{"zen 3", zen3, func(l *leaves) {}, AVX2},
		{"no ymm in XCR0", zen3, func(l *leaves) { l.xcr0 = 3 }, Portable},
		{"no FMA", zen3, func(l *leaves) { l.ecx1 &^= 1 << 12 }, Portable},
		{"no F16C", zen3, func(l *leaves) { l.ecx1 &^= 1 << 29 }, Portable},
		{"no BMI2", zen3, func(l *leaves) { l.ebx7 &^= 1 << 8 }, Portable},
		{"nothing", leaves{}, func(l *leaves) {}, Portable},
	} {
		l := test.cpu
		test.edit(&l)
		if !canExec {
			test.want = Portable
		}
		if got := l.features().Tier(); got != test.want {
			t.Errorf("%s: expected %v, got %v", test.name, test.want, got)
		}
	}
}

// TestFeaturesOfLinux: the kernel reads the same flags in its own way.
func TestFeaturesOfLinux(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	field := func(name string) string {
		m := regexp.MustCompile(`(?m)^` + name + `\s*: (.*)$`).FindSubmatch(info)
		if m == nil {
			t.Skipf("/proc/cpuinfo has no %s", name)
		}
		return string(m[1])
	}
	flags, f := strings.Fields(field("flags")), Host()
	has := func(names string) bool {
		for name := range strings.FieldsSeq(names) {
			if !slices.Contains(flags, name) {
				return false
			}
		}
		return true
	}
	for names, got := range map[string]bool{
		"avx2 fma f16c bmi1 bmi2 abm popcnt":          f.AVX2,
		"avx_vnni":                                    f.AVXVNNI,
		"avx512f avx512bw avx512cd avx512dq avx512vl": f.AVX512,
		"avx512_vnni":                                 f.AVX512VNNI,
		"avx512_bf16":                                 f.AVX512BF16,
		"avx512_fp16":                                 f.AVX512FP16,
		"avx512ifma":                                  f.AVX512IFMA,
		"avx512vbmi":                                  f.AVX512VBMI,
		"avx512_vbmi2":                                f.AVX512VBMI2,
		"avx512_bitalg":                               f.AVX512BITALG,
		"avx512_vpopcntdq":                            f.AVX512VPOPCNTDQ,
		"gfni":                                        f.GFNI,
		"vaes":                                        f.VAES,
		"vpclmulqdq":                                  f.VPCLMULQDQ,
		"amx_tile":                                    f.AMXTile,
		"amx_tile amx_bf16":                           f.AMXBF16,
		"amx_tile amx_int8":                           f.AMXInt8,
	} {
		if want := has(names); got != want {
			t.Errorf("%s: the kernel says %v, CPUID %v", names, want, got)
		}
	}
	if f.Vendor != field("vendor_id") || !strings.Contains(field("model name"), f.Brand) {
		t.Errorf("expected %q %q, got %q %q", field("vendor_id"), field("model name"), f.Vendor, f.Brand)
	}
}

package exec

import "strings"

// cpuid executes CPUID with leaf in EAX and sub in ECX.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// xgetbv0 reads XCR0: the register states that the system saves.
func xgetbv0() uint32

// Bits of XCR0.
const (
	stateAVX    = 1<<1 | 1<<2                   // xmm, ymm
	stateAVX512 = stateAVX | 1<<5 | 1<<6 | 1<<7 // opmasks, zmm
	stateTiles  = 1<<17 | 1<<18                 // tile configuration, tile data
)

// leaves holds the answers of CPUID from which features are read. Absent leaves are zero.
type leaves struct {
	ecx1, ebx7, ecx7, edx7, eax71, ecxExt uint32
	xcr0                                  uint32
}

// detect asks CPUID. See Intel SDM volume 2, CPUID, and AMD APM volume 3, appendix E.
func detect() Features {
	top, b, c, d := cpuid(0, 0)
	topExt, _, _, _ := cpuid(0x80000000, 0)
	var l leaves
	_, _, l.ecx1, _ = cpuid(1, 0)
	if l.ecx1>>27&1 == 1 { // OSXSAVE
		l.xcr0 = xgetbv0()
	}
	if top >= 7 {
		var sub uint32
		sub, l.ebx7, l.ecx7, l.edx7 = cpuid(7, 0)
		if sub >= 1 {
			l.eax71, _, _, _ = cpuid(7, 1)
		}
	}
	if topExt >= 0x80000001 {
		_, _, l.ecxExt, _ = cpuid(0x80000001, 0)
	}
	f := l.features()
	f.Vendor = text(b, d, c)
	if topExt >= 0x80000004 {
		f.Brand = brand()
	}
	f.readCaches(top, topExt, l.ecxExt)
	if top >= 0xb {
		// Sub-leaf 0 is the level of hardware threads (level type 1).
		if _, n, level, _ := cpuid(0xb, 0); level>>8&0xff == 1 {
			f.ThreadsPerCore = int(n & 0xffff)
		}
	}
	return f
}

// features reads the flags. Each tier and each feature above it includes the state it needs.
func (l leaves) features() (f Features) {
	f.AVX2 = l.xcr0&stateAVX == stateAVX && all(l.ecx1, 12, 23, 28, 29) && all(l.ebx7, 3, 5, 8) && all(l.ecxExt, 5)
	if !f.AVX2 {
		return f
	}
	f.AVXVNNI = all(l.eax71, 4)
	f.GFNI, f.VAES, f.VPCLMULQDQ = all(l.ecx7, 8), all(l.ecx7, 9), all(l.ecx7, 10)
	f.AMXTile = l.xcr0&stateTiles == stateTiles && all(l.edx7, 24)
	f.AMXBF16 = f.AMXTile && all(l.edx7, 22)
	f.AMXInt8 = f.AMXTile && all(l.edx7, 25)
	f.AMXFP16 = f.AMXTile && all(l.eax71, 21)
	f.AVX512 = l.xcr0&stateAVX512 == stateAVX512 && all(l.ebx7, 16, 17, 28, 30, 31)
	if !f.AVX512 {
		return f
	}
	f.AVX512IFMA = all(l.ebx7, 21)
	f.AVX512VBMI, f.AVX512VBMI2 = all(l.ecx7, 1), all(l.ecx7, 6)
	f.AVX512VNNI, f.AVX512BITALG, f.AVX512VPOPCNTDQ = all(l.ecx7, 11), all(l.ecx7, 12), all(l.ecx7, 14)
	f.AVX512FP16, f.AVX512BF16 = all(l.edx7, 23), all(l.eax71, 5)
	return f
}

// all reports whether every listed bit of word is set.
func all(word uint32, bits ...int) bool {
	for _, b := range bits {
		if word>>b&1 == 0 {
			return false
		}
	}
	return true
}

// readCaches walks the list of caches: leaf 4 of Intel, leaf 0x8000001D of AMD (there if bit 22 of
// ECX of leaf 0x80000001 is set), in one form.
func (f *Features) readCaches(top, topExt, ecxExt uint32) {
	leaf := uint32(4)
	if topExt >= 0x8000001d && all(ecxExt, 22) {
		leaf = 0x8000001d
	} else if top < 4 {
		return
	}
	sizes := map[uint32]*int{1: &f.L1D, 2: &f.L2, 3: &f.L3}
	for sub := range uint32(16) {
		a, b, c, _ := cpuid(leaf, sub)
		kind, level := a&31, a>>5&7
		if kind == 0 {
			return
		}
		if size := sizes[level]; size != nil && kind != 2 { // data or unified
			*size = int(b>>22+1) * int(b>>12&0x3ff+1) * int(b&0xfff+1) * int(c+1)
		}
	}
}

func brand() string {
	var s strings.Builder
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		s.WriteString(text(a, b, c, d))
	}
	return strings.TrimSpace(strings.TrimRight(s.String(), "\x00"))
}

// text reads registers as little-endian characters.
func text(words ...uint32) string {
	var s []byte
	for _, w := range words {
		s = append(s, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return string(s)
}

package asm

// Extension, truncation, packing, permutations, broadcasts.
const (
	opShuffle = opIntEnd
)

// The instructions of this file.
const (
	// Sign and zero extension of the low part of the source.
	VPMOVSXBW = opShuffle + iota
	VPMOVSXBD
	VPMOVSXBQ
	VPMOVSXWD
	VPMOVSXWQ
	VPMOVSXDQ
	VPMOVZXBW
	VPMOVZXBD
	VPMOVZXBQ
	VPMOVZXWD
	VPMOVZXWQ
	VPMOVZXDQ
	// Truncation: plain, with signed and with unsigned saturation.
	VPMOVWB
	VPMOVDB
	VPMOVQB
	VPMOVDW
	VPMOVQW
	VPMOVQD
	VPMOVSWB
	VPMOVSDB
	VPMOVSQB
	VPMOVSDW
	VPMOVSQW
	VPMOVSQD
	VPMOVUSWB
	VPMOVUSDB
	VPMOVUSQB
	VPMOVUSDW
	VPMOVUSQW
	VPMOVUSQD
	// Packing of two vectors with saturation, interleaving; each 128-bit lane on its own.
	VPACKSSWB
	VPACKSSDW
	VPACKUSWB
	VPACKUSDW
	VPUNPCKLBW
	VPUNPCKLWD
	VPUNPCKLDQ
	VPUNPCKLQDQ
	VPUNPCKHBW
	VPUNPCKHWD
	VPUNPCKHDQ
	VPUNPCKHQDQ
	// Permutations within 128-bit lanes.
	VPSHUFB
	VPSHUFD
	VPSHUFLW
	VPSHUFHW
	VPERMILPS
	VPERMILPD
	VPERMILPSI
	VPERMILPDI
	VPALIGNR
	VPBLENDW
	VPBLENDD
	VMOVSHDUP
	VMOVSLDUP
	// Permutations across lanes.
	VPERMD
	VPERMPS
	VPERMQ
	VPERMPD
	VPERMQI
	VPERMPDI
	VPERMB
	VPERMW
	VPERMI2B
	VPERMI2W
	VPERMI2D
	VPERMI2Q
	VPERMI2PS
	VPERMI2PD
	VPERMT2B
	VPERMT2W
	VPERMT2D
	VPERMT2Q
	VPERMT2PS
	VPERMT2PD
	VPERM2F128
	VPERM2I128
	VSHUFF32X4
	VSHUFF64X2
	VSHUFI32X4
	VSHUFI64X2
	VALIGND
	VALIGNQ
	// Insertion and extraction of 128 and 256 bits.
	VINSERTF32X4
	VEXTRACTF32X4
	VINSERTF64X2
	VEXTRACTF64X2
	VINSERTF32X8
	VEXTRACTF32X8
	VINSERTF64X4
	VEXTRACTF64X4
	VINSERTI32X4
	VEXTRACTI32X4
	VINSERTI64X2
	VEXTRACTI64X2
	VINSERTI32X8
	VEXTRACTI32X8
	VINSERTI64X4
	VEXTRACTI64X4
	// Broadcasts of an element, of 128 or 256 bits, of a general register, of an opmask.
	VBROADCASTSS
	VBROADCASTSD
	VPBROADCASTB
	VPBROADCASTW
	VPBROADCASTD
	VPBROADCASTQ
	VBROADCASTF32X4
	VBROADCASTF64X2
	VBROADCASTF32X8
	VBROADCASTF64X4
	VBROADCASTI32X4
	VBROADCASTI64X2
	VBROADCASTI32X8
	VBROADCASTI64X4
	VPBROADCASTBR
	VPBROADCASTWR
	VPBROADCASTDR
	VPBROADCASTQR
	VPMOVM2B
	VPMOVB2M
	VPMOVM2W
	VPMOVW2M
	VPMOVM2D
	VPMOVD2M
	VPMOVM2Q
	VPMOVQ2M
	// Packing of the elements that a mask selects, and the reverse.
	VPCOMPRESSB
	VPCOMPRESSW
	VPCOMPRESSD
	VPCOMPRESSQ
	VCOMPRESSPS
	VCOMPRESSPD
	VPEXPANDB
	VPEXPANDW
	VPEXPANDD
	VPEXPANDQ
	VEXPANDPS
	VEXPANDPD
	VPBLENDMB
	VPBLENDMW
	VPBLENDMD
	VPBLENDMQ
	opShuffleEnd
)

var opShuffleRows = [...]row{
	// Sign and zero extension of the low part of the source.
	VPMOVSXBW - opShuffle: {name: "vpmovsxbw", d: p66 | x0F38 | 0x20 | both | fRM | rV | mH | memHalf},
	VPMOVSXBD - opShuffle: {name: "vpmovsxbd", d: p66 | x0F38 | 0x21 | both | fRM | rV | mQ | memQuarter},
	VPMOVSXBQ - opShuffle: {name: "vpmovsxbq", d: p66 | x0F38 | 0x22 | both | fRM | rV | mE | memEighth},
	VPMOVSXWD - opShuffle: {name: "vpmovsxwd", d: p66 | x0F38 | 0x23 | both | fRM | rV | mH | memHalf},
	VPMOVSXWQ - opShuffle: {name: "vpmovsxwq", d: p66 | x0F38 | 0x24 | both | fRM | rV | mQ | memQuarter},
	VPMOVSXDQ - opShuffle: {name: "vpmovsxdq", d: p66 | x0F38 | 0x25 | both | fRM | rV | mH | memHalf},
	VPMOVZXBW - opShuffle: {name: "vpmovzxbw", d: p66 | x0F38 | 0x30 | both | fRM | rV | mH | memHalf},
	VPMOVZXBD - opShuffle: {name: "vpmovzxbd", d: p66 | x0F38 | 0x31 | both | fRM | rV | mQ | memQuarter},
	VPMOVZXBQ - opShuffle: {name: "vpmovzxbq", d: p66 | x0F38 | 0x32 | both | fRM | rV | mE | memEighth},
	VPMOVZXWD - opShuffle: {name: "vpmovzxwd", d: p66 | x0F38 | 0x33 | both | fRM | rV | mH | memHalf},
	VPMOVZXWQ - opShuffle: {name: "vpmovzxwq", d: p66 | x0F38 | 0x34 | both | fRM | rV | mQ | memQuarter},
	VPMOVZXDQ - opShuffle: {name: "vpmovzxdq", d: p66 | x0F38 | 0x35 | both | fRM | rV | mH | memHalf},
	// Truncation: plain, with signed and with unsigned saturation.
	VPMOVWB - opShuffle:   {name: "vpmovwb", d: pF3 | x0F38 | 0x30 | evex | fMR | rV | mH | memHalf},
	VPMOVDB - opShuffle:   {name: "vpmovdb", d: pF3 | x0F38 | 0x31 | evex | fMR | rV | mQ | memQuarter},
	VPMOVQB - opShuffle:   {name: "vpmovqb", d: pF3 | x0F38 | 0x32 | evex | fMR | rV | mE | memEighth},
	VPMOVDW - opShuffle:   {name: "vpmovdw", d: pF3 | x0F38 | 0x33 | evex | fMR | rV | mH | memHalf},
	VPMOVQW - opShuffle:   {name: "vpmovqw", d: pF3 | x0F38 | 0x34 | evex | fMR | rV | mQ | memQuarter},
	VPMOVQD - opShuffle:   {name: "vpmovqd", d: pF3 | x0F38 | 0x35 | evex | fMR | rV | mH | memHalf},
	VPMOVSWB - opShuffle:  {name: "vpmovswb", d: pF3 | x0F38 | 0x20 | evex | fMR | rV | mH | memHalf},
	VPMOVSDB - opShuffle:  {name: "vpmovsdb", d: pF3 | x0F38 | 0x21 | evex | fMR | rV | mQ | memQuarter},
	VPMOVSQB - opShuffle:  {name: "vpmovsqb", d: pF3 | x0F38 | 0x22 | evex | fMR | rV | mE | memEighth},
	VPMOVSDW - opShuffle:  {name: "vpmovsdw", d: pF3 | x0F38 | 0x23 | evex | fMR | rV | mH | memHalf},
	VPMOVSQW - opShuffle:  {name: "vpmovsqw", d: pF3 | x0F38 | 0x24 | evex | fMR | rV | mQ | memQuarter},
	VPMOVSQD - opShuffle:  {name: "vpmovsqd", d: pF3 | x0F38 | 0x25 | evex | fMR | rV | mH | memHalf},
	VPMOVUSWB - opShuffle: {name: "vpmovuswb", d: pF3 | x0F38 | 0x10 | evex | fMR | rV | mH | memHalf},
	VPMOVUSDB - opShuffle: {name: "vpmovusdb", d: pF3 | x0F38 | 0x11 | evex | fMR | rV | mQ | memQuarter},
	VPMOVUSQB - opShuffle: {name: "vpmovusqb", d: pF3 | x0F38 | 0x12 | evex | fMR | rV | mE | memEighth},
	VPMOVUSDW - opShuffle: {name: "vpmovusdw", d: pF3 | x0F38 | 0x13 | evex | fMR | rV | mH | memHalf},
	VPMOVUSQW - opShuffle: {name: "vpmovusqw", d: pF3 | x0F38 | 0x14 | evex | fMR | rV | mQ | memQuarter},
	VPMOVUSQD - opShuffle: {name: "vpmovusqd", d: pF3 | x0F38 | 0x15 | evex | fMR | rV | mH | memHalf},
	// Packing of two vectors with saturation, interleaving; each 128-bit lane on its own.
	VPACKSSWB - opShuffle:   {name: "vpacksswb", d: p66 | x0F | 0x63 | both | rvm},
	VPACKSSDW - opShuffle:   {name: "vpackssdw", d: p66 | x0F | 0x6B | both | rvm | b32},
	VPACKUSWB - opShuffle:   {name: "vpackuswb", d: p66 | x0F | 0x67 | both | rvm},
	VPACKUSDW - opShuffle:   {name: "vpackusdw", d: p66 | x0F38 | 0x2B | both | rvm | b32},
	VPUNPCKLBW - opShuffle:  {name: "vpunpcklbw", d: p66 | x0F | 0x60 | both | rvm},
	VPUNPCKLWD - opShuffle:  {name: "vpunpcklwd", d: p66 | x0F | 0x61 | both | rvm},
	VPUNPCKLDQ - opShuffle:  {name: "vpunpckldq", d: p66 | x0F | 0x62 | both | rvm | b32},
	VPUNPCKLQDQ - opShuffle: {name: "vpunpcklqdq", d: p66 | x0F | 0x6C | both | rvm | ew1 | b64},
	VPUNPCKHBW - opShuffle:  {name: "vpunpckhbw", d: p66 | x0F | 0x68 | both | rvm},
	VPUNPCKHWD - opShuffle:  {name: "vpunpckhwd", d: p66 | x0F | 0x69 | both | rvm},
	VPUNPCKHDQ - opShuffle:  {name: "vpunpckhdq", d: p66 | x0F | 0x6A | both | rvm | b32},
	VPUNPCKHQDQ - opShuffle: {name: "vpunpckhqdq", d: p66 | x0F | 0x6D | both | rvm | ew1 | b64},
	// Permutations within 128-bit lanes.
	VPSHUFB - opShuffle:    {name: "vpshufb", d: p66 | x0F38 | both | rvm},
	VPSHUFD - opShuffle:    {name: "vpshufd", d: p66 | x0F | 0x70 | both | rm | b32 | imm8},
	VPSHUFLW - opShuffle:   {name: "vpshuflw", d: pF2 | x0F | 0x70 | both | rm | imm8},
	VPSHUFHW - opShuffle:   {name: "vpshufhw", d: pF3 | x0F | 0x70 | both | rm | imm8},
	VPERMILPS - opShuffle:  {name: "vpermilps", d: p66 | x0F38 | 0x0C | both | rvm | b32},
	VPERMILPD - opShuffle:  {name: "vpermilpd", d: p66 | x0F38 | 0x0D | both | rvm | ew1 | b64},
	VPERMILPSI - opShuffle: {name: "vpermilps", d: p66 | x0F3A | 0x04 | unary32 | imm8},
	VPERMILPDI - opShuffle: {name: "vpermilpd", d: p66 | x0F3A | 0x05 | unary64 | imm8},
	VPALIGNR - opShuffle:   {name: "vpalignr", d: p66 | x0F3A | 0x0F | both | rvm | imm8},
	VPBLENDW - opShuffle:   {name: "vpblendw", d: p66 | x0F3A | 0x0E | vex | rvm | imm8},
	VPBLENDD - opShuffle:   {name: "vpblendd", d: p66 | x0F3A | 0x02 | vex | rvm | imm8},
	VMOVSHDUP - opShuffle:  {name: "vmovshdup", d: pF3 | x0F | 0x16 | both | rm},
	VMOVSLDUP - opShuffle:  {name: "vmovsldup", d: pF3 | x0F | 0x12 | both | rm},
	// Permutations across lanes.
	VPERMD - opShuffle:     {name: "vpermd", d: p66 | x0F38 | 0x36 | both | rvm | b32 | min256},
	VPERMPS - opShuffle:    {name: "vpermps", d: p66 | x0F38 | 0x16 | both | rvm | b32 | min256},
	VPERMQ - opShuffle:     {name: "vpermq", d: p66 | x0F38 | 0x36 | evex | rvm | ew1 | b64 | min256},
	VPERMPD - opShuffle:    {name: "vpermpd", d: p66 | x0F38 | 0x16 | evex | rvm | ew1 | b64 | min256},
	VPERMQI - opShuffle:    {name: "vpermq", d: p66 | x0F3A | both | rm | w1 | b64 | imm8 | min256},
	VPERMPDI - opShuffle:   {name: "vpermpd", d: p66 | x0F3A | 0x01 | both | rm | w1 | b64 | imm8 | min256},
	VPERMB - opShuffle:     {name: "vpermb", d: p66 | x0F38 | 0x8D | evex | rvm},
	VPERMW - opShuffle:     {name: "vpermw", d: p66 | x0F38 | 0x8D | evex | rvm | ew1},
	VPERMI2B - opShuffle:   {name: "vpermi2b", d: p66 | x0F38 | 0x75 | evex | rvm | accum},
	VPERMI2W - opShuffle:   {name: "vpermi2w", d: p66 | x0F38 | 0x75 | evex | rvm | ew1 | accum},
	VPERMI2D - opShuffle:   {name: "vpermi2d", d: p66 | x0F38 | 0x76 | evex | rvm | b32 | accum},
	VPERMI2Q - opShuffle:   {name: "vpermi2q", d: p66 | x0F38 | 0x76 | evex | rvm | ew1 | b64 | accum},
	VPERMI2PS - opShuffle:  {name: "vpermi2ps", d: p66 | x0F38 | 0x77 | evex | rvm | b32 | accum},
	VPERMI2PD - opShuffle:  {name: "vpermi2pd", d: p66 | x0F38 | 0x77 | evex | rvm | ew1 | b64 | accum},
	VPERMT2B - opShuffle:   {name: "vpermt2b", d: p66 | x0F38 | 0x7D | evex | rvm | accum},
	VPERMT2W - opShuffle:   {name: "vpermt2w", d: p66 | x0F38 | 0x7D | evex | rvm | ew1 | accum},
	VPERMT2D - opShuffle:   {name: "vpermt2d", d: p66 | x0F38 | 0x7E | evex | rvm | b32 | accum},
	VPERMT2Q - opShuffle:   {name: "vpermt2q", d: p66 | x0F38 | 0x7E | evex | rvm | ew1 | b64 | accum},
	VPERMT2PS - opShuffle:  {name: "vpermt2ps", d: p66 | x0F38 | 0x7F | evex | rvm | b32 | accum},
	VPERMT2PD - opShuffle:  {name: "vpermt2pd", d: p66 | x0F38 | 0x7F | evex | rvm | ew1 | b64 | accum},
	VPERM2F128 - opShuffle: {name: "vperm2f128", d: p66 | x0F3A | 0x06 | vex | rvm | imm8 | min256},
	VPERM2I128 - opShuffle: {name: "vperm2i128", d: p66 | x0F3A | 0x46 | vex | rvm | imm8 | min256},
	VSHUFF32X4 - opShuffle: {name: "vshuff32x4", d: p66 | x0F3A | 0x23 | evex | rvm | b32 | imm8 | min256},
	VSHUFF64X2 - opShuffle: {name: "vshuff64x2", d: p66 | x0F3A | 0x23 | evex | rvm | ew1 | b64 | imm8 | min256},
	VSHUFI32X4 - opShuffle: {name: "vshufi32x4", d: p66 | x0F3A | 0x43 | evex | rvm | b32 | imm8 | min256},
	VSHUFI64X2 - opShuffle: {name: "vshufi64x2", d: p66 | x0F3A | 0x43 | evex | rvm | ew1 | b64 | imm8 | min256},
	VALIGND - opShuffle:    {name: "valignd", d: p66 | x0F3A | 0x03 | evex | rvm | b32 | imm8},
	VALIGNQ - opShuffle:    {name: "valignq", d: p66 | x0F3A | 0x03 | evex | rvm | ew1 | b64 | imm8},
	// Insertion and extraction of 128 and 256 bits.
	VINSERTF32X4 - opShuffle: {name: "vinsertf32x4", vname: "vinsertf128",
		d: p66 | x0F3A | 0x18 | both | insert128},
	VEXTRACTF32X4 - opShuffle: {name: "vextractf32x4", vname: "vextractf128",
		d: p66 | x0F3A | 0x19 | both | extract128},
	VINSERTF64X2 - opShuffle: {name: "vinsertf64x2", vname: "vinsertf128",
		d: p66 | x0F3A | 0x18 | both | ew1 | insert128},
	VEXTRACTF64X2 - opShuffle: {name: "vextractf64x2", vname: "vextractf128",
		d: p66 | x0F3A | 0x19 | both | ew1 | extract128},
	VINSERTF32X8 - opShuffle:  {name: "vinsertf32x8", d: p66 | x0F3A | 0x1A | evex | insert256},
	VEXTRACTF32X8 - opShuffle: {name: "vextractf32x8", d: p66 | x0F3A | 0x1B | evex | extract256},
	VINSERTF64X4 - opShuffle:  {name: "vinsertf64x4", d: p66 | x0F3A | 0x1A | evex | ew1 | insert256},
	VEXTRACTF64X4 - opShuffle: {name: "vextractf64x4", d: p66 | x0F3A | 0x1B | evex | ew1 | extract256},
	VINSERTI32X4 - opShuffle: {name: "vinserti32x4", vname: "vinserti128",
		d: p66 | x0F3A | 0x38 | both | insert128},
	VEXTRACTI32X4 - opShuffle: {name: "vextracti32x4", vname: "vextracti128",
		d: p66 | x0F3A | 0x39 | both | extract128},
	VINSERTI64X2 - opShuffle: {name: "vinserti64x2", vname: "vinserti128",
		d: p66 | x0F3A | 0x38 | both | ew1 | insert128},
	VEXTRACTI64X2 - opShuffle: {name: "vextracti64x2", vname: "vextracti128",
		d: p66 | x0F3A | 0x39 | both | ew1 | extract128},
	VINSERTI32X8 - opShuffle:  {name: "vinserti32x8", d: p66 | x0F3A | 0x3A | evex | insert256},
	VEXTRACTI32X8 - opShuffle: {name: "vextracti32x8", d: p66 | x0F3A | 0x3B | evex | extract256},
	VINSERTI64X4 - opShuffle:  {name: "vinserti64x4", d: p66 | x0F3A | 0x3A | evex | ew1 | insert256},
	VEXTRACTI64X4 - opShuffle: {name: "vextracti64x4", d: p66 | x0F3A | 0x3B | evex | ew1 | extract256},
	// Broadcasts of an element, of 128 or 256 bits, of a general register, of an opmask.
	VBROADCASTSS - opShuffle: {name: "vbroadcastss", d: p66 | x0F38 | 0x18 | both | spread | mem4},
	VBROADCASTSD - opShuffle: {name: "vbroadcastsd", d: p66 | x0F38 | 0x19 | both | ew1 | spread | mem8 | min256},
	VPBROADCASTB - opShuffle: {name: "vpbroadcastb", d: p66 | x0F38 | 0x78 | both | spread | mem1},
	VPBROADCASTW - opShuffle: {name: "vpbroadcastw", d: p66 | x0F38 | 0x79 | both | spread | mem2},
	VPBROADCASTD - opShuffle: {name: "vpbroadcastd", d: p66 | x0F38 | 0x58 | both | spread | mem4},
	VPBROADCASTQ - opShuffle: {name: "vpbroadcastq", d: p66 | x0F38 | 0x59 | both | ew1 | spread | mem8},
	VBROADCASTF32X4 - opShuffle: {name: "vbroadcastf32x4", vname: "vbroadcastf128",
		d: p66 | x0F38 | 0x1A | both | spread128},
	VBROADCASTF64X2 - opShuffle: {name: "vbroadcastf64x2", vname: "vbroadcastf128",
		d: p66 | x0F38 | 0x1A | both | ew1 | spread128},
	VBROADCASTF32X8 - opShuffle: {name: "vbroadcastf32x8", d: p66 | x0F38 | 0x1B | evex | spread256},
	VBROADCASTF64X4 - opShuffle: {name: "vbroadcastf64x4", d: p66 | x0F38 | 0x1B | evex | ew1 | spread256},
	VBROADCASTI32X4 - opShuffle: {name: "vbroadcasti32x4", vname: "vbroadcasti128",
		d: p66 | x0F38 | 0x5A | both | spread128},
	VBROADCASTI64X2 - opShuffle: {name: "vbroadcasti64x2", vname: "vbroadcasti128",
		d: p66 | x0F38 | 0x5A | both | ew1 | spread128},
	VBROADCASTI32X8 - opShuffle: {name: "vbroadcasti32x8", d: p66 | x0F38 | 0x5B | evex | spread256},
	VBROADCASTI64X4 - opShuffle: {name: "vbroadcasti64x4", d: p66 | x0F38 | 0x5B | evex | ew1 | spread256},
	VPBROADCASTBR - opShuffle:   {name: "vpbroadcastb", d: p66 | x0F38 | 0x7A | evex | fRM | rV | mD | regOnly},
	VPBROADCASTWR - opShuffle:   {name: "vpbroadcastw", d: p66 | x0F38 | 0x7B | evex | fRM | rV | mD | regOnly},
	VPBROADCASTDR - opShuffle:   {name: "vpbroadcastd", d: p66 | x0F38 | 0x7C | evex | fRM | rV | mD | regOnly},
	VPBROADCASTQR - opShuffle:   {name: "vpbroadcastq", d: p66 | x0F38 | 0x7C | evex | ew1 | fRM | rV | mR64 | regOnly},
	VPMOVM2B - opShuffle:        {name: "vpmovm2b", d: pF3 | x0F38 | 0x28 | evex | fRM | rV | mK | regOnly | noMask},
	VPMOVB2M - opShuffle:        {name: "vpmovb2m", d: pF3 | x0F38 | 0x29 | evex | fRM | rK | mV | regOnly | noMask},
	VPMOVM2W - opShuffle:        {name: "vpmovm2w", d: pF3 | x0F38 | 0x28 | evex | ew1 | fRM | rV | mK | regOnly | noMask},
	VPMOVW2M - opShuffle:        {name: "vpmovw2m", d: pF3 | x0F38 | 0x29 | evex | ew1 | fRM | rK | mV | regOnly | noMask},
	VPMOVM2D - opShuffle:        {name: "vpmovm2d", d: pF3 | x0F38 | 0x38 | evex | fRM | rV | mK | regOnly | noMask},
	VPMOVD2M - opShuffle:        {name: "vpmovd2m", d: pF3 | x0F38 | 0x39 | evex | fRM | rK | mV | regOnly | noMask},
	VPMOVM2Q - opShuffle:        {name: "vpmovm2q", d: pF3 | x0F38 | 0x38 | evex | ew1 | fRM | rV | mK | regOnly | noMask},
	VPMOVQ2M - opShuffle:        {name: "vpmovq2m", d: pF3 | x0F38 | 0x39 | evex | ew1 | fRM | rK | mV | regOnly | noMask},
	// Packing of the elements that a mask selects, and the reverse.
	VPCOMPRESSB - opShuffle: {name: "vpcompressb", d: p66 | x0F38 | 0x63 | evex | fMR | rV | mV | memC1},
	VPCOMPRESSW - opShuffle: {name: "vpcompressw", d: p66 | x0F38 | 0x63 | evex | ew1 | fMR | rV | mV | memC2},
	VPCOMPRESSD - opShuffle: {name: "vpcompressd", d: p66 | x0F38 | 0x8B | evex | fMR | rV | mV | memC4},
	VPCOMPRESSQ - opShuffle: {name: "vpcompressq", d: p66 | x0F38 | 0x8B | evex | ew1 | fMR | rV | mV | memC8},
	VCOMPRESSPS - opShuffle: {name: "vcompressps", d: p66 | x0F38 | 0x8A | evex | fMR | rV | mV | memC4},
	VCOMPRESSPD - opShuffle: {name: "vcompresspd", d: p66 | x0F38 | 0x8A | evex | ew1 | fMR | rV | mV | memC8},
	VPEXPANDB - opShuffle:   {name: "vpexpandb", d: p66 | x0F38 | 0x62 | evex | fRM | rV | mV | memC1},
	VPEXPANDW - opShuffle:   {name: "vpexpandw", d: p66 | x0F38 | 0x62 | evex | ew1 | fRM | rV | mV | memC2},
	VPEXPANDD - opShuffle:   {name: "vpexpandd", d: p66 | x0F38 | 0x89 | evex | fRM | rV | mV | memC4},
	VPEXPANDQ - opShuffle:   {name: "vpexpandq", d: p66 | x0F38 | 0x89 | evex | ew1 | fRM | rV | mV | memC8},
	VEXPANDPS - opShuffle:   {name: "vexpandps", d: p66 | x0F38 | 0x88 | evex | fRM | rV | mV | memC4},
	VEXPANDPD - opShuffle:   {name: "vexpandpd", d: p66 | x0F38 | 0x88 | evex | ew1 | fRM | rV | mV | memC8},
	VPBLENDMB - opShuffle:   {name: "vpblendmb", d: p66 | x0F38 | 0x66 | evex | rvm},
	VPBLENDMW - opShuffle:   {name: "vpblendmw", d: p66 | x0F38 | 0x66 | evex | rvm | ew1},
	VPBLENDMD - opShuffle:   {name: "vpblendmd", d: p66 | x0F38 | 0x64 | evex | rvm | b32},
	VPBLENDMQ - opShuffle:   {name: "vpblendmq", d: p66 | x0F38 | 0x64 | evex | rvm | ew1 | b64},
}

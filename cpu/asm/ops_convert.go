package asm

// Conversions between floating point and integers.
const (
	opConvert = opFloatEnd
)

// The instructions of this file.
const (
	// Between widths of floating point.
	VCVTPS2PD = opConvert + iota
	VCVTPD2PS
	VCVTSS2SD
	VCVTSD2SS
	VCVTPH2PS
	VCVTPS2PH
	VCVTNEPS2BF16
	VCVTNE2PS2BF16
	// Packed integers of 32 bits.
	VCVTDQ2PS
	VCVTPS2DQ
	VCVTTPS2DQ
	VCVTDQ2PD
	VCVTPD2DQ
	VCVTTPD2DQ
	VCVTUDQ2PS
	VCVTPS2UDQ
	VCVTTPS2UDQ
	VCVTUDQ2PD
	VCVTPD2UDQ
	VCVTTPD2UDQ
	// Packed integers of 64 bits.
	VCVTQQ2PD
	VCVTQQ2PS
	VCVTPD2QQ
	VCVTTPD2QQ
	VCVTPS2QQ
	VCVTTPS2QQ
	VCVTUQQ2PD
	VCVTUQQ2PS
	VCVTPD2UQQ
	VCVTTPD2UQQ
	VCVTPS2UQQ
	VCVTTPS2UQQ
	// Between a scalar and a general register, whose width is the size of the instruction.
	VCVTSI2SS
	VCVTUSI2SS
	VCVTSS2SI
	VCVTTSS2SI
	VCVTSS2USI
	VCVTTSS2USI
	VCVTSI2SD
	VCVTUSI2SD
	VCVTSD2SI
	VCVTTSD2SI
	VCVTSD2USI
	VCVTTSD2USI
	opConvertEnd
)

var opConvertRows = [...]row{
	// Between widths of floating point.
	VCVTPS2PD - opConvert:      {name: "vcvtps2pd", d: np | x0F | 0x5A | both | widen | sae},
	VCVTPD2PS - opConvert:      {name: "vcvtpd2ps", d: p66 | x0F | 0x5A | both | narrow | rc},
	VCVTSS2SD - opConvert:      {name: "vcvtss2sd", d: pF3 | x0F | 0x5A | scalar32 | sae},
	VCVTSD2SS - opConvert:      {name: "vcvtsd2ss", d: pF2 | x0F | 0x5A | scalar64 | rc},
	VCVTPH2PS - opConvert:      {name: "vcvtph2ps", d: p66 | x0F38 | 0x13 | both | fRM | rV | mH | memHalf | sae},
	VCVTPS2PH - opConvert:      {name: "vcvtps2ph", d: p66 | x0F3A | 0x1D | both | fMR | rV | mH | memHalf | imm8 | sae},
	VCVTNEPS2BF16 - opConvert:  {name: "vcvtneps2bf16", d: pF3 | x0F38 | 0x72 | evex | fRM | rH | mV | memFull | b32},
	VCVTNE2PS2BF16 - opConvert: {name: "vcvtne2ps2bf16", d: pF2 | x0F38 | 0x72 | evex | rvm | b32},
	// Packed integers of 32 bits.
	VCVTDQ2PS - opConvert:   {name: "vcvtdq2ps", d: np | x0F | 0x5B | unary32 | rc},
	VCVTPS2DQ - opConvert:   {name: "vcvtps2dq", d: p66 | x0F | 0x5B | unary32 | rc},
	VCVTTPS2DQ - opConvert:  {name: "vcvttps2dq", d: pF3 | x0F | 0x5B | unary32 | sae},
	VCVTDQ2PD - opConvert:   {name: "vcvtdq2pd", d: pF3 | x0F | 0xE6 | both | widen},
	VCVTPD2DQ - opConvert:   {name: "vcvtpd2dq", d: pF2 | x0F | 0xE6 | both | narrow | rc},
	VCVTTPD2DQ - opConvert:  {name: "vcvttpd2dq", d: p66 | x0F | 0xE6 | both | narrow | sae},
	VCVTUDQ2PS - opConvert:  {name: "vcvtudq2ps", d: pF2 | x0F | 0x7A | evex | rm | b32 | rc},
	VCVTPS2UDQ - opConvert:  {name: "vcvtps2udq", d: np | x0F | 0x79 | evex | rm | b32 | rc},
	VCVTTPS2UDQ - opConvert: {name: "vcvttps2udq", d: np | x0F | 0x78 | evex | rm | b32 | sae},
	VCVTUDQ2PD - opConvert:  {name: "vcvtudq2pd", d: pF3 | x0F | 0x7A | evex | widen},
	VCVTPD2UDQ - opConvert:  {name: "vcvtpd2udq", d: np | x0F | 0x79 | evex | narrow | rc},
	VCVTTPD2UDQ - opConvert: {name: "vcvttpd2udq", d: np | x0F | 0x78 | evex | narrow | sae},
	// Packed integers of 64 bits.
	VCVTQQ2PD - opConvert:   {name: "vcvtqq2pd", d: pF3 | x0F | 0xE6 | evex | ew1 | rm | b64 | rc},
	VCVTQQ2PS - opConvert:   {name: "vcvtqq2ps", d: np | x0F | 0x5B | evex | narrow | rc},
	VCVTPD2QQ - opConvert:   {name: "vcvtpd2qq", d: p66 | x0F | 0x7B | evex | ew1 | rm | b64 | rc},
	VCVTTPD2QQ - opConvert:  {name: "vcvttpd2qq", d: p66 | x0F | 0x7A | evex | ew1 | rm | b64 | sae},
	VCVTPS2QQ - opConvert:   {name: "vcvtps2qq", d: p66 | x0F | 0x7B | evex | widen | rc},
	VCVTTPS2QQ - opConvert:  {name: "vcvttps2qq", d: p66 | x0F | 0x7A | evex | widen | sae},
	VCVTUQQ2PD - opConvert:  {name: "vcvtuqq2pd", d: pF3 | x0F | 0x7A | evex | ew1 | rm | b64 | rc},
	VCVTUQQ2PS - opConvert:  {name: "vcvtuqq2ps", d: pF2 | x0F | 0x7A | evex | narrow | rc},
	VCVTPD2UQQ - opConvert:  {name: "vcvtpd2uqq", d: p66 | x0F | 0x79 | evex | ew1 | rm | b64 | rc},
	VCVTTPD2UQQ - opConvert: {name: "vcvttpd2uqq", d: p66 | x0F | 0x78 | evex | ew1 | rm | b64 | sae},
	VCVTPS2UQQ - opConvert:  {name: "vcvtps2uqq", d: p66 | x0F | 0x79 | evex | widen | rc},
	VCVTTPS2UQQ - opConvert: {name: "vcvttps2uqq", d: p66 | x0F | 0x78 | evex | widen | sae},
	// Between a scalar and a general register, whose width is the size of the instruction.
	VCVTSI2SS - opConvert:   {name: "vcvtsi2ss", d: pF3 | x0F | 0x2A | both | fromGP},
	VCVTUSI2SS - opConvert:  {name: "vcvtusi2ss", d: pF3 | x0F | 0x7B | evex | fromGP},
	VCVTSS2SI - opConvert:   {name: "vcvtss2si", d: pF3 | x0F | 0x2D | both | toGP | mem4 | rc},
	VCVTTSS2SI - opConvert:  {name: "vcvttss2si", d: pF3 | x0F | 0x2C | both | toGP | mem4 | sae},
	VCVTSS2USI - opConvert:  {name: "vcvtss2usi", d: pF3 | x0F | 0x79 | evex | toGP | mem4 | rc},
	VCVTTSS2USI - opConvert: {name: "vcvttss2usi", d: pF3 | x0F | 0x78 | evex | toGP | mem4 | sae},
	VCVTSI2SD - opConvert:   {name: "vcvtsi2sd", d: pF2 | x0F | 0x2A | both | fromGP},
	VCVTUSI2SD - opConvert:  {name: "vcvtusi2sd", d: pF2 | x0F | 0x7B | evex | fromGP},
	VCVTSD2SI - opConvert:   {name: "vcvtsd2si", d: pF2 | x0F | 0x2D | both | toGP | mem8 | rc},
	VCVTTSD2SI - opConvert:  {name: "vcvttsd2si", d: pF2 | x0F | 0x2C | both | toGP | mem8 | sae},
	VCVTSD2USI - opConvert:  {name: "vcvtsd2usi", d: pF2 | x0F | 0x79 | evex | toGP | mem8 | rc},
	VCVTTSD2USI - opConvert: {name: "vcvttsd2usi", d: pF2 | x0F | 0x78 | evex | toGP | mem8 | sae},
}

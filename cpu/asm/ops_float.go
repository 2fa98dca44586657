package asm

// Arithmetic and conversions of floating-point vectors and scalars.
const (
	opFloat = Op(1)
)

// The instructions of this file.
const (
	// Arithmetic.
	VADDPS = opFloat + iota
	VADDPD
	VADDSS
	VADDSD
	VMULPS
	VMULPD
	VMULSS
	VMULSD
	VSUBPS
	VSUBPD
	VSUBSS
	VSUBSD
	VMINPS
	VMINPD
	VMINSS
	VMINSD
	VDIVPS
	VDIVPD
	VDIVSS
	VDIVSD
	VMAXPS
	VMAXPD
	VMAXSS
	VMAXSD
	VSQRTPS
	VSQRTPD
	VSQRTSS
	VSQRTSD
	VANDPS
	VANDPD
	VANDNPS
	VANDNPD
	VORPS
	VORPD
	VXORPS
	VXORPD
	VUNPCKLPS
	VUNPCKLPD
	VUNPCKHPS
	VUNPCKHPD
	VSHUFPS
	VSHUFPD
	VHADDPS
	VHADDPD
	VADDSUBPS
	VADDSUBPD
	// Compares: into a vector (VEX) or an opmask (EVEX, names ending in K).
	VCMPPS
	VCMPPD
	VCMPSS
	VCMPSD
	VCMPPSK
	VCMPPDK
	VCMPSSK
	VCMPSDK
	VUCOMISS
	VUCOMISD
	VCOMISS
	VCOMISD
	VTESTPS
	VTESTPD
	// Fused multiply-add. The digits say which operands are multiplied: 213 is op2*op1 + op3.
	VFMADDSUB132PS
	VFMADDSUB132PD
	VFMADDSUB213PS
	VFMADDSUB213PD
	VFMADDSUB231PS
	VFMADDSUB231PD
	VFMSUBADD132PS
	VFMSUBADD132PD
	VFMSUBADD213PS
	VFMSUBADD213PD
	VFMSUBADD231PS
	VFMSUBADD231PD
	VFMADD132PS
	VFMADD132PD
	VFMADD132SS
	VFMADD132SD
	VFMADD213PS
	VFMADD213PD
	VFMADD213SS
	VFMADD213SD
	VFMADD231PS
	VFMADD231PD
	VFMADD231SS
	VFMADD231SD
	VFMSUB132PS
	VFMSUB132PD
	VFMSUB132SS
	VFMSUB132SD
	VFMSUB213PS
	VFMSUB213PD
	VFMSUB213SS
	VFMSUB213SD
	VFMSUB231PS
	VFMSUB231PD
	VFMSUB231SS
	VFMSUB231SD
	VFNMADD132PS
	VFNMADD132PD
	VFNMADD132SS
	VFNMADD132SD
	VFNMADD213PS
	VFNMADD213PD
	VFNMADD213SS
	VFNMADD213SD
	VFNMADD231PS
	VFNMADD231PD
	VFNMADD231SS
	VFNMADD231SD
	VFNMSUB132PS
	VFNMSUB132PD
	VFNMSUB132SS
	VFNMSUB132SD
	VFNMSUB213PS
	VFNMSUB213PD
	VFNMSUB213SS
	VFNMSUB213SD
	VFNMSUB231PS
	VFNMSUB231PD
	VFNMSUB231SS
	VFNMSUB231SD
	// Blends by the sign of a fourth register, or by an immediate.
	VBLENDVPS
	VBLENDVPD
	VPBLENDVB
	VBLENDPS
	VBLENDPD
	// Rounding, exponents, approximations. VRNDSCALE is VROUND in its VEX form, with immediates below 16.
	VRNDSCALEPS
	VRNDSCALEPD
	VRNDSCALESS
	VRNDSCALESD
	VSCALEFPS
	VSCALEFPD
	VSCALEFSS
	VSCALEFSD
	VGETEXPPS
	VGETEXPPD
	VGETEXPSS
	VGETEXPSD
	VGETMANTPS
	VGETMANTPD
	VGETMANTSS
	VGETMANTSD
	VRCP14PS
	VRCP14PD
	VRCP14SS
	VRCP14SD
	VRSQRT14PS
	VRSQRT14PD
	VRSQRT14SS
	VRSQRT14SD
	VFIXUPIMMPS
	VFIXUPIMMPD
	VFIXUPIMMSS
	VFIXUPIMMSD
	VRANGEPS
	VRANGEPD
	VRANGESS
	VRANGESD
	VREDUCEPS
	VREDUCEPD
	VREDUCESS
	VREDUCESD
	VFPCLASSPS
	VFPCLASSPD
	VFPCLASSSS
	VFPCLASSSD
	VBLENDMPS
	VBLENDMPD
	opFloatEnd
)

var opFloatRows = [...]row{
	// Arithmetic.
	VADDPS - opFloat:    {name: "vaddps", d: np | x0F | 0x58 | pack32 | rc},
	VADDPD - opFloat:    {name: "vaddpd", d: p66 | x0F | 0x58 | pack64 | rc},
	VADDSS - opFloat:    {name: "vaddss", d: pF3 | x0F | 0x58 | scalar32 | rc},
	VADDSD - opFloat:    {name: "vaddsd", d: pF2 | x0F | 0x58 | scalar64 | rc},
	VMULPS - opFloat:    {name: "vmulps", d: np | x0F | 0x59 | pack32 | rc},
	VMULPD - opFloat:    {name: "vmulpd", d: p66 | x0F | 0x59 | pack64 | rc},
	VMULSS - opFloat:    {name: "vmulss", d: pF3 | x0F | 0x59 | scalar32 | rc},
	VMULSD - opFloat:    {name: "vmulsd", d: pF2 | x0F | 0x59 | scalar64 | rc},
	VSUBPS - opFloat:    {name: "vsubps", d: np | x0F | 0x5C | pack32 | rc},
	VSUBPD - opFloat:    {name: "vsubpd", d: p66 | x0F | 0x5C | pack64 | rc},
	VSUBSS - opFloat:    {name: "vsubss", d: pF3 | x0F | 0x5C | scalar32 | rc},
	VSUBSD - opFloat:    {name: "vsubsd", d: pF2 | x0F | 0x5C | scalar64 | rc},
	VMINPS - opFloat:    {name: "vminps", d: np | x0F | 0x5D | pack32 | sae},
	VMINPD - opFloat:    {name: "vminpd", d: p66 | x0F | 0x5D | pack64 | sae},
	VMINSS - opFloat:    {name: "vminss", d: pF3 | x0F | 0x5D | scalar32 | sae},
	VMINSD - opFloat:    {name: "vminsd", d: pF2 | x0F | 0x5D | scalar64 | sae},
	VDIVPS - opFloat:    {name: "vdivps", d: np | x0F | 0x5E | pack32 | rc},
	VDIVPD - opFloat:    {name: "vdivpd", d: p66 | x0F | 0x5E | pack64 | rc},
	VDIVSS - opFloat:    {name: "vdivss", d: pF3 | x0F | 0x5E | scalar32 | rc},
	VDIVSD - opFloat:    {name: "vdivsd", d: pF2 | x0F | 0x5E | scalar64 | rc},
	VMAXPS - opFloat:    {name: "vmaxps", d: np | x0F | 0x5F | pack32 | sae},
	VMAXPD - opFloat:    {name: "vmaxpd", d: p66 | x0F | 0x5F | pack64 | sae},
	VMAXSS - opFloat:    {name: "vmaxss", d: pF3 | x0F | 0x5F | scalar32 | sae},
	VMAXSD - opFloat:    {name: "vmaxsd", d: pF2 | x0F | 0x5F | scalar64 | sae},
	VSQRTPS - opFloat:   {name: "vsqrtps", d: np | x0F | 0x51 | unary32 | rc},
	VSQRTPD - opFloat:   {name: "vsqrtpd", d: p66 | x0F | 0x51 | unary64 | rc},
	VSQRTSS - opFloat:   {name: "vsqrtss", d: pF3 | x0F | 0x51 | scalar32 | rc},
	VSQRTSD - opFloat:   {name: "vsqrtsd", d: pF2 | x0F | 0x51 | scalar64 | rc},
	VANDPS - opFloat:    {name: "vandps", d: np | x0F | 0x54 | pack32},
	VANDPD - opFloat:    {name: "vandpd", d: p66 | x0F | 0x54 | pack64},
	VANDNPS - opFloat:   {name: "vandnps", d: np | x0F | 0x55 | pack32},
	VANDNPD - opFloat:   {name: "vandnpd", d: p66 | x0F | 0x55 | pack64},
	VORPS - opFloat:     {name: "vorps", d: np | x0F | 0x56 | pack32},
	VORPD - opFloat:     {name: "vorpd", d: p66 | x0F | 0x56 | pack64},
	VXORPS - opFloat:    {name: "vxorps", d: np | x0F | 0x57 | pack32},
	VXORPD - opFloat:    {name: "vxorpd", d: p66 | x0F | 0x57 | pack64},
	VUNPCKLPS - opFloat: {name: "vunpcklps", d: np | x0F | 0x14 | pack32},
	VUNPCKLPD - opFloat: {name: "vunpcklpd", d: p66 | x0F | 0x14 | pack64},
	VUNPCKHPS - opFloat: {name: "vunpckhps", d: np | x0F | 0x15 | pack32},
	VUNPCKHPD - opFloat: {name: "vunpckhpd", d: p66 | x0F | 0x15 | pack64},
	VSHUFPS - opFloat:   {name: "vshufps", d: np | x0F | 0xC6 | pack32 | imm8},
	VSHUFPD - opFloat:   {name: "vshufpd", d: p66 | x0F | 0xC6 | pack64 | imm8},
	VHADDPS - opFloat:   {name: "vhaddps", d: pF2 | x0F | 0x7C | vex | rvm},
	VHADDPD - opFloat:   {name: "vhaddpd", d: p66 | x0F | 0x7C | vex | rvm},
	VADDSUBPS - opFloat: {name: "vaddsubps", d: pF2 | x0F | 0xD0 | vex | rvm},
	VADDSUBPD - opFloat: {name: "vaddsubpd", d: p66 | x0F | 0xD0 | vex | rvm},
	// Compares: into a vector (VEX) or an opmask (EVEX, names ending in K).
	VCMPPS - opFloat:   {name: "vcmpps", d: np | x0F | 0xC2 | vex | rvm | imm8},
	VCMPPD - opFloat:   {name: "vcmppd", d: p66 | x0F | 0xC2 | vex | rvm | imm8},
	VCMPSS - opFloat:   {name: "vcmpss", d: pF3 | x0F | 0xC2 | vex | rvmX | mem4 | imm8},
	VCMPSD - opFloat:   {name: "vcmpsd", d: pF2 | x0F | 0xC2 | vex | rvmX | mem8 | imm8},
	VCMPPSK - opFloat:  {name: "vcmpps", d: np | x0F | 0xC2 | evex | toMask | imm8 | noZero | b32 | sae},
	VCMPPDK - opFloat:  {name: "vcmppd", d: p66 | x0F | 0xC2 | evex | ew1 | toMask | imm8 | noZero | b64 | sae},
	VCMPSSK - opFloat:  {name: "vcmpss", d: pF3 | x0F | 0xC2 | evex | toMaskX | imm8 | noZero | sae | mem4},
	VCMPSDK - opFloat:  {name: "vcmpsd", d: pF2 | x0F | 0xC2 | evex | ew1 | toMaskX | imm8 | noZero | sae | mem8},
	VUCOMISS - opFloat: {name: "vucomiss", d: np | x0F | 0x2E | both | scalar | mX | mem4 | noMask | sae},
	VUCOMISD - opFloat: {name: "vucomisd", d: p66 | x0F | 0x2E | both | ew1 | scalar | mX | mem8 | noMask | sae},
	VCOMISS - opFloat:  {name: "vcomiss", d: np | x0F | 0x2F | both | scalar | mX | mem4 | noMask | sae},
	VCOMISD - opFloat:  {name: "vcomisd", d: p66 | x0F | 0x2F | both | ew1 | scalar | mX | mem8 | noMask | sae},
	VTESTPS - opFloat:  {name: "vtestps", d: p66 | x0F38 | 0x0E | vex | rm},
	VTESTPD - opFloat:  {name: "vtestpd", d: p66 | x0F38 | 0x0F | vex | rm},
	// Fused multiply-add. The digits say which operands are multiplied: 213 is op2*op1 + op3.
	VFMADDSUB132PS - opFloat: {name: "vfmaddsub132ps", d: p66 | x0F38 | 0x96 | pack32 | rc | accum},
	VFMADDSUB132PD - opFloat: {name: "vfmaddsub132pd", d: p66 | x0F38 | 0x96 | pack64 | vw1 | rc | accum},
	VFMADDSUB213PS - opFloat: {name: "vfmaddsub213ps", d: p66 | x0F38 | 0xA6 | pack32 | rc | accum},
	VFMADDSUB213PD - opFloat: {name: "vfmaddsub213pd", d: p66 | x0F38 | 0xA6 | pack64 | vw1 | rc | accum},
	VFMADDSUB231PS - opFloat: {name: "vfmaddsub231ps", d: p66 | x0F38 | 0xB6 | pack32 | rc | accum},
	VFMADDSUB231PD - opFloat: {name: "vfmaddsub231pd", d: p66 | x0F38 | 0xB6 | pack64 | vw1 | rc | accum},
	VFMSUBADD132PS - opFloat: {name: "vfmsubadd132ps", d: p66 | x0F38 | 0x97 | pack32 | rc | accum},
	VFMSUBADD132PD - opFloat: {name: "vfmsubadd132pd", d: p66 | x0F38 | 0x97 | pack64 | vw1 | rc | accum},
	VFMSUBADD213PS - opFloat: {name: "vfmsubadd213ps", d: p66 | x0F38 | 0xA7 | pack32 | rc | accum},
	VFMSUBADD213PD - opFloat: {name: "vfmsubadd213pd", d: p66 | x0F38 | 0xA7 | pack64 | vw1 | rc | accum},
	VFMSUBADD231PS - opFloat: {name: "vfmsubadd231ps", d: p66 | x0F38 | 0xB7 | pack32 | rc | accum},
	VFMSUBADD231PD - opFloat: {name: "vfmsubadd231pd", d: p66 | x0F38 | 0xB7 | pack64 | vw1 | rc | accum},
	VFMADD132PS - opFloat:    {name: "vfmadd132ps", d: p66 | x0F38 | 0x98 | pack32 | rc | accum},
	VFMADD132PD - opFloat:    {name: "vfmadd132pd", d: p66 | x0F38 | 0x98 | pack64 | vw1 | rc | accum},
	VFMADD132SS - opFloat:    {name: "vfmadd132ss", d: p66 | x0F38 | 0x99 | scalar32 | rc | accum},
	VFMADD132SD - opFloat:    {name: "vfmadd132sd", d: p66 | x0F38 | 0x99 | scalar64 | vw1 | rc | accum},
	VFMADD213PS - opFloat:    {name: "vfmadd213ps", d: p66 | x0F38 | 0xA8 | pack32 | rc | accum},
	VFMADD213PD - opFloat:    {name: "vfmadd213pd", d: p66 | x0F38 | 0xA8 | pack64 | vw1 | rc | accum},
	VFMADD213SS - opFloat:    {name: "vfmadd213ss", d: p66 | x0F38 | 0xA9 | scalar32 | rc | accum},
	VFMADD213SD - opFloat:    {name: "vfmadd213sd", d: p66 | x0F38 | 0xA9 | scalar64 | vw1 | rc | accum},
	VFMADD231PS - opFloat:    {name: "vfmadd231ps", d: p66 | x0F38 | 0xB8 | pack32 | rc | accum},
	VFMADD231PD - opFloat:    {name: "vfmadd231pd", d: p66 | x0F38 | 0xB8 | pack64 | vw1 | rc | accum},
	VFMADD231SS - opFloat:    {name: "vfmadd231ss", d: p66 | x0F38 | 0xB9 | scalar32 | rc | accum},
	VFMADD231SD - opFloat:    {name: "vfmadd231sd", d: p66 | x0F38 | 0xB9 | scalar64 | vw1 | rc | accum},
	VFMSUB132PS - opFloat:    {name: "vfmsub132ps", d: p66 | x0F38 | 0x9A | pack32 | rc | accum},
	VFMSUB132PD - opFloat:    {name: "vfmsub132pd", d: p66 | x0F38 | 0x9A | pack64 | vw1 | rc | accum},
	VFMSUB132SS - opFloat:    {name: "vfmsub132ss", d: p66 | x0F38 | 0x9B | scalar32 | rc | accum},
	VFMSUB132SD - opFloat:    {name: "vfmsub132sd", d: p66 | x0F38 | 0x9B | scalar64 | vw1 | rc | accum},
	VFMSUB213PS - opFloat:    {name: "vfmsub213ps", d: p66 | x0F38 | 0xAA | pack32 | rc | accum},
	VFMSUB213PD - opFloat:    {name: "vfmsub213pd", d: p66 | x0F38 | 0xAA | pack64 | vw1 | rc | accum},
	VFMSUB213SS - opFloat:    {name: "vfmsub213ss", d: p66 | x0F38 | 0xAB | scalar32 | rc | accum},
	VFMSUB213SD - opFloat:    {name: "vfmsub213sd", d: p66 | x0F38 | 0xAB | scalar64 | vw1 | rc | accum},
	VFMSUB231PS - opFloat:    {name: "vfmsub231ps", d: p66 | x0F38 | 0xBA | pack32 | rc | accum},
	VFMSUB231PD - opFloat:    {name: "vfmsub231pd", d: p66 | x0F38 | 0xBA | pack64 | vw1 | rc | accum},
	VFMSUB231SS - opFloat:    {name: "vfmsub231ss", d: p66 | x0F38 | 0xBB | scalar32 | rc | accum},
	VFMSUB231SD - opFloat:    {name: "vfmsub231sd", d: p66 | x0F38 | 0xBB | scalar64 | vw1 | rc | accum},
	VFNMADD132PS - opFloat:   {name: "vfnmadd132ps", d: p66 | x0F38 | 0x9C | pack32 | rc | accum},
	VFNMADD132PD - opFloat:   {name: "vfnmadd132pd", d: p66 | x0F38 | 0x9C | pack64 | vw1 | rc | accum},
	VFNMADD132SS - opFloat:   {name: "vfnmadd132ss", d: p66 | x0F38 | 0x9D | scalar32 | rc | accum},
	VFNMADD132SD - opFloat:   {name: "vfnmadd132sd", d: p66 | x0F38 | 0x9D | scalar64 | vw1 | rc | accum},
	VFNMADD213PS - opFloat:   {name: "vfnmadd213ps", d: p66 | x0F38 | 0xAC | pack32 | rc | accum},
	VFNMADD213PD - opFloat:   {name: "vfnmadd213pd", d: p66 | x0F38 | 0xAC | pack64 | vw1 | rc | accum},
	VFNMADD213SS - opFloat:   {name: "vfnmadd213ss", d: p66 | x0F38 | 0xAD | scalar32 | rc | accum},
	VFNMADD213SD - opFloat:   {name: "vfnmadd213sd", d: p66 | x0F38 | 0xAD | scalar64 | vw1 | rc | accum},
	VFNMADD231PS - opFloat:   {name: "vfnmadd231ps", d: p66 | x0F38 | 0xBC | pack32 | rc | accum},
	VFNMADD231PD - opFloat:   {name: "vfnmadd231pd", d: p66 | x0F38 | 0xBC | pack64 | vw1 | rc | accum},
	VFNMADD231SS - opFloat:   {name: "vfnmadd231ss", d: p66 | x0F38 | 0xBD | scalar32 | rc | accum},
	VFNMADD231SD - opFloat:   {name: "vfnmadd231sd", d: p66 | x0F38 | 0xBD | scalar64 | vw1 | rc | accum},
	VFNMSUB132PS - opFloat:   {name: "vfnmsub132ps", d: p66 | x0F38 | 0x9E | pack32 | rc | accum},
	VFNMSUB132PD - opFloat:   {name: "vfnmsub132pd", d: p66 | x0F38 | 0x9E | pack64 | vw1 | rc | accum},
	VFNMSUB132SS - opFloat:   {name: "vfnmsub132ss", d: p66 | x0F38 | 0x9F | scalar32 | rc | accum},
	VFNMSUB132SD - opFloat:   {name: "vfnmsub132sd", d: p66 | x0F38 | 0x9F | scalar64 | vw1 | rc | accum},
	VFNMSUB213PS - opFloat:   {name: "vfnmsub213ps", d: p66 | x0F38 | 0xAE | pack32 | rc | accum},
	VFNMSUB213PD - opFloat:   {name: "vfnmsub213pd", d: p66 | x0F38 | 0xAE | pack64 | vw1 | rc | accum},
	VFNMSUB213SS - opFloat:   {name: "vfnmsub213ss", d: p66 | x0F38 | 0xAF | scalar32 | rc | accum},
	VFNMSUB213SD - opFloat:   {name: "vfnmsub213sd", d: p66 | x0F38 | 0xAF | scalar64 | vw1 | rc | accum},
	VFNMSUB231PS - opFloat:   {name: "vfnmsub231ps", d: p66 | x0F38 | 0xBE | pack32 | rc | accum},
	VFNMSUB231PD - opFloat:   {name: "vfnmsub231pd", d: p66 | x0F38 | 0xBE | pack64 | vw1 | rc | accum},
	VFNMSUB231SS - opFloat:   {name: "vfnmsub231ss", d: p66 | x0F38 | 0xBF | scalar32 | rc | accum},
	VFNMSUB231SD - opFloat:   {name: "vfnmsub231sd", d: p66 | x0F38 | 0xBF | scalar64 | vw1 | rc | accum},
	// Blends by the sign of a fourth register, or by an immediate.
	VBLENDVPS - opFloat: {name: "vblendvps", d: p66 | x0F3A | 0x4A | vex | fRVM4 | rV | vV | mV | memFull},
	VBLENDVPD - opFloat: {name: "vblendvpd", d: p66 | x0F3A | 0x4B | vex | fRVM4 | rV | vV | mV | memFull},
	VPBLENDVB - opFloat: {name: "vpblendvb", d: p66 | x0F3A | 0x4C | vex | fRVM4 | rV | vV | mV | memFull},
	VBLENDPS - opFloat:  {name: "vblendps", d: p66 | x0F3A | 0x0C | vex | rvm | imm8},
	VBLENDPD - opFloat:  {name: "vblendpd", d: p66 | x0F3A | 0x0D | vex | rvm | imm8},
	// Rounding, exponents, approximations. VRNDSCALE is VROUND in its VEX form, with immediates below 16.
	VRNDSCALEPS - opFloat: {name: "vrndscaleps", vname: "vroundps", d: p66 | x0F3A | 0x08 | unary32 | imm8 | sae | imm4},
	VRNDSCALEPD - opFloat: {name: "vrndscalepd", vname: "vroundpd", d: p66 | x0F3A | 0x09 | unary64 | imm8 | sae | imm4},
	VRNDSCALESS - opFloat: {name: "vrndscaless", vname: "vroundss", d: p66 | x0F3A | 0x0A | scalar32 | imm8 | sae | imm4},
	VRNDSCALESD - opFloat: {name: "vrndscalesd", vname: "vroundsd", d: p66 | x0F3A | 0x0B | scalar64 | imm8 | sae | imm4},
	VSCALEFPS - opFloat:   {name: "vscalefps", d: p66 | x0F38 | 0x2C | evex | rvm | b32 | rc},
	VSCALEFPD - opFloat:   {name: "vscalefpd", d: p66 | x0F38 | 0x2C | evex | ew1 | rvm | b64 | rc},
	VSCALEFSS - opFloat:   {name: "vscalefss", d: p66 | x0F38 | 0x2D | evex | rvmX | mem4 | rc},
	VSCALEFSD - opFloat:   {name: "vscalefsd", d: p66 | x0F38 | 0x2D | evex | ew1 | rvmX | mem8 | rc},
	VGETEXPPS - opFloat:   {name: "vgetexpps", d: p66 | x0F38 | 0x42 | evex | rm | b32 | sae},
	VGETEXPPD - opFloat:   {name: "vgetexppd", d: p66 | x0F38 | 0x42 | evex | ew1 | rm | b64 | sae},
	VGETEXPSS - opFloat:   {name: "vgetexpss", d: p66 | x0F38 | 0x43 | evex | rvmX | mem4 | sae},
	VGETEXPSD - opFloat:   {name: "vgetexpsd", d: p66 | x0F38 | 0x43 | evex | ew1 | rvmX | mem8 | sae},
	VGETMANTPS - opFloat:  {name: "vgetmantps", d: p66 | x0F3A | 0x26 | evex | rm | b32 | imm8 | sae},
	VGETMANTPD - opFloat:  {name: "vgetmantpd", d: p66 | x0F3A | 0x26 | evex | ew1 | rm | b64 | imm8 | sae},
	VGETMANTSS - opFloat:  {name: "vgetmantss", d: p66 | x0F3A | 0x27 | evex | rvmX | mem4 | imm8 | sae},
	VGETMANTSD - opFloat:  {name: "vgetmantsd", d: p66 | x0F3A | 0x27 | evex | ew1 | rvmX | mem8 | imm8 | sae},
	VRCP14PS - opFloat:    {name: "vrcp14ps", d: p66 | x0F38 | 0x4C | evex | rm | b32},
	VRCP14PD - opFloat:    {name: "vrcp14pd", d: p66 | x0F38 | 0x4C | evex | ew1 | rm | b64},
	VRCP14SS - opFloat:    {name: "vrcp14ss", d: p66 | x0F38 | 0x4D | evex | rvmX | mem4},
	VRCP14SD - opFloat:    {name: "vrcp14sd", d: p66 | x0F38 | 0x4D | evex | ew1 | rvmX | mem8},
	VRSQRT14PS - opFloat:  {name: "vrsqrt14ps", d: p66 | x0F38 | 0x4E | evex | rm | b32},
	VRSQRT14PD - opFloat:  {name: "vrsqrt14pd", d: p66 | x0F38 | 0x4E | evex | ew1 | rm | b64},
	VRSQRT14SS - opFloat:  {name: "vrsqrt14ss", d: p66 | x0F38 | 0x4F | evex | rvmX | mem4},
	VRSQRT14SD - opFloat:  {name: "vrsqrt14sd", d: p66 | x0F38 | 0x4F | evex | ew1 | rvmX | mem8},
	VFIXUPIMMPS - opFloat: {name: "vfixupimmps", d: p66 | x0F3A | 0x54 | evex | rvm | b32 | imm8 | sae | accum},
	VFIXUPIMMPD - opFloat: {name: "vfixupimmpd", d: p66 | x0F3A | 0x54 | evex | ew1 | rvm | b64 | imm8 | sae | accum},
	VFIXUPIMMSS - opFloat: {name: "vfixupimmss", d: p66 | x0F3A | 0x55 | evex | rvmX | mem4 | imm8 | sae | accum},
	VFIXUPIMMSD - opFloat: {name: "vfixupimmsd", d: p66 | x0F3A | 0x55 | evex | ew1 | rvmX | mem8 | imm8 | sae | accum},
	VRANGEPS - opFloat:    {name: "vrangeps", d: p66 | x0F3A | 0x50 | evex | rvm | b32 | imm8 | sae},
	VRANGEPD - opFloat:    {name: "vrangepd", d: p66 | x0F3A | 0x50 | evex | ew1 | rvm | b64 | imm8 | sae},
	VRANGESS - opFloat:    {name: "vrangess", d: p66 | x0F3A | 0x51 | evex | rvmX | mem4 | imm8 | sae},
	VRANGESD - opFloat:    {name: "vrangesd", d: p66 | x0F3A | 0x51 | evex | ew1 | rvmX | mem8 | imm8 | sae},
	VREDUCEPS - opFloat:   {name: "vreduceps", d: p66 | x0F3A | 0x56 | evex | rm | b32 | imm8 | sae},
	VREDUCEPD - opFloat:   {name: "vreducepd", d: p66 | x0F3A | 0x56 | evex | ew1 | rm | b64 | imm8 | sae},
	VREDUCESS - opFloat:   {name: "vreducess", d: p66 | x0F3A | 0x57 | evex | rvmX | mem4 | imm8 | sae},
	VREDUCESD - opFloat:   {name: "vreducesd", d: p66 | x0F3A | 0x57 | evex | ew1 | rvmX | mem8 | imm8 | sae},
	VFPCLASSPS - opFloat:  {name: "vfpclassps", d: p66 | x0F3A | 0x66 | evex | classify | imm8 | noZero | b32},
	VFPCLASSPD - opFloat:  {name: "vfpclasspd", d: p66 | x0F3A | 0x66 | evex | ew1 | classify | imm8 | noZero | b64},
	VFPCLASSSS - opFloat:  {name: "vfpclassss", d: p66 | x0F3A | 0x67 | evex | classifyX | imm8 | noZero | mem4},
	VFPCLASSSD - opFloat:  {name: "vfpclasssd", d: p66 | x0F3A | 0x67 | evex | ew1 | classifyX | imm8 | noZero | mem8},
	VBLENDMPS - opFloat:   {name: "vblendmps", d: p66 | x0F38 | 0x65 | evex | rvm | b32},
	VBLENDMPD - opFloat:   {name: "vblendmpd", d: p66 | x0F38 | 0x65 | evex | ew1 | rvm | b64},
}

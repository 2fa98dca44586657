package asm

// Integer arithmetic, logic, shifts, compares.
const (
	opInt = opConvertEnd
)

// The instructions of this file.
const (
	// Add, subtract, multiply.
	VPADDB = opInt + iota
	VPADDW
	VPADDD
	VPADDQ
	VPSUBB
	VPSUBW
	VPSUBD
	VPSUBQ
	VPADDSB
	VPADDSW
	VPADDUSB
	VPADDUSW
	VPSUBSB
	VPSUBSW
	VPSUBUSB
	VPSUBUSW
	VPAVGB
	VPAVGW
	VPMULLW
	VPMULHW
	VPMULHUW
	VPMADDWD
	VPSADBW
	VPMULUDQ
	VPMULDQ
	VPMULHRSW
	VPMADDUBSW
	VPMULLD
	VPMULLQ
	VPSIGNB
	VPSIGNW
	VPSIGND
	// Dot products of bytes and words.
	VPDPBUSD
	VPDPBUSDS
	VPDPWSSD
	VPDPWSSDS
	VDPBF16PS
	// Minimum, maximum, absolute value.
	VPMINUB
	VPMINSW
	VPMAXUB
	VPMAXSW
	VPMINSB
	VPMINUW
	VPMAXSB
	VPMAXUW
	VPMINSD
	VPMINUD
	VPMAXSD
	VPMAXUD
	VPMINSQ
	VPMINUQ
	VPMAXSQ
	VPMAXUQ
	VPABSB
	VPABSW
	VPABSD
	VPABSQ
	// Compares: into a vector (VEX), or into an opmask by a predicate (EVEX).
	VPCMPEQB
	VPCMPEQW
	VPCMPEQD
	VPCMPEQQ
	VPCMPGTB
	VPCMPGTW
	VPCMPGTD
	VPCMPGTQ
	VPCMPB
	VPCMPUB
	VPCMPW
	VPCMPUW
	VPCMPD
	VPCMPUD
	VPCMPQ
	VPCMPUQ
	VPTESTMB
	VPTESTMW
	VPTESTMD
	VPTESTMQ
	VPTESTNMB
	VPTESTNMW
	VPTESTNMD
	VPTESTNMQ
	VPTEST
	// Logic. The VEX forms have no element size: VPANDD and VPANDQ both become VPAND.
	VPANDD
	VPANDQ
	VPANDND
	VPANDNQ
	VPORD
	VPORQ
	VPXORD
	VPXORQ
	VPTERNLOGD
	VPTERNLOGQ
	// Shifts and rotates by an immediate: names ending in I.
	VPSLLWI
	VPSLLDI
	VPSLLQI
	VPSRLWI
	VPSRLDI
	VPSRLQI
	VPSRAWI
	VPSRADI
	VPSRAQI
	VPSLLDQI
	VPSRLDQI
	VPROLDI
	VPROLQI
	VPRORDI
	VPRORQI
	// Shifts of all elements by one count, the low quadword of a register or of 16 bytes of memory.
	VPSLLW
	VPSLLD
	VPSLLQ
	VPSRLW
	VPSRLD
	VPSRLQ
	VPSRAW
	VPSRAD
	VPSRAQ
	// Shifts and rotates of each element by its own count.
	VPSLLVD
	VPSLLVQ
	VPSRLVD
	VPSRLVQ
	VPSRAVD
	VPSRAVQ
	VPSLLVW
	VPSRLVW
	VPSRAVW
	VPROLVD
	VPROLVQ
	VPRORVD
	VPRORVQ
	// Bits: leading zeros, population count, conflicts.
	VPLZCNTD
	VPLZCNTQ
	VPCONFLICTD
	VPCONFLICTQ
	VPOPCNTD
	VPOPCNTQ
	VPOPCNTB
	VPOPCNTW
	opIntEnd
)

var opIntRows = [...]row{
	// Add, subtract, multiply.
	VPADDB - opInt:     {name: "vpaddb", d: p66 | x0F | 0xFC | both | rvm},
	VPADDW - opInt:     {name: "vpaddw", d: p66 | x0F | 0xFD | both | rvm},
	VPADDD - opInt:     {name: "vpaddd", d: p66 | x0F | 0xFE | both | rvm | b32},
	VPADDQ - opInt:     {name: "vpaddq", d: p66 | x0F | 0xD4 | both | rvm | ew1 | b64},
	VPSUBB - opInt:     {name: "vpsubb", d: p66 | x0F | 0xF8 | both | rvm},
	VPSUBW - opInt:     {name: "vpsubw", d: p66 | x0F | 0xF9 | both | rvm},
	VPSUBD - opInt:     {name: "vpsubd", d: p66 | x0F | 0xFA | both | rvm | b32},
	VPSUBQ - opInt:     {name: "vpsubq", d: p66 | x0F | 0xFB | both | rvm | ew1 | b64},
	VPADDSB - opInt:    {name: "vpaddsb", d: p66 | x0F | 0xEC | both | rvm},
	VPADDSW - opInt:    {name: "vpaddsw", d: p66 | x0F | 0xED | both | rvm},
	VPADDUSB - opInt:   {name: "vpaddusb", d: p66 | x0F | 0xDC | both | rvm},
	VPADDUSW - opInt:   {name: "vpaddusw", d: p66 | x0F | 0xDD | both | rvm},
	VPSUBSB - opInt:    {name: "vpsubsb", d: p66 | x0F | 0xE8 | both | rvm},
	VPSUBSW - opInt:    {name: "vpsubsw", d: p66 | x0F | 0xE9 | both | rvm},
	VPSUBUSB - opInt:   {name: "vpsubusb", d: p66 | x0F | 0xD8 | both | rvm},
	VPSUBUSW - opInt:   {name: "vpsubusw", d: p66 | x0F | 0xD9 | both | rvm},
	VPAVGB - opInt:     {name: "vpavgb", d: p66 | x0F | 0xE0 | both | rvm},
	VPAVGW - opInt:     {name: "vpavgw", d: p66 | x0F | 0xE3 | both | rvm},
	VPMULLW - opInt:    {name: "vpmullw", d: p66 | x0F | 0xD5 | both | rvm},
	VPMULHW - opInt:    {name: "vpmulhw", d: p66 | x0F | 0xE5 | both | rvm},
	VPMULHUW - opInt:   {name: "vpmulhuw", d: p66 | x0F | 0xE4 | both | rvm},
	VPMADDWD - opInt:   {name: "vpmaddwd", d: p66 | x0F | 0xF5 | both | rvm},
	VPSADBW - opInt:    {name: "vpsadbw", d: p66 | x0F | 0xF6 | both | rvm | noMask},
	VPMULUDQ - opInt:   {name: "vpmuludq", d: p66 | x0F | 0xF4 | both | rvm | ew1 | b64},
	VPMULDQ - opInt:    {name: "vpmuldq", d: p66 | x0F38 | 0x28 | both | rvm | ew1 | b64},
	VPMULHRSW - opInt:  {name: "vpmulhrsw", d: p66 | x0F38 | 0x0B | both | rvm},
	VPMADDUBSW - opInt: {name: "vpmaddubsw", d: p66 | x0F38 | 0x04 | both | rvm},
	VPMULLD - opInt:    {name: "vpmulld", d: p66 | x0F38 | 0x40 | both | rvm | b32},
	VPMULLQ - opInt:    {name: "vpmullq", d: p66 | x0F38 | 0x40 | evex | rvm | ew1 | b64},
	VPSIGNB - opInt:    {name: "vpsignb", d: p66 | x0F38 | 0x08 | vex | rvm},
	VPSIGNW - opInt:    {name: "vpsignw", d: p66 | x0F38 | 0x09 | vex | rvm},
	VPSIGND - opInt:    {name: "vpsignd", d: p66 | x0F38 | 0x0A | vex | rvm},
	// Dot products of bytes and words.
	VPDPBUSD - opInt:  {name: "vpdpbusd", d: p66 | x0F38 | 0x50 | evex | rvm | b32 | accum},
	VPDPBUSDS - opInt: {name: "vpdpbusds", d: p66 | x0F38 | 0x51 | evex | rvm | b32 | accum},
	VPDPWSSD - opInt:  {name: "vpdpwssd", d: p66 | x0F38 | 0x52 | evex | rvm | b32 | accum},
	VPDPWSSDS - opInt: {name: "vpdpwssds", d: p66 | x0F38 | 0x53 | evex | rvm | b32 | accum},
	VDPBF16PS - opInt: {name: "vdpbf16ps", d: pF3 | x0F38 | 0x52 | evex | rvm | b32 | accum},
	// Minimum, maximum, absolute value.
	VPMINUB - opInt: {name: "vpminub", d: p66 | x0F | 0xDA | both | rvm},
	VPMINSW - opInt: {name: "vpminsw", d: p66 | x0F | 0xEA | both | rvm},
	VPMAXUB - opInt: {name: "vpmaxub", d: p66 | x0F | 0xDE | both | rvm},
	VPMAXSW - opInt: {name: "vpmaxsw", d: p66 | x0F | 0xEE | both | rvm},
	VPMINSB - opInt: {name: "vpminsb", d: p66 | x0F38 | 0x38 | both | rvm},
	VPMINUW - opInt: {name: "vpminuw", d: p66 | x0F38 | 0x3A | both | rvm},
	VPMAXSB - opInt: {name: "vpmaxsb", d: p66 | x0F38 | 0x3C | both | rvm},
	VPMAXUW - opInt: {name: "vpmaxuw", d: p66 | x0F38 | 0x3E | both | rvm},
	VPMINSD - opInt: {name: "vpminsd", d: p66 | x0F38 | 0x39 | both | rvm | b32},
	VPMINUD - opInt: {name: "vpminud", d: p66 | x0F38 | 0x3B | both | rvm | b32},
	VPMAXSD - opInt: {name: "vpmaxsd", d: p66 | x0F38 | 0x3D | both | rvm | b32},
	VPMAXUD - opInt: {name: "vpmaxud", d: p66 | x0F38 | 0x3F | both | rvm | b32},
	VPMINSQ - opInt: {name: "vpminsq", d: p66 | x0F38 | 0x39 | evex | rvm | ew1 | b64},
	VPMINUQ - opInt: {name: "vpminuq", d: p66 | x0F38 | 0x3B | evex | rvm | ew1 | b64},
	VPMAXSQ - opInt: {name: "vpmaxsq", d: p66 | x0F38 | 0x3D | evex | rvm | ew1 | b64},
	VPMAXUQ - opInt: {name: "vpmaxuq", d: p66 | x0F38 | 0x3F | evex | rvm | ew1 | b64},
	VPABSB - opInt:  {name: "vpabsb", d: p66 | x0F38 | 0x1C | both | rm},
	VPABSW - opInt:  {name: "vpabsw", d: p66 | x0F38 | 0x1D | both | rm},
	VPABSD - opInt:  {name: "vpabsd", d: p66 | x0F38 | 0x1E | both | rm | b32},
	VPABSQ - opInt:  {name: "vpabsq", d: p66 | x0F38 | 0x1F | evex | rm | ew1 | b64},
	// Compares: into a vector (VEX), or into an opmask by a predicate (EVEX).
	VPCMPEQB - opInt:  {name: "vpcmpeqb", d: p66 | x0F | 0x74 | vex | rvm},
	VPCMPEQW - opInt:  {name: "vpcmpeqw", d: p66 | x0F | 0x75 | vex | rvm},
	VPCMPEQD - opInt:  {name: "vpcmpeqd", d: p66 | x0F | 0x76 | vex | rvm},
	VPCMPEQQ - opInt:  {name: "vpcmpeqq", d: p66 | x0F38 | 0x29 | vex | rvm},
	VPCMPGTB - opInt:  {name: "vpcmpgtb", d: p66 | x0F | 0x64 | vex | rvm},
	VPCMPGTW - opInt:  {name: "vpcmpgtw", d: p66 | x0F | 0x65 | vex | rvm},
	VPCMPGTD - opInt:  {name: "vpcmpgtd", d: p66 | x0F | 0x66 | vex | rvm},
	VPCMPGTQ - opInt:  {name: "vpcmpgtq", d: p66 | x0F38 | 0x37 | vex | rvm},
	VPCMPB - opInt:    {name: "vpcmpb", d: p66 | x0F3A | 0x3F | evex | toMask | noZero | imm8},
	VPCMPUB - opInt:   {name: "vpcmpub", d: p66 | x0F3A | 0x3E | evex | toMask | noZero | imm8},
	VPCMPW - opInt:    {name: "vpcmpw", d: p66 | x0F3A | 0x3F | evex | ew1 | toMask | noZero | imm8},
	VPCMPUW - opInt:   {name: "vpcmpuw", d: p66 | x0F3A | 0x3E | evex | ew1 | toMask | noZero | imm8},
	VPCMPD - opInt:    {name: "vpcmpd", d: p66 | x0F3A | 0x1F | evex | toMask | noZero | imm8 | b32},
	VPCMPUD - opInt:   {name: "vpcmpud", d: p66 | x0F3A | 0x1E | evex | toMask | noZero | imm8 | b32},
	VPCMPQ - opInt:    {name: "vpcmpq", d: p66 | x0F3A | 0x1F | evex | ew1 | toMask | noZero | imm8 | b64},
	VPCMPUQ - opInt:   {name: "vpcmpuq", d: p66 | x0F3A | 0x1E | evex | ew1 | toMask | noZero | imm8 | b64},
	VPTESTMB - opInt:  {name: "vptestmb", d: p66 | x0F38 | 0x26 | evex | toMask | noZero},
	VPTESTMW - opInt:  {name: "vptestmw", d: p66 | x0F38 | 0x26 | evex | ew1 | toMask | noZero},
	VPTESTMD - opInt:  {name: "vptestmd", d: p66 | x0F38 | 0x27 | evex | toMask | noZero | b32},
	VPTESTMQ - opInt:  {name: "vptestmq", d: p66 | x0F38 | 0x27 | evex | ew1 | toMask | noZero | b64},
	VPTESTNMB - opInt: {name: "vptestnmb", d: pF3 | x0F38 | 0x26 | evex | toMask | noZero},
	VPTESTNMW - opInt: {name: "vptestnmw", d: pF3 | x0F38 | 0x26 | evex | ew1 | toMask | noZero},
	VPTESTNMD - opInt: {name: "vptestnmd", d: pF3 | x0F38 | 0x27 | evex | toMask | noZero | b32},
	VPTESTNMQ - opInt: {name: "vptestnmq", d: pF3 | x0F38 | 0x27 | evex | ew1 | toMask | noZero | b64},
	VPTEST - opInt:    {name: "vptest", d: p66 | x0F38 | 0x17 | vex | rm},
	// Logic. The VEX forms have no element size: VPANDD and VPANDQ both become VPAND.
	VPANDD - opInt:     {name: "vpandd", vname: "vpand", d: p66 | x0F | 0xDB | both | rvm | b32},
	VPANDQ - opInt:     {name: "vpandq", vname: "vpand", d: p66 | x0F | 0xDB | both | rvm | ew1 | b64},
	VPANDND - opInt:    {name: "vpandnd", vname: "vpandn", d: p66 | x0F | 0xDF | both | rvm | b32},
	VPANDNQ - opInt:    {name: "vpandnq", vname: "vpandn", d: p66 | x0F | 0xDF | both | rvm | ew1 | b64},
	VPORD - opInt:      {name: "vpord", vname: "vpor", d: p66 | x0F | 0xEB | both | rvm | b32},
	VPORQ - opInt:      {name: "vporq", vname: "vpor", d: p66 | x0F | 0xEB | both | rvm | ew1 | b64},
	VPXORD - opInt:     {name: "vpxord", vname: "vpxor", d: p66 | x0F | 0xEF | both | rvm | b32},
	VPXORQ - opInt:     {name: "vpxorq", vname: "vpxor", d: p66 | x0F | 0xEF | both | rvm | ew1 | b64},
	VPTERNLOGD - opInt: {name: "vpternlogd", d: p66 | x0F3A | 0x25 | evex | rvm | b32 | imm8 | accum},
	VPTERNLOGQ - opInt: {name: "vpternlogq", d: p66 | x0F3A | 0x25 | evex | rvm | ew1 | b64 | imm8 | accum},
	// Shifts and rotates by an immediate: names ending in I.
	VPSLLWI - opInt:  {name: "vpsllw", d: p66 | x0F | 0x71 | d6 | both | fVM | vV | mV | memFull | imm8},
	VPSLLDI - opInt:  {name: "vpslld", d: p66 | x0F | 0x72 | d6 | both | fVM | vV | mV | memFull | imm8 | b32},
	VPSLLQI - opInt:  {name: "vpsllq", d: p66 | x0F | 0x73 | d6 | both | fVM | vV | mV | memFull | imm8 | ew1 | b64},
	VPSRLWI - opInt:  {name: "vpsrlw", d: p66 | x0F | 0x71 | d2 | both | fVM | vV | mV | memFull | imm8},
	VPSRLDI - opInt:  {name: "vpsrld", d: p66 | x0F | 0x72 | d2 | both | fVM | vV | mV | memFull | imm8 | b32},
	VPSRLQI - opInt:  {name: "vpsrlq", d: p66 | x0F | 0x73 | d2 | both | fVM | vV | mV | memFull | imm8 | ew1 | b64},
	VPSRAWI - opInt:  {name: "vpsraw", d: p66 | x0F | 0x71 | d4 | both | fVM | vV | mV | memFull | imm8},
	VPSRADI - opInt:  {name: "vpsrad", d: p66 | x0F | 0x72 | d4 | both | fVM | vV | mV | memFull | imm8 | b32},
	VPSRAQI - opInt:  {name: "vpsraq", d: p66 | x0F | 0x72 | d4 | evex | fVM | vV | mV | memFull | imm8 | ew1 | b64},
	VPSLLDQI - opInt: {name: "vpslldq", d: p66 | x0F | 0x73 | d7 | both | fVM | vV | mV | memFull | imm8 | noMask},
	VPSRLDQI - opInt: {name: "vpsrldq", d: p66 | x0F | 0x73 | d3 | both | fVM | vV | mV | memFull | imm8 | noMask},
	VPROLDI - opInt:  {name: "vprold", d: p66 | x0F | 0x72 | d1 | evex | fVM | vV | mV | memFull | imm8 | b32},
	VPROLQI - opInt:  {name: "vprolq", d: p66 | x0F | 0x72 | d1 | evex | fVM | vV | mV | memFull | imm8 | ew1 | b64},
	VPRORDI - opInt:  {name: "vprord", d: p66 | x0F | 0x72 | d0 | evex | fVM | vV | mV | memFull | imm8 | b32},
	VPRORQI - opInt:  {name: "vprorq", d: p66 | x0F | 0x72 | d0 | evex | fVM | vV | mV | memFull | imm8 | ew1 | b64},
	// Shifts of all elements by one count, the low quadword of a register or of 16 bytes of memory.
	VPSLLW - opInt: {name: "vpsllw", d: p66 | x0F | 0xF1 | both | fRVM | rV | vV | mX | mem16},
	VPSLLD - opInt: {name: "vpslld", d: p66 | x0F | 0xF2 | both | fRVM | rV | vV | mX | mem16},
	VPSLLQ - opInt: {name: "vpsllq", d: p66 | x0F | 0xF3 | both | ew1 | fRVM | rV | vV | mX | mem16},
	VPSRLW - opInt: {name: "vpsrlw", d: p66 | x0F | 0xD1 | both | fRVM | rV | vV | mX | mem16},
	VPSRLD - opInt: {name: "vpsrld", d: p66 | x0F | 0xD2 | both | fRVM | rV | vV | mX | mem16},
	VPSRLQ - opInt: {name: "vpsrlq", d: p66 | x0F | 0xD3 | both | ew1 | fRVM | rV | vV | mX | mem16},
	VPSRAW - opInt: {name: "vpsraw", d: p66 | x0F | 0xE1 | both | fRVM | rV | vV | mX | mem16},
	VPSRAD - opInt: {name: "vpsrad", d: p66 | x0F | 0xE2 | both | fRVM | rV | vV | mX | mem16},
	VPSRAQ - opInt: {name: "vpsraq", d: p66 | x0F | 0xE2 | evex | ew1 | fRVM | rV | vV | mX | mem16},
	// Shifts and rotates of each element by its own count.
	VPSLLVD - opInt: {name: "vpsllvd", d: p66 | x0F38 | 0x47 | both | rvm | b32},
	VPSLLVQ - opInt: {name: "vpsllvq", d: p66 | x0F38 | 0x47 | both | rvm | w1 | b64},
	VPSRLVD - opInt: {name: "vpsrlvd", d: p66 | x0F38 | 0x45 | both | rvm | b32},
	VPSRLVQ - opInt: {name: "vpsrlvq", d: p66 | x0F38 | 0x45 | both | rvm | w1 | b64},
	VPSRAVD - opInt: {name: "vpsravd", d: p66 | x0F38 | 0x46 | both | rvm | b32},
	VPSRAVQ - opInt: {name: "vpsravq", d: p66 | x0F38 | 0x46 | evex | rvm | ew1 | b64},
	VPSLLVW - opInt: {name: "vpsllvw", d: p66 | x0F38 | 0x12 | evex | rvm | ew1},
	VPSRLVW - opInt: {name: "vpsrlvw", d: p66 | x0F38 | 0x10 | evex | rvm | ew1},
	VPSRAVW - opInt: {name: "vpsravw", d: p66 | x0F38 | 0x11 | evex | rvm | ew1},
	VPROLVD - opInt: {name: "vprolvd", d: p66 | x0F38 | 0x15 | evex | rvm | b32},
	VPROLVQ - opInt: {name: "vprolvq", d: p66 | x0F38 | 0x15 | evex | rvm | ew1 | b64},
	VPRORVD - opInt: {name: "vprorvd", d: p66 | x0F38 | 0x14 | evex | rvm | b32},
	VPRORVQ - opInt: {name: "vprorvq", d: p66 | x0F38 | 0x14 | evex | rvm | ew1 | b64},
	// Bits: leading zeros, population count, conflicts.
	VPLZCNTD - opInt:    {name: "vplzcntd", d: p66 | x0F38 | 0x44 | evex | rm | b32},
	VPLZCNTQ - opInt:    {name: "vplzcntq", d: p66 | x0F38 | 0x44 | evex | rm | ew1 | b64},
	VPCONFLICTD - opInt: {name: "vpconflictd", d: p66 | x0F38 | 0xC4 | evex | rm | b32},
	VPCONFLICTQ - opInt: {name: "vpconflictq", d: p66 | x0F38 | 0xC4 | evex | rm | ew1 | b64},
	VPOPCNTD - opInt:    {name: "vpopcntd", d: p66 | x0F38 | 0x55 | evex | rm | b32},
	VPOPCNTQ - opInt:    {name: "vpopcntq", d: p66 | x0F38 | 0x55 | evex | rm | ew1 | b64},
	VPOPCNTB - opInt:    {name: "vpopcntb", d: p66 | x0F38 | 0x54 | evex | rm},
	VPOPCNTW - opInt:    {name: "vpopcntw", d: p66 | x0F38 | 0x54 | evex | rm | ew1},
}

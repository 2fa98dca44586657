package asm

// Opmasks, tiles, BMI.
const (
	opMask = opMoveEnd
)

// The instructions of this file.
const (
	// Opmasks.
	KMOVB = opMask + iota
	KMOVW
	KMOVD
	KMOVQ
	KMOVBKR
	KMOVBRK
	KMOVWKR
	KMOVWRK
	KMOVDKR
	KMOVDRK
	KMOVQKR
	KMOVQRK
	KANDB
	KANDW
	KANDD
	KANDQ
	KANDNB
	KANDNW
	KANDND
	KANDNQ
	KORB
	KORW
	KORD
	KORQ
	KXNORB
	KXNORW
	KXNORD
	KXNORQ
	KXORB
	KXORW
	KXORD
	KXORQ
	KADDB
	KADDW
	KADDD
	KADDQ
	KUNPCKBW
	KUNPCKWD
	KUNPCKDQ
	KNOTB
	KNOTW
	KNOTD
	KNOTQ
	KORTESTB
	KORTESTW
	KORTESTD
	KORTESTQ
	KTESTB
	KTESTW
	KTESTD
	KTESTQ
	KSHIFTRB
	KSHIFTRW
	KSHIFTRD
	KSHIFTRQ
	KSHIFTLB
	KSHIFTLW
	KSHIFTLD
	KSHIFTLQ
	// Bits of general registers (BMI1, BMI2).
	ANDN
	PDEP
	PEXT
	MULX
	BEXTR
	BZHI
	SHLX
	SHRX
	SARX
	RORX
	BLSR
	BLSMSK
	BLSI
	// Tiles (AMX).
	LDTILECFG
	STTILECFG
	TILERELEASE
	TILEZERO
	TILELOADD
	TILELOADDT1
	TILESTORED
	TDPBF16PS
	TDPFP16PS
	TDPBSSD
	TDPBSUD
	TDPBUSD
	TDPBUUD
	opMaskEnd
)

var opMaskRows = [...]row{
	// Opmasks.
	KMOVB - opMask:    {name: "kmovb", d: p66 | x0F | 0x90 | vex | fRM | rK | mK | mem1, store: 0x91},
	KMOVW - opMask:    {name: "kmovw", d: np | x0F | 0x90 | vex | fRM | rK | mK | mem2, store: 0x91},
	KMOVD - opMask:    {name: "kmovd", d: p66 | x0F | 0x90 | vex | vw1 | fRM | rK | mK | mem4, store: 0x91},
	KMOVQ - opMask:    {name: "kmovq", d: np | x0F | 0x90 | vex | vw1 | fRM | rK | mK | mem8, store: 0x91},
	KMOVBKR - opMask:  {name: "kmovb", d: p66 | x0F | 0x92 | vex | fRM | rK | mD | regOnly},
	KMOVBRK - opMask:  {name: "kmovb", d: p66 | x0F | 0x93 | vex | fRM | rD | mK | regOnly},
	KMOVWKR - opMask:  {name: "kmovw", d: np | x0F | 0x92 | vex | fRM | rK | mD | regOnly},
	KMOVWRK - opMask:  {name: "kmovw", d: np | x0F | 0x93 | vex | fRM | rD | mK | regOnly},
	KMOVDKR - opMask:  {name: "kmovd", d: pF2 | x0F | 0x92 | vex | fRM | rK | mD | regOnly},
	KMOVDRK - opMask:  {name: "kmovd", d: pF2 | x0F | 0x93 | vex | fRM | rD | mK | regOnly},
	KMOVQKR - opMask:  {name: "kmovq", d: pF2 | x0F | 0x92 | vex | vw1 | fRM | rK | mR64 | regOnly},
	KMOVQRK - opMask:  {name: "kmovq", d: pF2 | x0F | 0x93 | vex | vw1 | fRM | desc(GP64)<<27 | mK | regOnly},
	KANDB - opMask:    {name: "kandb", d: p66 | x0F | 0x41 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KANDW - opMask:    {name: "kandw", d: np | x0F | 0x41 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KANDD - opMask:    {name: "kandd", d: p66 | x0F | 0x41 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KANDQ - opMask:    {name: "kandq", d: np | x0F | 0x41 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KANDNB - opMask:   {name: "kandnb", d: p66 | x0F | 0x42 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KANDNW - opMask:   {name: "kandnw", d: np | x0F | 0x42 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KANDND - opMask:   {name: "kandnd", d: p66 | x0F | 0x42 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KANDNQ - opMask:   {name: "kandnq", d: np | x0F | 0x42 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KORB - opMask:     {name: "korb", d: p66 | x0F | 0x45 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KORW - opMask:     {name: "korw", d: np | x0F | 0x45 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KORD - opMask:     {name: "kord", d: p66 | x0F | 0x45 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KORQ - opMask:     {name: "korq", d: np | x0F | 0x45 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KXNORB - opMask:   {name: "kxnorb", d: p66 | x0F | 0x46 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KXNORW - opMask:   {name: "kxnorw", d: np | x0F | 0x46 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KXNORD - opMask:   {name: "kxnord", d: p66 | x0F | 0x46 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KXNORQ - opMask:   {name: "kxnorq", d: np | x0F | 0x46 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KXORB - opMask:    {name: "kxorb", d: p66 | x0F | 0x47 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KXORW - opMask:    {name: "kxorw", d: np | x0F | 0x47 | vex | fRVM | rK | vK | mK | regOnly | l1},
	KXORD - opMask:    {name: "kxord", d: p66 | x0F | 0x47 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KXORQ - opMask:    {name: "kxorq", d: np | x0F | 0x47 | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KADDB - opMask:    {name: "kaddb", d: p66 | x0F | 0x4A | vex | fRVM | rK | vK | mK | regOnly | l1},
	KADDW - opMask:    {name: "kaddw", d: np | x0F | 0x4A | vex | fRVM | rK | vK | mK | regOnly | l1},
	KADDD - opMask:    {name: "kaddd", d: p66 | x0F | 0x4A | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KADDQ - opMask:    {name: "kaddq", d: np | x0F | 0x4A | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KUNPCKBW - opMask: {name: "kunpckbw", d: p66 | x0F | 0x4B | vex | fRVM | rK | vK | mK | regOnly | l1},
	KUNPCKWD - opMask: {name: "kunpckwd", d: np | x0F | 0x4B | vex | fRVM | rK | vK | mK | regOnly | l1},
	KUNPCKDQ - opMask: {name: "kunpckdq", d: np | x0F | 0x4B | vex | vw1 | fRVM | rK | vK | mK | regOnly | l1},
	KNOTB - opMask:    {name: "knotb", d: p66 | x0F | 0x44 | vex | fRM | rK | mK | regOnly},
	KNOTW - opMask:    {name: "knotw", d: np | x0F | 0x44 | vex | fRM | rK | mK | regOnly},
	KNOTD - opMask:    {name: "knotd", d: p66 | x0F | 0x44 | vex | vw1 | fRM | rK | mK | regOnly},
	KNOTQ - opMask:    {name: "knotq", d: np | x0F | 0x44 | vex | vw1 | fRM | rK | mK | regOnly},
	KORTESTB - opMask: {name: "kortestb", d: p66 | x0F | 0x98 | vex | fRM | rK | mK | regOnly},
	KORTESTW - opMask: {name: "kortestw", d: np | x0F | 0x98 | vex | fRM | rK | mK | regOnly},
	KORTESTD - opMask: {name: "kortestd", d: p66 | x0F | 0x98 | vex | vw1 | fRM | rK | mK | regOnly},
	KORTESTQ - opMask: {name: "kortestq", d: np | x0F | 0x98 | vex | vw1 | fRM | rK | mK | regOnly},
	KTESTB - opMask:   {name: "ktestb", d: p66 | x0F | 0x99 | vex | fRM | rK | mK | regOnly},
	KTESTW - opMask:   {name: "ktestw", d: np | x0F | 0x99 | vex | fRM | rK | mK | regOnly},
	KTESTD - opMask:   {name: "ktestd", d: p66 | x0F | 0x99 | vex | vw1 | fRM | rK | mK | regOnly},
	KTESTQ - opMask:   {name: "ktestq", d: np | x0F | 0x99 | vex | vw1 | fRM | rK | mK | regOnly},
	KSHIFTRB - opMask: {name: "kshiftrb", d: p66 | x0F3A | 0x30 | vex | fRM | rK | mK | regOnly | imm8},
	KSHIFTRW - opMask: {name: "kshiftrw", d: p66 | x0F3A | 0x30 | vex | vw1 | fRM | rK | mK | regOnly | imm8},
	KSHIFTRD - opMask: {name: "kshiftrd", d: p66 | x0F3A | 0x31 | vex | fRM | rK | mK | regOnly | imm8},
	KSHIFTRQ - opMask: {name: "kshiftrq", d: p66 | x0F3A | 0x31 | vex | vw1 | fRM | rK | mK | regOnly | imm8},
	KSHIFTLB - opMask: {name: "kshiftlb", d: p66 | x0F3A | 0x32 | vex | fRM | rK | mK | regOnly | imm8},
	KSHIFTLW - opMask: {name: "kshiftlw", d: p66 | x0F3A | 0x32 | vex | vw1 | fRM | rK | mK | regOnly | imm8},
	KSHIFTLD - opMask: {name: "kshiftld", d: p66 | x0F3A | 0x33 | vex | fRM | rK | mK | regOnly | imm8},
	KSHIFTLQ - opMask: {name: "kshiftlq", d: p66 | x0F3A | 0x33 | vex | vw1 | fRM | rK | mK | regOnly | imm8},
	// Bits of general registers (BMI1, BMI2).
	ANDN - opMask:   {name: "andn", d: np | x0F38 | 0xF2 | vex | wReg | fRVM | rG | vG | mG | memFull},
	PDEP - opMask:   {name: "pdep", d: pF2 | x0F38 | 0xF5 | vex | wReg | fRVM | rG | vG | mG | memFull},
	PEXT - opMask:   {name: "pext", d: pF3 | x0F38 | 0xF5 | vex | wReg | fRVM | rG | vG | mG | memFull},
	MULX - opMask:   {name: "mulx", d: pF2 | x0F38 | 0xF6 | vex | wReg | fRVM | rG | vG | mG | memFull},
	BEXTR - opMask:  {name: "bextr", d: np | x0F38 | 0xF7 | vex | wReg | fRMV | rG | vG | mG | memFull},
	BZHI - opMask:   {name: "bzhi", d: np | x0F38 | 0xF5 | vex | wReg | fRMV | rG | vG | mG | memFull},
	SHLX - opMask:   {name: "shlx", d: p66 | x0F38 | 0xF7 | vex | wReg | fRMV | rG | vG | mG | memFull},
	SHRX - opMask:   {name: "shrx", d: pF2 | x0F38 | 0xF7 | vex | wReg | fRMV | rG | vG | mG | memFull},
	SARX - opMask:   {name: "sarx", d: pF3 | x0F38 | 0xF7 | vex | wReg | fRMV | rG | vG | mG | memFull},
	RORX - opMask:   {name: "rorx", d: pF2 | x0F3A | 0xF0 | vex | wReg | fRM | rG | mG | memFull | imm8},
	BLSR - opMask:   {name: "blsr", d: np | x0F38 | 0xF3 | d1 | vex | wReg | fVM | vG | mG | memFull},
	BLSMSK - opMask: {name: "blsmsk", d: np | x0F38 | 0xF3 | d2 | vex | wReg | fVM | vG | mG | memFull},
	BLSI - opMask:   {name: "blsi", d: np | x0F38 | 0xF3 | d3 | vex | wReg | fVM | vG | mG | memFull},
	// Tiles (AMX).
	LDTILECFG - opMask:   {name: "ldtilecfg", d: np | x0F38 | 0x49 | vex | d0 | fM | mem64 | memOnly},
	STTILECFG - opMask:   {name: "sttilecfg", d: p66 | x0F38 | 0x49 | vex | d0 | fM | mem64 | memOnly},
	TILERELEASE - opMask: {name: "tilerelease", d: np | x0F38 | 0x49 | vex | fNone},
	TILEZERO - opMask:    {name: "tilezero", d: pF2 | x0F38 | 0x49 | vex | fR | rT},
	TILELOADD - opMask:   {name: "tileloadd", d: pF2 | x0F38 | 0x4B | vex | fRM | rT | mT | mem1 | memOnly},
	TILELOADDT1 - opMask: {name: "tileloaddt1", d: p66 | x0F38 | 0x4B | vex | fRM | rT | mT | mem1 | memOnly},
	TILESTORED - opMask:  {name: "tilestored", d: pF3 | x0F38 | 0x4B | vex | fMR | rT | mT | mem1 | memOnly},
	TDPBF16PS - opMask:   {name: "tdpbf16ps", d: pF3 | x0F38 | 0x5C | vex | fRMV | rT | vT | mT | regOnly},
	TDPFP16PS - opMask:   {name: "tdpfp16ps", d: pF2 | x0F38 | 0x5C | vex | fRMV | rT | vT | mT | regOnly},
	TDPBSSD - opMask:     {name: "tdpbssd", d: pF2 | x0F38 | 0x5E | vex | fRMV | rT | vT | mT | regOnly},
	TDPBSUD - opMask:     {name: "tdpbsud", d: pF3 | x0F38 | 0x5E | vex | fRMV | rT | vT | mT | regOnly},
	TDPBUSD - opMask:     {name: "tdpbusd", d: p66 | x0F38 | 0x5E | vex | fRMV | rT | vT | mT | regOnly},
	TDPBUUD - opMask:     {name: "tdpbuud", d: np | x0F38 | 0x5E | vex | fRMV | rT | vT | mT | regOnly},
}

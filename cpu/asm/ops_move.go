package asm

// Loads, stores, gathers, scatters, opmasks, tiles.
const (
	opMove = opShuffleEnd
)

// The instructions of this file.
const (
	// Loads and stores of whole vectors; under an opmask, lanes that are off are not touched.
	VMOVUPS = opMove + iota
	VMOVUPD
	VMOVAPS
	VMOVAPD
	VMOVDQU32
	VMOVDQU64
	VMOVDQA32
	VMOVDQA64
	VMOVDQU8
	VMOVDQU16
	VMOVNTPS
	VMOVNTPD
	VMOVNTDQ
	VMOVNTDQA
	// Loads and stores masked by the signs of a vector.
	VMASKMOVPS
	VMASKMOVPD
	VPMASKMOVD
	VPMASKMOVQ
	// Scalars: VMOVSS and VMOVSD between memory and register, the forms ending in R merge two registers.
	VMOVSS
	VMOVSD
	VMOVSSR
	VMOVSDR
	VMOVQX
	VMOVD
	VMOVQ
	VPINSRB
	VPINSRW
	VPINSRD
	VPINSRQ
	VPEXTRB
	VPEXTRW
	VPEXTRD
	VPEXTRQ
	VMOVMSKPS
	VMOVMSKPD
	VPMOVMSKB
	VZEROUPPER
	// Gathers and scatters. The two letters are index and data: in DQ the index has half the size, in QD and QPS the data.
	VPGATHERDD
	VPGATHERDQ
	VPGATHERQD
	VPGATHERQQ
	VGATHERDPS
	VGATHERDPD
	VGATHERQPS
	VGATHERQPD
	VPSCATTERDD
	VPSCATTERDQ
	VPSCATTERQD
	VPSCATTERQQ
	VSCATTERDPS
	VSCATTERDPD
	VSCATTERQPS
	VSCATTERQPD
	opMoveEnd
)

var opMoveRows = [...]row{
	// Loads and stores of whole vectors; under an opmask, lanes that are off are not touched.
	VMOVUPS - opMove:   {name: "vmovups", d: np | x0F | 0x10 | both | rm, store: 0x11},
	VMOVUPD - opMove:   {name: "vmovupd", d: p66 | x0F | 0x10 | both | ew1 | rm, store: 0x11},
	VMOVAPS - opMove:   {name: "vmovaps", d: np | x0F | 0x28 | both | rm, store: 0x29},
	VMOVAPD - opMove:   {name: "vmovapd", d: p66 | x0F | 0x28 | both | ew1 | rm, store: 0x29},
	VMOVDQU32 - opMove: {name: "vmovdqu32", vname: "vmovdqu", d: pF3 | x0F | 0x6F | both | rm, store: 0x7F},
	VMOVDQU64 - opMove: {name: "vmovdqu64", vname: "vmovdqu", d: pF3 | x0F | 0x6F | both | ew1 | rm, store: 0x7F},
	VMOVDQA32 - opMove: {name: "vmovdqa32", vname: "vmovdqa", d: p66 | x0F | 0x6F | both | rm, store: 0x7F},
	VMOVDQA64 - opMove: {name: "vmovdqa64", vname: "vmovdqa", d: p66 | x0F | 0x6F | both | ew1 | rm, store: 0x7F},
	VMOVDQU8 - opMove:  {name: "vmovdqu8", d: pF2 | x0F | 0x6F | evex | rm, store: 0x7F},
	VMOVDQU16 - opMove: {name: "vmovdqu16", d: pF2 | x0F | 0x6F | evex | ew1 | rm, store: 0x7F},
	VMOVNTPS - opMove:  {name: "vmovntps", d: np | x0F | 0x2B | both | fMR | rV | mV | memFull | memOnly | noMask},
	VMOVNTPD - opMove:  {name: "vmovntpd", d: p66 | x0F | 0x2B | both | ew1 | fMR | rV | mV | memFull | memOnly | noMask},
	VMOVNTDQ - opMove:  {name: "vmovntdq", d: p66 | x0F | 0xE7 | both | fMR | rV | mV | memFull | memOnly | noMask},
	VMOVNTDQA - opMove: {name: "vmovntdqa", d: p66 | x0F38 | 0x2A | both | fRM | rV | mV | memFull | memOnly | noMask},
	// Loads and stores masked by the signs of a vector.
	VMASKMOVPS - opMove: {name: "vmaskmovps", d: p66 | x0F38 | 0x2C | vex | rvm | memOnly, store: 0x2E},
	VMASKMOVPD - opMove: {name: "vmaskmovpd", d: p66 | x0F38 | 0x2D | vex | rvm | memOnly, store: 0x2F},
	VPMASKMOVD - opMove: {name: "vpmaskmovd", d: p66 | x0F38 | 0x8C | vex | rvm | memOnly, store: 0x8E},
	VPMASKMOVQ - opMove: {name: "vpmaskmovq", d: p66 | x0F38 | 0x8C | vex | vw1 | rvm | memOnly, store: 0x8E},
	// Scalars: VMOVSS and VMOVSD between memory and register, the forms ending in R merge two registers.
	VMOVSS - opMove:     {name: "vmovss", d: pF3 | x0F | 0x10 | both | scalar | mX | mem4 | memOnly, store: 0x11},
	VMOVSD - opMove:     {name: "vmovsd", d: pF2 | x0F | 0x10 | both | ew1 | scalar | mX | mem8 | memOnly, store: 0x11},
	VMOVSSR - opMove:    {name: "vmovss", d: pF3 | x0F | 0x10 | both | fRVM | rX | vX | mX | lig | regOnly},
	VMOVSDR - opMove:    {name: "vmovsd", d: pF2 | x0F | 0x10 | both | ew1 | fRVM | rX | vX | mX | lig | regOnly},
	VMOVQX - opMove:     {name: "vmovq", d: pF3 | x0F | 0x7E | both | ew1 | scalar | mX | mem8 | noMask},
	VMOVD - opMove:      {name: "vmovd", d: p66 | x0F | 0x6E | both | scalar | mD | mem4 | noMask, store: 0x7E},
	VMOVQ - opMove:      {name: "vmovq", d: p66 | x0F | 0x6E | both | w1 | scalar | mR64 | mem8 | noMask, store: 0x7E},
	VPINSRB - opMove:    {name: "vpinsrb", d: p66 | x0F3A | 0x20 | both | pinsr | mD | mem1},
	VPINSRW - opMove:    {name: "vpinsrw", d: p66 | x0F | 0xC4 | both | pinsr | mD | mem2},
	VPINSRD - opMove:    {name: "vpinsrd", d: p66 | x0F3A | 0x22 | both | pinsr | mD | mem4},
	VPINSRQ - opMove:    {name: "vpinsrq", d: p66 | x0F3A | 0x22 | both | w1 | pinsr | mR64 | mem8},
	VPEXTRB - opMove:    {name: "vpextrb", d: p66 | x0F3A | 0x14 | both | pextr | mD | mem1},
	VPEXTRW - opMove:    {name: "vpextrw", d: p66 | x0F3A | 0x15 | both | pextr | mD | mem2},
	VPEXTRD - opMove:    {name: "vpextrd", d: p66 | x0F3A | 0x16 | both | pextr | mD | mem4},
	VPEXTRQ - opMove:    {name: "vpextrq", d: p66 | x0F3A | 0x16 | both | w1 | pextr | mR64 | mem8},
	VMOVMSKPS - opMove:  {name: "vmovmskps", d: np | x0F | 0x50 | vex | fRM | rD | mV | regOnly},
	VMOVMSKPD - opMove:  {name: "vmovmskpd", d: p66 | x0F | 0x50 | vex | fRM | rD | mV | regOnly},
	VPMOVMSKB - opMove:  {name: "vpmovmskb", d: p66 | x0F | 0xD7 | vex | fRM | rD | mV | regOnly},
	VZEROUPPER - opMove: {name: "vzeroupper", d: np | x0F | 0x77 | vex | fNone},
	// Gathers and scatters. The two letters are index and data: in DQ the index has half the size, in QD and QPS the data.
	VPGATHERDD - opMove:  {name: "vpgatherdd", d: p66 | x0F38 | 0x90 | both | fGather | rV | vV | mV | mem4 | sparse},
	VPGATHERDQ - opMove:  {name: "vpgatherdq", d: p66 | x0F38 | 0x90 | both | w1 | fGather | rV | vV | mH | mem8 | sparse},
	VPGATHERQD - opMove:  {name: "vpgatherqd", d: p66 | x0F38 | 0x91 | both | fGather | rH | vH | mV | mem4 | sparse},
	VPGATHERQQ - opMove:  {name: "vpgatherqq", d: p66 | x0F38 | 0x91 | both | w1 | fGather | rV | vV | mV | mem8 | sparse},
	VGATHERDPS - opMove:  {name: "vgatherdps", d: p66 | x0F38 | 0x92 | both | fGather | rV | vV | mV | mem4 | sparse},
	VGATHERDPD - opMove:  {name: "vgatherdpd", d: p66 | x0F38 | 0x92 | both | w1 | fGather | rV | vV | mH | mem8 | sparse},
	VGATHERQPS - opMove:  {name: "vgatherqps", d: p66 | x0F38 | 0x93 | both | fGather | rH | vH | mV | mem4 | sparse},
	VGATHERQPD - opMove:  {name: "vgatherqpd", d: p66 | x0F38 | 0x93 | both | w1 | fGather | rV | vV | mV | mem8 | sparse},
	VPSCATTERDD - opMove: {name: "vpscatterdd", d: p66 | x0F38 | 0xA0 | evex | fScatter | rV | mV | mem4 | sparse},
	VPSCATTERDQ - opMove: {name: "vpscatterdq", d: p66 | x0F38 | 0xA0 | evex | ew1 | fScatter | rV | mH | mem8 | sparse},
	VPSCATTERQD - opMove: {name: "vpscatterqd", d: p66 | x0F38 | 0xA1 | evex | fScatter | rH | mV | mem4 | sparse},
	VPSCATTERQQ - opMove: {name: "vpscatterqq", d: p66 | x0F38 | 0xA1 | evex | ew1 | fScatter | rV | mV | mem8 | sparse},
	VSCATTERDPS - opMove: {name: "vscatterdps", d: p66 | x0F38 | 0xA2 | evex | fScatter | rV | mV | mem4 | sparse},
	VSCATTERDPD - opMove: {name: "vscatterdpd", d: p66 | x0F38 | 0xA2 | evex | ew1 | fScatter | rV | mH | mem8 | sparse},
	VSCATTERQPS - opMove: {name: "vscatterqps", d: p66 | x0F38 | 0xA3 | evex | fScatter | rH | mV | mem4 | sparse},
	VSCATTERQPD - opMove: {name: "vscatterqpd", d: p66 | x0F38 | 0xA3 | evex | ew1 | fScatter | rV | mV | mem8 | sparse},
}

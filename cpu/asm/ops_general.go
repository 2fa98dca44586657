package asm

// General registers, branches.
const (
	opGeneral = opMaskEnd
)

// The instructions of this file.
const (
	// Two operands, of which one may be memory or the second an immediate.
	ADD = opGeneral + iota
	OR
	ADC
	SBB
	AND
	SUB
	XOR
	CMP
	TEST
	MOV
	// Shifts by an immediate, or by CL (names ending in CL).
	ROL
	ROLCL
	ROR
	RORCL
	SHL
	SHLCL
	SHR
	SHRCL
	SAR
	SARCL
	// One operand. MUL, DIV and IDIV work on RDX:RAX.
	NOT
	NEG
	MUL
	IMUL1
	DIV
	IDIV
	INC
	DEC
	// A register from a register or memory. IMUL takes an immediate too.
	IMUL
	BSF
	BSR
	POPCNT
	TZCNT
	LZCNT
	MOVZX8
	MOVZX16
	MOVSX8
	MOVSX16
	MOVSXD
	LEA
	CMOV
	SET
	// Exchanges; with memory they are atomic.
	XCHG
	XADD
	CMPXCHG
	// Branches and instructions without operands. CQO is CDQ at 32 bits.
	JCC
	JMP
	JMPR
	RET
	CQO
	NOP
	PAUSE
	SFENCE
	UD2
	// Hints.
	PREFETCHNTA
	PREFETCHT0
	PREFETCHT1
	PREFETCHT2
	PREFETCHW
	opGeneralEnd
)

var opGeneralRows = [...]row{
	// Two operands, of which one may be memory or the second an immediate.
	ADD - opGeneral:  {name: "add", d: gALU | d0},
	OR - opGeneral:   {name: "or", d: gALU | 0x08 | d1},
	ADC - opGeneral:  {name: "adc", d: gALU | 0x10 | d2},
	SBB - opGeneral:  {name: "sbb", d: gALU | 0x18 | d3},
	AND - opGeneral:  {name: "and", d: gALU | 0x20 | d4},
	SUB - opGeneral:  {name: "sub", d: gALU | 0x28 | d5},
	XOR - opGeneral:  {name: "xor", d: gALU | 0x30 | d6},
	CMP - opGeneral:  {name: "cmp", d: gALU | 0x38 | d7},
	TEST - opGeneral: {name: "test", d: gTest | 0x84 | d0},
	MOV - opGeneral:  {name: "mov", d: gMov | 0x88 | d0},
	// Shifts by an immediate, or by CL (names ending in CL).
	ROL - opGeneral:   {name: "rol", d: gShift | 0xC0 | d0},
	ROLCL - opGeneral: {name: "rol", d: gUnary | 0xD2 | d0},
	ROR - opGeneral:   {name: "ror", d: gShift | 0xC0 | d1},
	RORCL - opGeneral: {name: "ror", d: gUnary | 0xD2 | d1},
	SHL - opGeneral:   {name: "shl", d: gShift | 0xC0 | d4},
	SHLCL - opGeneral: {name: "shl", d: gUnary | 0xD2 | d4},
	SHR - opGeneral:   {name: "shr", d: gShift | 0xC0 | d5},
	SHRCL - opGeneral: {name: "shr", d: gUnary | 0xD2 | d5},
	SAR - opGeneral:   {name: "sar", d: gShift | 0xC0 | d7},
	SARCL - opGeneral: {name: "sar", d: gUnary | 0xD2 | d7},
	// One operand. MUL, DIV and IDIV work on RDX:RAX.
	NOT - opGeneral:   {name: "not", d: gUnary | 0xF6 | d2},
	NEG - opGeneral:   {name: "neg", d: gUnary | 0xF6 | d3},
	MUL - opGeneral:   {name: "mul", d: gUnary | 0xF6 | d4},
	IMUL1 - opGeneral: {name: "imul", d: gUnary | 0xF6 | d5},
	DIV - opGeneral:   {name: "div", d: gUnary | 0xF6 | d6},
	IDIV - opGeneral:  {name: "idiv", d: gUnary | 0xF6 | d7},
	INC - opGeneral:   {name: "inc", d: gUnary | 0xFE | d0},
	DEC - opGeneral:   {name: "dec", d: gUnary | 0xFE | d1},
	// A register from a register or memory. IMUL takes an immediate too.
	IMUL - opGeneral:    {name: "imul", d: gRM | x0F | 0xAF | rG | mG | memFull},
	BSF - opGeneral:     {name: "bsf", d: gRM | np | x0F | 0xBC | rG | mG | memFull},
	BSR - opGeneral:     {name: "bsr", d: gRM | np | x0F | 0xBD | rG | mG | memFull},
	POPCNT - opGeneral:  {name: "popcnt", d: gRM | pF3 | x0F | 0xB8 | rG | mG | memFull},
	TZCNT - opGeneral:   {name: "tzcnt", d: gRM | pF3 | x0F | 0xBC | rG | mG | memFull},
	LZCNT - opGeneral:   {name: "lzcnt", d: gRM | pF3 | x0F | 0xBD | rG | mG | memFull},
	MOVZX8 - opGeneral:  {name: "movzx", d: gRM | x0F | 0xB6 | rG | mem1},
	MOVZX16 - opGeneral: {name: "movzx", d: gRM | x0F | 0xB7 | rG | mem2},
	MOVSX8 - opGeneral:  {name: "movsx", d: gRM | x0F | 0xBE | rG | mem1},
	MOVSX16 - opGeneral: {name: "movsx", d: gRM | x0F | 0xBF | rG | mem2},
	MOVSXD - opGeneral:  {name: "movsxd", d: gRM | 0x63 | rG | mem4},
	LEA - opGeneral:     {name: "lea", d: gRM | 0x8D | rG | memOnly},
	CMOV - opGeneral:    {name: "cmov", d: gCmov | x0F | 0x40},
	SET - opGeneral:     {name: "set", d: gSet | x0F | 0x90},
	// Exchanges; with memory they are atomic.
	XCHG - opGeneral:    {name: "xchg", d: gExchange | 0x86},
	XADD - opGeneral:    {name: "lock xadd", d: gExchange | x0F | 0xC0 | memOnly | lock},
	CMPXCHG - opGeneral: {name: "lock cmpxchg", d: gExchange | x0F | 0xB0 | memOnly | lock},
	// Branches and instructions without operands. CQO is CDQ at 32 bits.
	JCC - opGeneral:    {name: "j", d: gJcc | x0F | 0x80},
	JMP - opGeneral:    {name: "jmp", d: gJmp | 0xE9},
	JMPR - opGeneral:   {name: "jmp", d: gUnary | 0xFE | d4},
	RET - opGeneral:    {name: "ret", d: gFixed | 0xC3},
	CQO - opGeneral:    {name: "cqo", d: gFixed | wReg | 0x99},
	NOP - opGeneral:    {name: "nop", d: gFixed | 0x90},
	PAUSE - opGeneral:  {name: "pause", d: gFixed | pF3 | 0x90},
	SFENCE - opGeneral: {name: "sfence", d: gFixed | x0F | 0xAE | d7},
	UD2 - opGeneral:    {name: "ud2", d: gFixed | x0F | 0x0B},
	// Hints.
	PREFETCHNTA - opGeneral: {name: "prefetchnta", d: gMem | x0F | 0x18 | d0},
	PREFETCHT0 - opGeneral:  {name: "prefetcht0", d: gMem | x0F | 0x18 | d1},
	PREFETCHT1 - opGeneral:  {name: "prefetcht1", d: gMem | x0F | 0x18 | d2},
	PREFETCHT2 - opGeneral:  {name: "prefetcht2", d: gMem | x0F | 0x18 | d3},
	PREFETCHW - opGeneral:   {name: "prefetchw", d: gMem | x0F | 0x0D | d1},
}

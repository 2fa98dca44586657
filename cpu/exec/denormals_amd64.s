//go:build !xla_emulate

#include "textflag.h"
#include "funcdata.h"

// Bits of MXCSR: results that are denormal become zeros (FZ), operands are taken for zeros (DAZ).
#define FLUSH $0x8040

// func callFlushing(fn uintptr, args unsafe.Pointer)
//
// As Call, with 8 bytes more in its frame: MXCSR as it was, and as it is for the code.
TEXT ·callFlushing(SB), 0, $8264-16
	NO_LOCAL_POINTERS
	MOVQ fn+0(FP), AX
	MOVQ args+8(FP), DI
	STMXCSR 8256(SP)
	MOVL 8256(SP), CX
	ORL FLUSH, CX
	MOVL CX, 8260(SP)
	LDMXCSR 8260(SP)
	LEAQ 63(SP), SI
	ANDQ $~63, SI
	CALL AX
	LDMXCSR 8256(SP)
	RET

// func keepDenormals()
TEXT ·keepDenormals(SB), NOSPLIT, $8-0
	STMXCSR 0(SP)
	ANDL $~0x8040, 0(SP)
	LDMXCSR 0(SP)
	RET

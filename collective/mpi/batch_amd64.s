//go:build linux

#include "textflag.h"

DATA ·batchCode(SB)/8, $batchCalls(SB)
GLOBL ·batchCode(SB), NOPTR|RODATA, $8

// batchCalls makes the calls of the batch at DI. It is called by the conventions of C, on a stack of C.
//
// BX: the batch. R12: the call. R13: calls left in front of the test or, behind it, minus the number of those left. R14: tests
// left. Pushing five registers and making room for two arguments leaves the stack aligned to 16 bytes.
TEXT batchCalls(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	PUSHQ R14
	SUBQ  $16, SP
	MOVQ  DI, BX
	MOVQ  0(BX), R12
	MOVQ  8(BX), R13
	MOVQ  16(BX), R14

next:
	MOVQ 56(R12), AX
	MOVQ AX, 0(SP)
	MOVQ 64(R12), AX
	MOVQ AX, 8(SP)
	MOVQ 8(R12), DI
	MOVQ 16(R12), SI
	MOVQ 24(R12), DX
	MOVQ 32(R12), CX
	MOVQ 40(R12), R8
	MOVQ 48(R12), R9
	MOVQ 0(R12), R10
	XORL AX, AX
	CALL R10
	MOVLQSX AX, AX
	TESTL AX, AX
	JNE  done
	TESTQ R13, R13
	JE   tested
	JLT  after
	DECQ R13
	ADDQ $72, R12
	JMP  next

tested: // again, unless the flag is set
	MOVQ 24(BX), CX
	CMPL (CX), $0
	JNE  flagged
	DECQ R14
	JG   next
	JMP  done

flagged:
	MOVQ 32(BX), R13
	NOTQ R13

after:
	INCQ R13
	JE   done
	ADDQ $72, R12
	JMP  next

done:
	MOVQ AX, 40(BX)
	SUBQ 0(BX), R12
	MOVQ R12, 48(BX)
	XORL AX, AX
	ADDQ $16, SP
	POPQ R14
	POPQ R13
	POPQ R12
	POPQ BX
	POPQ BP
	RET

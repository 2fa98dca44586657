//go:build !xla_emulate

#include "textflag.h"
#include "funcdata.h"

// func Call(fn uintptr, args unsafe.Pointer)
//
// The frame of 8 KiB + 64 makes the prologue check, and if need be grow, the stack before the code
// runs. The wrapper that the compiler puts around an assembly function restores R14 (g) and X15.
TEXT ·Call(SB), 0, $8256-16
	NO_LOCAL_POINTERS
	MOVQ fn+0(FP), AX
	MOVQ args+8(FP), DI
	LEAQ 63(SP), SI
	ANDQ $~63, SI
	CALL AX
	RET

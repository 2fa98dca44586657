//go:build !race

#include "textflag.h"

// Stores of x86 are seen in their order.

// func release64(p *atomic.Int64, v int64)
TEXT ·release64(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ v+8(FP), BX
	MOVQ BX, (AX)
	RET

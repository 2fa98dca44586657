package asm

import "math/rand/v2"

// RandomInst gives the tests of the emulator the generator of random instructions.
func RandomInst(r *rand.Rand, op Op) Inst { return randomInst(r, op) }

// IsVEX reports whether in gets a VEX (or legacy) encoding.
func IsVEX(in *Inst) bool { return in.Op.General() || in.fitsVEX(in.Op.row()) }

// ReturnsOperand reports whether operand i is a general register.
func (k Kind) IsGeneral() bool { return k == GP || k == GP32 || k == GP64 }

// Indexed reports whether the memory operand has a vector index.
func Indexed(in *Inst) bool { return in.indexed(in.Op.row()) }

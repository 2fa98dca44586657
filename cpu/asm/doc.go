// Package asm encodes x86-64 machine code: vector instructions in VEX and EVEX form, opmasks, AMX tiles and general
// registers.
//
// An Assembler appends instructions to a buffer. Each method is named after the operands it takes, in Intel's order
// with the destination first, and gets the mnemonic as an Op and the size in bits:
//
//	a.V3(asm.VADDPS, asm.VL256, 0, 1, 2)                  vaddps ymm0, ymm1, ymm2
//	a.V3M(asm.VADDPS, vl, 0, 1, asm.M(asm.RDI, 8))        vaddps ymm0, ymm1, [rdi+8]
//	a.V3M(asm.VADDPS, vl, 0, 1, a.Const32(x), asm.Bcst)   vaddps zmm0, zmm1, [rip+..]{1to16}
//	a.V2M(asm.VMOVUPS, vl, 0, m, asm.MaskZ(1))            vmovups zmm0{k1}{z}, [m]
//	a.MV(asm.VMOVUPS, vl, m, 0)                           vmovups [m], zmm0
//	a.KV2I(asm.VCMPPSK, vl, 1, 2, 3, asm.CmpLT_OQ)        vcmpps k1, zmm2, zmm3, 17
//	a.RI(asm.ADD, asm.W64, asm.RAX, 64)                   add rax, 64
//	a.Jcc(asm.NE, label)                                  jne label
//
// The letters of the names: V vector (V2, V3, V4: how many), M memory, K opmask, G general register beside a vector
// or opmask, T tile, R general register, I immediate.
//
//	operands               methods
//	vectors                V2 V2I V2M V2MI  V3 V3I V3M V3MI  V4 V4M  MV MVI  MV2 (masked by signs)
//	to an opmask           KV2 KV2I KVM KVMI  KV KVI
//	vector and general     VG GV  V2G V2GI GVI GVM    and VK from an opmask
//	gather, scatter        Gather (AVX2) GatherK Scatter, with MV(base, index, scale, disp) as the operand
//	opmasks                K2 K2I K3 KG GK KM MK
//	tiles                  T1 T3 TM MT TileConfig
//	general registers      RR RI RM MR MI R Mem RRI  RRR RMR RRM  Cmov CmovM Set Cqo
//	branches               Jcc Jmp JmpR Ret   NewLabel Bind Here
//	none                   Zero0 (VZEROUPPER, TILERELEASE, PAUSE ..)  Prefetch  Align
//
// An instruction is VEX-encoded if it can be: at most 256 bits, registers below 16, no option; else EVEX-encoded. With
// Assembler.VEXOnly one that needs EVEX is an error. Ops that differ in name alone between the two are one Op: VPANDD
// is vpand in VEX form, VMOVDQU32 vmovdqu, VRNDSCALEPS vroundps, VINSERTF32X4 vinsertf128.
//
// The whole instruction set is one table of packed descriptors; the encoder, the decoder, the text form and the tests
// all read it. Code places no bounds: the caller sees to it that a kernel touches no memory but its own. Nothing here
// executes code; package exec does.
package asm

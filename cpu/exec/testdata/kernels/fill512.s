# Fills all 32 zmm registers, the opmasks k1..k7 and 8 general registers, and multiplies zmm0..29 by zmm30 = 1
# and adds zmm31 = 0 for args.n times: at the end all must be as they were.
	mov	rcx, [rdi]
	mov	rax, [rdi+8]
	.altmacro
	.macro	load no
	vmovups	zmm\no, [rax+64*\no]
	.endm
	.macro	store no
	vmovups	[rax+64*\no], zmm\no
	.endm
	.macro	work no
	vfmadd213ps	zmm\no, zmm30, zmm31
	.endm
	.macro	set no
	mov	r\no, 0xdead0000+\no
	.endm
	.macro	get no
	mov	[rax+8*(\no-8)], r\no
	.endm
	.macro	setk no
	mov	edx, 0x1111*\no
	kmovq	k\no, rdx
	.endm
	.macro	getk no
	kmovq	[rax+8*\no], k\no
	.endm
	.macro	each m, from, to
	.set	i, \from
	.rept	\to-\from+1
	\m	%i
	.set	i, i+1
	.endr
	.endm
	each	load, 0, 31
	each	setk, 1, 7
	each	set, 8, 15
again:	each	work, 0, 29
	dec	rcx
	jnz	again
	mov	rax, [rdi+16]
	each	store, 0, 31
	mov	rax, [rdi+24]
	each	getk, 1, 7
	mov	rax, [rdi+32]
	each	get, 8, 15
	vzeroupper
	ret

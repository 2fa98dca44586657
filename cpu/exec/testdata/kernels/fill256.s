# Fills all 16 ymm registers and 8 general ones, and multiplies ymm0..13 by ymm14 = 1 and adds ymm15 = 0 for
# args.n times: at the end all must be as they were.
	mov	rcx, [rdi]
	mov	rax, [rdi+8]
	.altmacro
	.macro	load no
	vmovups	ymm\no, [rax+32*\no]
	.endm
	.macro	store no
	vmovups	[rax+32*\no], ymm\no
	.endm
	.macro	work no
	vfmadd213ps	ymm\no, ymm14, ymm15
	.endm
	.macro	set no
	mov	r\no, 0xdead0000+\no
	.endm
	.macro	get no
	mov	[rax+8*(\no-8)], r\no
	.endm
	.macro	each m, from, to
	.set	i, \from
	.rept	\to-\from+1
	\m	%i
	.set	i, i+1
	.endr
	.endm
	each	load, 0, 15
	each	set, 8, 15
again:	each	work, 0, 13
	dec	rcx
	jnz	again
	mov	rax, [rdi+16]
	each	store, 0, 15
	mov	rax, [rdi+32]
	each	get, 8, 15
	vzeroupper
	ret

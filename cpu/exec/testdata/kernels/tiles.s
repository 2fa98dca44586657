# Keeps 8 tiles live: tmm4..7 hold the operands at args.in (two of A, two of B, 1 KiB each), tmm0..3 the four
# sums of products of int8, args.n times each, stored to args.out. args.masks is the tile configuration.
	mov	rcx, [rdi]
	mov	rdx, [rdi+24]
	mov	r8, [rdi+8]
	mov	eax, 64
	ldtilecfg	[rdx]
	tilezero	tmm0
	tilezero	tmm1
	tilezero	tmm2
	tilezero	tmm3
	tileloadd	tmm4, [r8+rax]
	tileloadd	tmm5, [r8+rax+1024]
	tileloadd	tmm6, [r8+rax+2048]
	tileloadd	tmm7, [r8+rax+3072]
again:	tdpbssd	tmm0, tmm4, tmm6
	tdpbssd	tmm1, tmm4, tmm7
	tdpbssd	tmm2, tmm5, tmm6
	tdpbssd	tmm3, tmm5, tmm7
	dec	rcx
	jnz	again
	mov	r8, [rdi+16]
	tilestored	[r8+rax], tmm0
	tilestored	[r8+rax+1024], tmm1
	tilestored	[r8+rax+2048], tmm2
	tilestored	[r8+rax+3072], tmm3
	tilerelease
	ret

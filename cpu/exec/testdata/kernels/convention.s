# What a kernel finds: args.sum = args.a + *args.b, args.spill = RSI, and MXCSR in args.mxcsr.
# It then changes everything that it may change: general registers, flags, all of the spill space.
	mov	[rdi+24], rsi
	stmxcsr	[rdi+32]
	mov	rax, [rdi]
	mov	rdx, [rdi+8]
	add	rax, [rdx]
	mov	[rdi+16], rax
	mov	rcx, 128
fill:	mov	qword ptr [rsi+rcx*8-8], -1
	dec	rcx
	jnz	fill
	mov	rax, -1
	mov	rbx, rax
	mov	rdx, rax
	mov	rsi, rax
	mov	rdi, rax
	mov	r8, rax
	mov	r9, rax
	mov	r10, rax
	mov	r11, rax
	mov	r12, rax
	mov	r13, rax
	mov	r14, rax
	mov	r15, rax
	pcmpeqd	xmm15, xmm15
	stc
	ret

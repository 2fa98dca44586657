# Loads from the address in args.
	mov	rax, [rdi]
	mov	rax, [rax]
	mov	[rdi+8], rax
	ret

# Stores to the address in args.
	mov	rax, [rdi]
	mov	qword ptr [rax], 1
	ret

# Nothing: the cost of a call.
	ret

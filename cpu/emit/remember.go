package emit

import "github.com/goxla/xla/cpu/loop"

// valueIn is a value seen from a loop.
type valueIn struct {
	loop  *loop.Loop
	value loop.Value
}

// remembered is what find says of key, which it is asked once: values that are made of one another in several ways
// would else be looked at once for each way.
func remembered[K comparable, T any](known *map[K]T, key K, find func() T) T {
	if x, ok := (*known)[key]; ok {
		return x
	}
	x := find()
	if *known == nil {
		*known = map[K]T{}
	}
	(*known)[key] = x
	return x
}

package exec

// deepBytes is how much stack calls that are deep, as those of a compilation, find ready.
const deepBytes = 56 << 10

// Deepen makes room on the stack of this goroutine for deep calls. A stack grows by being copied to one twice as large,
// and all frames on it are looked at each time: it is quicker to do that once, while there are few.
//
//go:noinline
func Deepen() { deepen(false) }

// deepen has a large frame, for which there is room when it is called. Only who touches it writes to it.
//
//go:noinline
func deepen(touch bool) byte {
	if !touch {
		return 0
	}
	var room [deepBytes]byte
	touchAll(&room)
	return room[0]
}

//go:noinline
func touchAll(room *[deepBytes]byte) { clear(room[1:]) }

package emit

import (
	"slices"
	"testing"
)

// TestAgain makes lists anew in their own memory, with more instructions in between than there is room for in front, or
// fewer.
func TestAgain(t *testing.T) {
	for _, test := range []struct{ front, room, more int }{
		{0, 8, 0}, {0, 8, 1}, {3, 8, 1}, {3, 64, 3}, {0, 64, 5}, {16, 24, 2},
	} {
		c := &code{memory: &Compiler{room: make([]ins, test.front+8, test.front+test.room)}}
		c.list = c.memory.room[test.front:]
		var want []reg
		for k := range c.list {
			c.list[k].base = reg(k)
			for m := range test.more {
				want = append(want, reg(100*m+k))
			}
			if k != 3 {
				want = append(want, reg(k))
			}
		}
		w, done := c.again(2), 0
		for k := range w.old {
			w.add(done, k)
			done = k
			for m := range test.more {
				c.add(ins{base: reg(100*m + k)})
			}
			if k == 3 {
				done++
			}
		}
		w.end(done)
		var got []reg
		for _, i := range c.list {
			got = append(got, i.base)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: got %v, want %v", test, got, want)
		}
		if &c.list[0] != &c.memory.room[0] || cap(c.list) != cap(c.memory.room) {
			t.Errorf("%+v: the list does not begin with its memory", test)
		}
	}
}

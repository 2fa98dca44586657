package fuse_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnmerged: patches of images, and images of patches, are read without a computed index.
func TestUnmerged(t *testing.T) {
	for _, c := range []struct{ from, turned, order, to string }{
		{"3,14,16,14,16", "14,14,3,16,16", "1,3,0,2,4", "196,768"},
		{"14,14,16,16,3", "3,14,16,14,16", "4,0,2,1,3", "3,224,224"},
		{"4,2,2,32,32", "4,32,2,32,2", "0,3,1,4,2", "4,64,64"},
		{"128,8,32", "8,32,128", "1,2,0", "256,128"},
	} {
		m, kernel := codeOf(t, fmt.Sprintf(`HloModule m
ENTRY main {
  x = f32[%s] parameter(0)
  t = f32[%s] transpose(x), dimensions={%s}
  ROOT o = f32[%s] reshape(t)
}`, c.from, c.turned, c.order, c.to), false)
		if text := kernel.Nest.String(); strings.Contains(text, "index") {
			t.Errorf("%v: a computed index:\n%s", c, text)
		}
		if last := kernel.Buffers[len(kernel.Buffers)-1]; last.Inst != m.Entry().Root() {
			t.Errorf("%v: the result is %s", c, last.Inst.Name())
		}
	}
}

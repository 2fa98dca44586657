package npy

import (
	"testing"

	"github.com/goxla/xla/shape"
)

func TestParseKey(t *testing.T) {
	for _, c := range []struct {
		key    string
		name   string
		device int
		typ    shape.ElementType
	}{
		{"0", "0", -1, 0},
		{"0:bf16", "0", -1, shape.BF16},
		{"12@3", "12", 3, 0},
		{"12@3:f8e4m3fn", "12", 3, shape.F8E4M3FN},
		{"12:s4@0", "12", 0, shape.S4},
		{"layer/kernel:0", "layer/kernel:0", -1, 0},
		{"a@b.c", "a@b.c", -1, 0},
		{"a@-1", "a@-1", -1, 0},
		{"a@01", "a@01", -1, 0},
		{"a:token", "a:token", -1, 0},
		{"a:bf16:f32", "a:bf16", -1, shape.F32},
		{"a@1@2", "a@1", 2, 0},
		{"a:f32@1:bf16", "a:f32", 1, shape.BF16},
		{"", "", -1, 0},
		{":u2", "", -1, shape.U2},
	} {
		if got, want := ParseKey(c.key), (Key{c.name, c.device, c.typ}); got != want {
			t.Errorf("%q: got %+v, want %+v", c.key, got, want)
		}
	}
}

func TestTypedKey(t *testing.T) {
	for _, name := range []string{"0", "0@1", "a:bf16", "a:f32", "a:s4@2", "x:0", ""} {
		for _, typ := range arrayTypes() {
			key := TypedKey(name, typ)
			if got, as := splitType(key); got != name || as != shape.Invalid && as != typ {
				t.Errorf("%q of %v has the key %q, which is %q of %v", name, typ, key, got, as)
			}
			if _, as := splitType(key); as == shape.Invalid && !hasNumPy(typ) {
				t.Errorf("%q does not tell %v", key, typ)
			}
		}
	}
	if got := TypedKey("0", shape.F32); got != "0" {
		t.Errorf("got %q for f32", got)
	}
	if got := TypedKey("0", shape.BF16); got != "0:bf16" {
		t.Errorf("got %q for bf16", got)
	}
}

func FuzzParseKey(f *testing.F) {
	for _, key := range []string{"0", "0:bf16", "0@1:s4", "a:f32@1:bf16", "@", ":"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		k := ParseKey(key)
		if again := ParseKey(k.String()); again != k {
			t.Errorf("%q: %+v prints as %q, which is %+v", key, k, k.String(), again)
		}
	})
}

package hlopb

import (
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/op"
)

// FuzzReadProto checks that no bytes make the reader panic, that an error has a place,
// and that what is read can be printed, written, and read again as the same.
func FuzzReadProto(f *testing.F) {
	names, parts := cases(f)
	for _, name := range names {
		f.Add(assemble(f, parts[name+".proto"], parts))
	}
	for _, data := range programs(f) {
		f.Add(data)
	}
	addShared(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data, ParseOptions{})
		if err != nil {
			checkPlace(t, err, data)
			return
		}
		text := hlotext.String(m, hlotext.Default())
		_ = hlo.Verify(m, hlo.VerifyOptions{}) // it must not panic
		written, err := Append(nil, m)
		if err != nil {
			if strings.Contains(err.Error(), "expects a program of at most") && constantBytes(m) > MaxBytes {
				return // a constant of one value in all places was shorter than it is written
			}
			t.Fatalf("what was read cannot be written: %v\n%s", err, text)
		}
		again, err := Parse(written, ParseOptions{})
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, text)
		}
		if got := hlotext.String(again, hlotext.Default()); got != text {
			t.Fatalf("written and read it prints as\n%s\nwant\n%s", got, text)
		}
		withoutConfig(t, m)
		if d := hlo.Diff(m, again); d != "" {
			t.Fatalf("written and read: %s", d)
		}
	})
}

// constantBytes is how many bytes the constants of m take when they are written.
func constantBytes(m *hlo.Module) (n int) {
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.Constant {
				size, _ := i.Shape().ByteSize()
				n += size
			}
		}
	}
	return n
}

// addShared adds the small programs of the shared corpus, if that is there.
func addShared(f *testing.F) {
	const small = 2 << 10
	for _, path := range sharedtest.Files(f, "corpus/hlo/pb/*.pb") {
		if data, err := os.ReadFile(path); err == nil && len(data) < small {
			f.Add(data)
		}
	}
}

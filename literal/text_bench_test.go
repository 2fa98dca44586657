package literal

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/shape"
)

// benchLiteral returns an array of 1 << 20 random elements.
func benchLiteral(t shape.ElementType) Literal {
	l := New(shape.Make(t, 1024, 1024))
	r := rand.New(rand.NewPCG(1, 2))
	switch t {
	case shape.F32:
		for i, v := 0, Values[float32](l); i < len(v); i++ {
			v[i] = float32(r.NormFloat64())
		}
	case shape.F64:
		for i, v := 0, Values[float64](l); i < len(v); i++ {
			v[i] = r.NormFloat64()
		}
	case shape.BF16:
		for i, v := 0, Values[BF16](l); i < len(v); i++ {
			v[i] = BF16From64(r.NormFloat64())
		}
	case shape.S32:
		for i, v := 0, Values[int32](l); i < len(v); i++ {
			v[i] = r.Int32()
		}
	}
	return l
}

// Speeds are in bytes of text.
func BenchmarkAppendText(b *testing.B) {
	for _, t := range []shape.ElementType{shape.F32, shape.F64, shape.BF16, shape.S32} {
		b.Run(t.String(), func(b *testing.B) {
			l := benchLiteral(t)
			text := l.AppendText(nil)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				text = l.AppendText(text[:0])
			}
		})
	}
}

func BenchmarkAppendGolden(b *testing.B) {
	l := benchLiteral(shape.F32)
	text := l.AppendGolden(nil)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		text = l.AppendGolden(text[:0])
	}
}

func BenchmarkParseText(b *testing.B) {
	for _, t := range []shape.ElementType{shape.F32, shape.F64, shape.BF16, shape.S32} {
		b.Run(t.String(), func(b *testing.B) {
			l := benchLiteral(t)
			text := string(l.AppendText(nil))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := ParseText(l.Shape(), text, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

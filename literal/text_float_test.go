package literal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// plainFloat is the definition that appendFloat32 and appendFloat64 follow.
func plainFloat(v float64, few, many, bits int) string {
	text := fmt.Sprintf("%.*g", few, v)
	if back, err := strconv.ParseFloat(text, bits); err != nil || back != v {
		text = fmt.Sprintf("%.*g", many, v)
	}
	return text
}

// TestFloatDigits compares the fast ways with the definition, over all exponents
// and over numbers with few digits, where the choice is close.
func TestFloatDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check32 := func(v float32) {
		if v-v != 0 {
			return
		}
		if got, want := string(appendFloat32(nil, v)), plainFloat(float64(v), 6, 9, 32); got != want {
			t.Fatalf("float32 %#x: got %s, want %s", math.Float32bits(v), got, want)
		}
	}
	check64 := func(v float64) {
		if v-v != 0 {
			return
		}
		if got, want := string(appendFloat64(nil, v)), plainFloat(v, 15, 17, 64); got != want {
			t.Fatalf("float64 %#x: got %s, want %s", math.Float64bits(v), got, want)
		}
	}
	for range 30000 {
		bits := r.Uint64()
		check32(math.Float32frombits(uint32(bits)))
		check64(math.Float64frombits(bits))
		check32(float32(r.NormFloat64()))
		check32(math.Float32frombits(uint32(bits) >> r.IntN(32)))
		check64(math.Float64frombits(bits >> r.IntN(64)))
		short := float64(r.IntN(1<<20)) * math.Pow10(r.IntN(50)-25)
		near := math.Nextafter32(float32(short), float32(r.NormFloat64()))
		check32(float32(short))
		check32(near)
		check64(float64(r.Uint64N(1e15)) * math.Pow10(r.IntN(50)-25))
	}
	for exp := -1080; exp < 1024; exp++ {
		check32(float32(math.Ldexp(1, exp)))
		check32(math.Nextafter32(float32(math.Ldexp(1, exp)), 0))
		check64(math.Ldexp(1, exp))
		check64(math.Nextafter(math.Ldexp(1, exp), 0))
	}
}

// TestNumberMatchesStrconv compares the number scanner with strconv.
func TestNumberMatchesStrconv(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 30000 {
		v := r.NormFloat64() * math.Pow10(r.IntN(80)-40)
		text := strconv.FormatFloat(v, "eg"[r.IntN(2)], r.IntN(20), 64)
		if !strings.ContainsAny(text, ".e") {
			text += "."
		}
		p := textParser{text: text}
		n, ok := p.number()
		want, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil || n.float() != want || p.pos != len(text) {
			t.Fatalf("%s: got %v (%v, %d bytes), want %v", text, n.float(), ok, p.pos, want)
		}
	}
}

package shape

import "testing"

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"f32[2,3]{1,0}", "bf16[16,256]{1,0:T(8,128)(2,1)}", "(f32[2,3]{1,0}, s32[], token[])"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendText(b *testing.B) {
	s := MakeTuple(Make(F32, 2, 3), Make(S32), MakeToken())
	buf := []byte{}
	for b.Loop() {
		buf = s.AppendText(buf[:0])
	}
}

func BenchmarkLinear(b *testing.B) {
	for _, text := range []string{"f32[64,256]{1,0}", "f32[64,256]{1,0:T(8,128)(2,1)}"} {
		b.Run(text, func(b *testing.B) {
			x, err := NewIndexing(mustParse(b, text))
			if err != nil {
				b.Fatal(err)
			}
			index := []int{17, 33}
			for b.Loop() {
				x.Linear(index)
			}
		})
	}
}

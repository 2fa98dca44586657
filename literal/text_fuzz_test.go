package literal

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

// FuzzLiteralText reads any text for any shape. What is accepted prints as text that
// prints the same after it is read again.
func FuzzLiteralText(f *testing.F) {
	for line := range strings.Lines(readFile(f, "testdata/text.txt")) {
		if fields := strings.SplitN(line, " | ", 3); len(fields) == 3 {
			f.Add(fields[0], fields[1])
		}
	}
	negZero := regexp.MustCompile(`-0([,)} ]|$)`)
	f.Fuzz(func(t *testing.T, shapeText, text string) {
		s, err := shape.Parse(shapeText)
		if err != nil {
			return
		}
		l, n, err := ParseText(s, text, nil)
		if err != nil {
			if at := err.(*TextError).Offset; at < 0 || at > len(text) {
				t.Fatalf("error at byte %d of %d", at, len(text))
			}
			return
		}
		if n < 0 || n > len(text) || !l.Shape().Equal(s) {
			t.Fatalf("%d of %d bytes read, %v", n, len(text), l.Shape())
		}
		if strings.Contains(shapeText, "c") && strings.Contains(text, "nan(") {
			return // an imaginary part does not keep the payload of a NaN
		}
		printed := negZero.ReplaceAllString(string(l.AppendText(nil)), "-0.0$1")
		back, _, err := ParseText(s, printed, nil)
		if err != nil {
			t.Fatalf("%s does not read: %v", printed, err)
		}
		if again := negZero.ReplaceAllString(string(back.AppendText(nil)), "-0.0$1"); again != printed {
			t.Fatalf("%s becomes %s", printed, again)
		}
	})
}

// FuzzGolden reads any text in the golden form and prints it twice.
func FuzzGolden(f *testing.F) {
	for _, seed := range []string{
		"f32[2,3] {{1, 2.5, nan}, {-inf, 0, -0.0}}", "s4[3] {1, -2, 7}", "c64[2] {(1, 2), (0, -1)}",
		"(f32[2] {1, 2}, (), s32[] 3, pred[1] {true})", "f32[2,0] {{}, {}}", "bf16[<=2] {...}", "token[]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseGolden(text)
		if err != nil {
			return
		}
		printed := string(l.AppendGolden(nil))
		back, err := ParseGolden(printed)
		if err != nil {
			t.Fatalf("%s does not read: %v", printed, err)
		}
		if again := string(back.AppendGolden(nil)); again != printed {
			t.Fatalf("%s becomes %s", printed, again)
		}
	})
}

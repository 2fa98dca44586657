package literal_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// golden is a case with one operand and one result.
type golden struct {
	name          string
	input, output literal.Literal
	tolerance     literal.Tolerance
}

// goldens reads the cases that match the patterns, of which there are n at least.
func goldens(t *testing.T, n int, patterns ...string) (cases []golden) {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		list, err := filepath.Glob(filepath.Join(sharedtest.Dir(t), "conformance", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	if len(files) < n {
		t.Fatalf("%d cases of %v, want %d", len(files), patterns, n)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := strings.Cut(string(data), "-- module.hlo --\n")
		_, rest, _ = strings.Cut(rest, "-- inputs --\n")
		input, output, ok := strings.Cut(rest, "-- output --\n")
		_, tolerance, ok2 := strings.Cut(head, "# tolerance: ")
		if !ok || !ok2 {
			t.Fatalf("%s: sections are missing", file)
		}
		tolerance, _, _ = strings.Cut(tolerance, "\n")
		tol, err := literal.ParseTolerance(tolerance)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, golden{
			strings.TrimSuffix(filepath.Base(file), ".txtar"), read(t, input), read(t, output), tol,
		})
	}
	return cases
}

// read reads an array as in `f32[2] {1, nan}`.
func read(t *testing.T, line string) literal.Literal {
	t.Helper()
	text, values, _ := strings.Cut(strings.TrimSpace(line), " ")
	s, err := shape.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	l := literal.New(s)
	words := strings.FieldsFunc(values, func(r rune) bool { return strings.ContainsRune("{}(), ", r) })
	if s.Type.IsComplex() {
		for i := range l.Len() {
			l.SetComplex(i, complex(number(t, words[2*i]), number(t, words[2*i+1])))
		}
		return l
	}
	if len(words) != l.Len() {
		t.Fatalf("%d values for %v", len(words), s)
	}
	for i, w := range words {
		switch {
		case s.Type == shape.Pred:
			l.SetBool(i, w == "true")
		case s.Type.IsFloat():
			l.SetFloat(i, number(t, w))
		case s.Type == shape.U64:
			n, err := strconv.ParseUint(w, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			l.SetBits(i, n)
		default:
			n, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			l.SetInt(i, n)
		}
	}
	return l
}

func number(t *testing.T, w string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(w, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGoldenConvert(t *testing.T) {
	for _, c := range goldens(t, 735, "hlo/convert/*.txtar", "seeds/*_convertelementtype_?.txtar") {
		got, err := literal.Convert(c.input, c.output.Type())
		if err == nil {
			err = literal.Compare(got, c.output, c.tolerance)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestGoldenBitcastConvert(t *testing.T) {
	for _, c := range goldens(t, 142, "hlo/bitcast-convert/*.txtar", "seeds/*_bitcastconvert_?.txtar") {
		got, err := literal.BitcastConvert(c.input, c.output.Type())
		if err == nil {
			err = literal.Compare(got, c.output, c.tolerance)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

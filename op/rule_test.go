package op

import (
	"errors"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

// ruleCase is one call of a shape rule in text. A case that must be refused is
// named after the label of its constraint.
type ruleCase struct {
	name     string
	op       Code
	operands string // shapes, separated by commas
	attrs    Attrs
	calls    string // signatures of the called computations, separated by ";"
	declared string
	// replicas and partitions of the module; 0: not known.
	replicas, partitions int
	// want is the result with its layout, or "!" and the label of the error, then a
	// blank and the attribute or operand that it names.
	want string
}

func runRules(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.op.String()+"/"+c.name, func(t *testing.T) {
			got, err := Infer(c.op, c.inputs(t))
			if label, refused := strings.CutPrefix(c.want, "!"); refused {
				checkRefused(t, c, err, label)
				return
			}
			if err != nil {
				t.Fatalf("Infer(%s): %v", c.operands, err)
			}
			if want := mustShape(t, c.want); !got.Equal(want) {
				t.Errorf("Infer(%s) = %v, want %v", c.operands, got, want)
			}
		})
	}
}

func checkRefused(t *testing.T, c ruleCase, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("Infer(%s): error %v, want one with label %s", c.operands, err, want)
	}
	if got := strings.TrimSpace(e.Label + " " + e.Attr); got != want {
		t.Errorf("Infer(%s): error %q about %q, want %q", c.operands, e, got, want)
	}
	if e.Op != c.op || e.Err == nil || strings.Contains(e.Error(), "%!") {
		t.Errorf("Infer(%s): error %q does not read well", c.operands, e)
	}
	if label, _, _ := strings.Cut(want, " "); !strings.HasPrefix(c.name, label) {
		t.Errorf("the case is named %s, want %s in front", c.name, label)
	}
}

func (c ruleCase) inputs(t *testing.T) *Inputs {
	t.Helper()
	in := &Inputs{Operands: mustShape(t, "("+c.operands+")").Elems, Attrs: c.attrs,
		Replicas: c.replicas, Partitions: c.partitions}
	if c.declared != "" {
		in.Declared = mustShape(t, c.declared)
	}
	for text := range strings.SplitSeq(c.calls, ";") {
		if text == "" {
			continue
		}
		p, err := shape.ParseProgram(text)
		if err != nil {
			t.Fatal(err)
		}
		in.Called = append(in.Called, p)
	}
	return in
}

func mustShape(t *testing.T, text string) shape.Shape {
	t.Helper()
	s, err := shape.Parse(text)
	if err != nil {
		t.Fatalf("shape %q: %v", text, err)
	}
	return s
}

func list(v ...int) []int { return v }

// Signatures that many cases call.
const (
	addF32 = "(f32[],f32[])->f32[]"
	ltF32  = "(f32[],f32[])->pred[]"
	// argmax takes the running value and index, then the next value and index.
	argmax = "(f32[],s32[],f32[],s32[])->(f32[],s32[])"
)

func TestInferChecksOperandsAndAttributes(t *testing.T) {
	for _, c := range []struct {
		name string
		op   Code
		in   Inputs
		want string
	}{
		{"count", Add, Inputs{Operands: make([]shape.Shape, 3)}, "add: expects 2 operands, got 3"},
		{"no_attributes", Reverse, Inputs{Operands: make([]shape.Shape, 1)},
			"reverse: expects attributes of type *op.ReverseAttrs, got none"},
		{"wrong_attributes", Abs, Inputs{Operands: make([]shape.Shape, 1), Attrs: &PadAttrs{}},
			"abs: expects no attributes, got *op.PadAttrs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Infer(c.op, &c.in)
			if err == nil || err.Error() != c.want {
				t.Errorf("Infer = %v, want %q", err, c.want)
			}
		})
	}
}

func TestErrorReads(t *testing.T) {
	in := &Inputs{Operands: []shape.Shape{shape.Make(shape.F32, 2, 3)}, Attrs: &ReverseAttrs{Dimensions: list(0, 4)}}
	_, err := Infer(Reverse, in)
	if want := "reverse: dimensions[1]: 4 is not in [0, 2) [reverse_c3]"; err == nil || err.Error() != want {
		t.Errorf("Infer = %v, want %q", err, want)
	}
}

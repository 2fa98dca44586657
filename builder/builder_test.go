package builder_test

import (
	"testing"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

func TestMetadata(t *testing.T) {
	for _, none := range []bool{false, true} {
		p := &prog{Builder: builder.NewWith("m", builder.Options{NoMetadata: none})}
		x := p.in("f32[]")
		place := here()
		y := builder.Neg(x)
		if got := y.Instruction().Pos.String(); got != next(place) {
			t.Errorf("Pos = %s, want the line after %s", got, place)
		}
		m := y.Instruction().Metadata
		if none != (m == nil) {
			t.Fatalf("NoMetadata = %v gives %+v", none, m)
		}
		if !none && (m.SourceFile != "builder_test.go" || m.SourceLine != y.Instruction().Pos.Line) {
			t.Errorf("metadata = %+v, want the line of %v", m, y.Instruction().Pos)
		}
	}
}

func TestWithMetadataKeepsThePlace(t *testing.T) {
	p := newProg("m")
	x := p.in("f32[]")
	y := builder.Neg(x).WithMetadata("neg", "model/neg")
	m := y.Instruction().Metadata
	if m.OpType != "neg" || m.OpName != "model/neg" || m.SourceLine != y.Instruction().Pos.Line {
		t.Errorf("metadata = %+v", m)
	}
	if m := builder.Neg(x).Instruction().Metadata; m.OpName != "" {
		t.Errorf("the next instruction has it too: %+v", m)
	}
}

// TestSameBytes: the same program gives the same text.
func TestSameBytes(t *testing.T) {
	for _, c := range allPrograms() {
		var texts [2]string
		for i := range texts {
			p := newProg("m")
			m, err := p.Build(c.build(p))
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = hlotext.String(m, hlotext.Full())
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: %s\nand then %s", c.name, texts[0], texts[1])
		}
	}
}

// TestListsAreCopied: a caller may use its lists again.
func TestListsAreCopied(t *testing.T) {
	p := newProg("m")
	dims, groups := []int{1, 0}, [][]int{{0, 1}}
	padding := []op.PadDim{{Low: 1}}
	y := builder.Transpose(p.in("f32[2,3]"), dims...)
	z := builder.Pad(p.in("f32[2]"), p.in("f32[]"), padding)
	r := builder.CrossReplicaSum(p.in("f32[2]"), groups...)
	dims[0], padding[0].Low, groups[0][0] = 7, 7, 7
	for _, x := range []builder.Op{y, z, r} {
		if _, err := op.Infer(x.Instruction().Code(), x.Instruction().Inputs()); err != nil {
			t.Error(err)
		}
	}
}

func TestUnusedComputationsAreDropped(t *testing.T) {
	p := newProg("m")
	p.doubleOf("f32[]")
	m, err := p.Build(p.in("f32[]"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Computations()); n != 1 {
		t.Errorf("got %d computations, want the entry only", n)
	}
}

func TestComputation(t *testing.T) {
	p := newProg("m")
	f := p.doubleOf("f32[2]")
	if !f.IsValid() || f.Name() != "double" || !f.Signature().Result.Equal(shape.Make(shape.F32, 2)) {
		t.Errorf("got %v %q %v", f.IsValid(), f.Name(), f.Signature())
	}
	f = builder.Computation{}
	if f.IsValid() || f.Name() != "" || f.Signature().Result.Type != shape.Invalid {
		t.Errorf("got %v %q %v", f.IsValid(), f.Name(), f.Signature())
	}
}

// TestReplicasAreChecked: groups are checked against the counts of the module.
func TestReplicasAreChecked(t *testing.T) {
	p := &prog{Builder: builder.NewWith("m", builder.Options{Replicas: 4})}
	builder.CrossReplicaSum(p.in("f32[2]"), []int{0, 1})
	wantError(t, p.Err(), "replica_groups: expected 4 numbers in all")
}

func TestBuildFromVerifier(t *testing.T) {
	p := newProg("m")
	x := p.in("f32[2]")
	start := builder.CopyStart(x)
	builder.CopyDone(start)
	_, err := p.Build(builder.CopyDone(start))
	wantError(t, err, "builder_test.go:")
	wantError(t, err, "copy-start")
}

func BenchmarkAdd(b *testing.B) {
	p := newProg("m")
	x := p.in("f32[16]")
	y := x
	b.ReportAllocs()
	for b.Loop() {
		y = builder.Add(y, x)
	}
	if !y.IsValid() {
		b.Fatal(p.Err())
	}
}

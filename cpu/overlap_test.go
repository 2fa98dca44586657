package cpu

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const overlapHead = `HloModule m, replica_count=2
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  p = f32[64,64] parameter(0)
  q = f32[64,64] parameter(1)
`

func compileOverlap(t *testing.T, body string) *Program {
	t.Helper()
	m, err := hlotext.Parse(overlapHead+body+"}\n", hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := exec.NewPool(1)
	t.Cleanup(pool.Close)
	p, err := Compile(t.Context(), m, Options{Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// TestOverlap: which steps run while a collective is under way.
func TestOverlap(t *testing.T) {
	const dot = "d = f32[64,64] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
	tests := []struct{ name, body, want string }{
		{"pair", "s = f32[64,64] all-reduce-start(p), to_apply=add\n" + dot +
			"r = f32[64,64] all-reduce-done(s)\nROOT z = f32[64,64] add(r, d)\n", "begin . wait ."},
		{"computed before", dot + "r = f32[64,64] all-reduce(p), to_apply=add\nROOT z = f32[64,64] add(d, r)\n",
			"begin . wait ."},
		{"operand is computed", "d = f32[64,64] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" +
			"r = f32[64,64] all-reduce(d), to_apply=add\nROOT z = f32[64,64] add(q, r)\n", ". evaluate ."},
		{"result is used", "r = f32[64,64] all-reduce(p), to_apply=add\n" +
			"ROOT d = f32[64,64] dot(r, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", "evaluate ."},
		{"two", "r = f32[64,64] all-reduce(p), to_apply=add\nu = f32[64,64] all-reduce(q), to_apply=add\n" + dot +
			"v = f32[64,64] add(r, d)\nROOT z = f32[64,64] subtract(v, u)\n", "begin begin . wait wait ."},
	}
	for _, test := range tests {
		p := compileOverlap(t, test.body)
		var got []string
		for _, st := range p.steps {
			switch st.(type) {
			case *beginStep:
				got = append(got, "begin")
			case *waitStep:
				got = append(got, "wait")
			case *evaluatorStep:
				got = append(got, "evaluate")
			default:
				got = append(got, ".")
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: got %q, want %q\n%s", test.name, text, test.want, p.plan)
		}
	}
}

// late is an evaluator that answers after a while.
type late struct{ err error }

func (l late) Instruction(_ *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
	time.Sleep(20 * time.Millisecond)
	if l.err == errPanic {
		panic(l.err)
	}
	return operands[0], l.err
}

var errPanic, errLate = errors.New("panic"), errors.New("late")

// failing is an evaluator that fails with the name of the instruction, and counts how often it was asked.
type failing struct {
	asked  atomic.Int32
	panics bool
}

func (f *failing) Instruction(n *hlo.Instruction, _ []literal.Literal) (literal.Literal, error) {
	f.asked.Add(1)
	if f.panics {
		panic(n.Name())
	}
	return literal.Literal{}, errors.New(n.Name())
}

// TestOverlapFailure: after a collective that failed no other one is done, and its error is that of the run.
func TestOverlapFailure(t *testing.T) {
	const dot = "d = f32[64,64] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
	p := compileOverlap(t, "r = f32[64,64] all-reduce(p), to_apply=add\nu = f32[64,64] all-reduce(q), to_apply=add\n"+dot+
		"v = f32[64,64] add(r, d)\nROOT z = f32[64,64] subtract(v, u)\n")
	args := []literal.Literal{literal.New(shape.Make(shape.F32, 64, 64)), literal.New(shape.Make(shape.F32, 64, 64))}
	for _, panics := range []bool{false, true} {
		f := &failing{panics: panics}
		err := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("%v", v)
				}
			}()
			_, err = p.Run(t.Context(), args, f)
			return err
		}()
		if n := f.asked.Load(); n != 1 || err == nil || err.Error() != "r" {
			t.Errorf("panics: %v: got %v after %d collectives, want the error of r after 1\n%s", panics, err, n, p.plan)
		}
	}
}

// TestOverlapResults: the result of a collective that takes long is waited for, and so is its failure.
func TestOverlapResults(t *testing.T) {
	p := compileOverlap(t, "r = f32[64,64] all-reduce(p), to_apply=add\n"+
		"d = f32[64,64] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT z = f32[64,64] add(r, d)\n")
	args := []literal.Literal{literal.New(shape.Make(shape.F32, 64, 64)), literal.New(shape.Make(shape.F32, 64, 64))}
	args[0].SetFloat(7, 5)
	v, err := p.Run(t.Context(), args, late{})
	if err != nil || v.FloatAt(7) != 5 || v.FloatAt(8) != 0 {
		t.Errorf("got %v, %v", v.FloatAt(7), err)
	}
	if _, err := p.Run(t.Context(), args, late{errLate}); !errors.Is(err, errLate) {
		t.Errorf("got %v", err)
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "panic" {
			t.Errorf("panic: got %s", got)
		}
	}()
	_, err = p.Run(t.Context(), args, late{errPanic})
	t.Errorf("expects a panic, got %v", err)
}

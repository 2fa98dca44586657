package lapack

import (
	"context"
	"fmt"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// oldForm is how a routine was called before it had attributes: integer operands in front of the others,
// and the results of the routine among workspace.
type oldForm struct {
	prefix string
	// scalars names the integers in front; a name that is an attribute sets it. The letters of
	// an attribute are those that the values 0, 1 .. stand for, none where the value is it.
	scalars []oldScalar
	// operands says which of the others are operands of the routine.
	operands []int
	// results are the places of the routine's results, for real and for complex numbers.
	real, cplx []int
}

// oldScalar is an integer operand: the attribute it stands for, "" for a size, and its letters.
type oldScalar struct{ attr, letters string }

// The integers of old calls.
var (
	aSize  = oldScalar{}
	aLower = oldScalar{"uplo", "UL"}
)

// oldForms are the old forms by the names of routines.
var oldForms = map[string]oldForm{
	"geev": {"lapack", []oldScalar{aSize, aSize, {"compute_left", ""}, {"compute_right", ""}}, []int{0},
		[]int{3, 4, 5, 6, 7}, []int{2, 3, 4, 5}},
	"gees": {"lapack", []oldScalar{aSize, aSize, {"mode", ""}, {"sort", ""}}, []int{0},
		[]int{0, 3, 1, 2, 4, 5}, []int{0, 3, 2, 4, 5}},
	"gehrd": {"lapack", []oldScalar{aSize, {"low", ""}, {"high", ""}, aSize, aSize, aSize}, []int{0}, upTo(3), upTo(3)},
	"geqp3": {"lapack", sizes(4), []int{0, 1}, upTo(3), upTo(3)},
	"geqrf": {"lapack", sizes(4), []int{0}, upTo(2), upTo(2)},
	"gesdd": {"lapack", append([]oldScalar{{"full", ""}, {"vectors", ""}}, sizes(4)...), []int{0}, upTo(5), upTo(5)},
	"getrf": {"lapack", sizes(3), []int{0}, upTo(3), upTo(3)},
	"orgqr": {"lapack", sizes(5), []int{0, 1}, upTo(1), upTo(1)},
	"ungqr": {"lapack", sizes(5), []int{0, 1}, upTo(1), upTo(1)},
	"potrf": {"lapack", []oldScalar{aLower, aSize, aSize}, []int{0}, upTo(2), upTo(2)},
	"syevd": {"lapack", []oldScalar{aLower, aSize, aSize}, []int{0}, upTo(3), upTo(3)},
	"heevd": {"lapack", []oldScalar{aLower, aSize, aSize}, []int{0}, upTo(3), upTo(3)},
	"sytrd": {"lapack", append([]oldScalar{aSize, aLower}, sizes(3)...), []int{0}, upTo(5), upTo(5)},
	"hetrd": {"lapack", append([]oldScalar{aSize, aLower}, sizes(3)...), []int{0}, upTo(5), upTo(5)},
	"trsm": {"blas", append([]oldScalar{{"side", "RL"}, aLower, {"trans_x", "NTC"}, {"diag", "NU"}}, sizes(3)...),
		[]int{1, 2, 0}, upTo(1), upTo(1)},
}

func sizes(n int) []oldScalar { return make([]oldScalar, n) }

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// handler returns the handler of the old form of r.
func (f oldForm) handler(r routine, on *machine) func(ctx context.Context, c *ffi.Call) error {
	return func(ctx context.Context, c *ffi.Call) error {
		n, rest := len(f.scalars), len(f.operands)
		if len(c.Operands) < n+rest {
			return fmt.Errorf("expects %d operands, got %d", n+rest, len(c.Operands))
		}
		attr, err := f.options(c.Operands)
		if err != nil {
			return err
		}
		operands := make([]literal.Literal, rest)
		for i, k := range f.operands {
			operands[i] = c.Operands[n+k]
		}
		places := f.real
		if operands[0].Type().IsComplex() {
			places = f.cplx
		}
		results := make([]literal.Literal, len(places))
		for i, k := range places {
			if k >= len(c.Results) {
				return fmt.Errorf("expects at least %d results, got %d", k+1, len(c.Results))
			}
			results[i] = c.Results[k]
		}
		return r.run(ctx, on, operands, results, attr)
	}
}

// options returns the attributes that the integers in front stand for.
func (f oldForm) options(operands []literal.Literal) (options, error) {
	o := make(options, 0, len(f.scalars)+1)
	for i, s := range f.scalars {
		x := operands[i]
		if !x.Type().IsInteger() || x.Len() != 1 {
			return nil, fmt.Errorf("operand %d: expects an integer, got %v", i, x.Shape())
		}
		v := x.IntAt(0)
		if s.letters != "" {
			if v < 0 || v >= int64(len(s.letters)) {
				return nil, fmt.Errorf("operand %d: expects 0 to %d, got %d", i, len(s.letters)-1, v)
			}
			v = int64(s.letters[v])
		}
		o = append(o, option{s.attr, v})
	}
	if full, ok := o.find("full"); ok { // gesdd has flags in place of a mode
		mode := option{"mode", 'S'}
		switch {
		case o.get("vectors") == 0:
			mode.value = 'N'
		case full != 0:
			mode.value = 'A'
		}
		o = append(o, mode)
	}
	return o, nil
}

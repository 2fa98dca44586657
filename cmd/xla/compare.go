package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// reference is what the results are compared with: nothing, those of the evaluator, or
// the arrays of a file.
type reference struct {
	name   string
	arrays []npy.Named
	rtol   tolerance
}

// tolerance is that of --compare.
type tolerance struct {
	rtol  float64
	given bool // by the user; else a step of a narrow element type is allowed as well
}

// of returns the tolerance for values of type t.
func (l tolerance) of(t shape.ElementType) literal.Tolerance {
	rtol := l.rtol
	if !l.given && t.IsFloat() {
		rtol = max(rtol, step(t))
	}
	return literal.RelativeToLargest(rtol)
}

// step returns the distance from 1 to the next value of a floating-point type.
func step(t shape.ElementType) float64 {
	next := literal.New(shape.Make(t))
	next.SetFloat(0, 1)
	next.SetBits(0, next.BitsAt(0)+1)
	return next.FloatAt(0) - 1
}

// newReference returns what --compare names. It reads the file, so that a wrong name
// shows before the program runs.
func newReference(name string, rtol tolerance) (*reference, error) {
	r := &reference{name: name, rtol: rtol}
	if name == "" || name == "interp" {
		return r, nil
	}
	var err error
	r.arrays, err = npy.Open(name)
	return r, err
}

// compare compares the results of a run of j on args.
func (r *reference) compare(ctx context.Context, w io.Writer, j job, backend xla.Backend,
	args [][]literal.Literal, results []npy.Named) error {
	want := r.arrays
	switch r.name {
	case "":
		return nil
	case "interp":
		exe, err := j.compile(ctx, xla.Interp(), nil)
		if err != nil {
			return failure{err}
		}
		out, err := exe.RunReplicated(ctx, args)
		if err != nil {
			return failure{err}
		}
		want = nameResults(out)
	}
	err := compareResults(w, results, want, r.rtol)
	if _, differs := errors.AsType[failure](err); differs && r.name == "interp" {
		if where := j.locate(ctx, backend, args, r.rtol); where != "" {
			return failure{fmt.Errorf("%w\n%s", err, where)}
		}
	}
	return err
}

// compareResults compares each result with the array of its number: integers are
// equal, floats within the tolerance of the largest wanted.
func compareResults(w io.Writer, results, want []npy.Named, rtol tolerance) error {
	worst := &worstCase{}
	byName := map[string]literal.Literal{}
	for _, a := range want {
		byName[a.Name] = a.Value
	}
	for _, r := range results {
		expected, ok := byName[r.Name]
		if !ok { // a plain key is for all devices
			expected, ok = byName[npy.ParseKey(r.Name).Name]
		}
		if !ok {
			expected, ok = byName[unnamed+npy.ParseKey(r.Name).Name]
		}
		if !ok {
			return fmt.Errorf("--compare: no array %s to compare result %s with; the file has %s", r.Name, r.Name, names(want))
		}
		expected, err := retype(expected, r.Value.Shape())
		if err != nil {
			return err
		}
		if err := literal.Compare(r.Value, expected, rtol.of(r.Value.Type())); err != nil {
			return failure{fmt.Errorf("result %s differs: %w", r.Name, err)}
		}
		worst.add(r.Name, r.Value, expected)
	}
	fmt.Fprintf(w, "%d results agree (rtol %g)%s\n", len(results), rtol.rtol, worst)
	return nil
}

// worstCase is the largest difference of a result in proportion to its largest element.
type worstCase struct {
	ratio float64
	name  string
}

func (c *worstCase) add(name string, got, want literal.Literal) {
	if !got.Type().IsFloat() {
		return
	}
	diff, size := largestDifference(got, want)
	if size > 0 && diff/size > c.ratio {
		c.ratio, c.name = diff/size, name
	}
}

func (c *worstCase) String() string {
	if c.name == "" {
		return ""
	}
	return fmt.Sprintf(", the largest difference is %.2g in result %s", c.ratio, c.name)
}

func names(arrays []npy.Named) string {
	var list []string
	for _, a := range arrays {
		list = append(list, a.Name)
	}
	return listed(list)
}

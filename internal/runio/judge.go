package runio

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// Judge prints what the arrays of in that are no parameter's say of the results, or that they say nothing. It fails
// with a Difference if one is not what came out, and if one says nothing while a parameter has random numbers: its
// name may be mistyped. Labels are never an error.
func Judge(w io.Writer, results []npy.Named, in *Inputs, rtol Tolerance) error {
	var wrong []error
	said := make([]bool, len(in.Rest))
	for i, a := range in.Rest {
		var err error
		if said[i], err = judgeExpected(w, results, a, rtol); err != nil {
			wrong = append(wrong, err)
		}
	}
	for i, a := range in.Rest {
		said[i] = judgeLabels(w, results, a) || said[i]
	}
	for i, a := range in.Rest {
		switch {
		case said[i] || npy.ParseKey(a.Name).Device >= 0:
		case len(in.Random) > 0:
			wrong = append(wrong, fmt.Errorf("--input: array %s: no parameter is called so, and it judges no result; "+
				"--random filled %s", a.Name, listed(in.Random)))
		default:
			fmt.Fprintf(w, "%s is not used: no parameter has its name, and it judges no result\n", a.Name)
		}
	}
	return errors.Join(wrong...)
}

// judgeExpected compares a, which is no input, with the result of its shape, the nearest if there are several; on
// several devices with that of each, unless it is for one. It reports whether there is one; the error is a Difference.
func judgeExpected(w io.Writer, results []npy.Named, a npy.Named, rtol Tolerance) (said bool, err error) {
	list := candidates(results, a, rtol)
	if len(list) == 0 {
		return false, nil
	}
	best, of := list[0], ""
	for _, c := range list[1:] {
		if best.err != nil && c.err == nil || (best.err == nil) == (c.err == nil) && c.diff < best.diff {
			best = c
		}
	}
	if len(list) > 1 {
		of = " of result " + best.name
	}
	switch {
	case best.isFloat:
		fmt.Fprintf(w, "largest difference%s from %s: %.3g\n", of, a.Name, best.diff)
	case best.err == nil:
		fmt.Fprintf(w, "result %s is equal to %s\n", best.name, a.Name)
	}
	if best.err == nil || labelNames[a.Name] {
		return true, nil
	}
	return true, Difference{fmt.Errorf("result %s differs from %s: %w", best.name, a.Name, best.err)}
}

// candidate is a result that an array may be.
type candidate struct {
	name    string // without the device, unless it differs there
	isFloat bool
	diff    float64 // the largest, on any device
	err     error   // it differs
}

// candidates compares a with all results of its shape. Those of all devices are one.
func candidates(results []npy.Named, a npy.Named, rtol Tolerance) (list []candidate) {
	device, place := npy.ParseKey(a.Name).Device, map[string]int{}
	for _, r := range results {
		want, err := retype(a.Value, r.Value.Shape())
		key := npy.ParseKey(r.Name)
		isFloat := want.Type().IsFloat()
		if err != nil || !r.Value.Shape().EqualIgnoringLayout(want.Shape()) || device >= 0 && device != key.Device ||
			labelNames[a.Name] && !isFloat {
			continue
		}
		at, ok := place[key.Name]
		if !ok {
			at, place[key.Name] = len(list), len(list)
			list = append(list, candidate{name: key.Name, isFloat: isFloat})
		}
		c := &list[at]
		if isFloat {
			diff, _ := largestDifference(r.Value, want)
			c.diff = max(c.diff, diff)
		}
		if err := literal.Compare(r.Value, want, rtol.Of(want.Type())); err != nil && c.err == nil {
			c.name, c.err = r.Name, err
		}
	}
	return list
}

// labelNames are the keys of arrays with the right class of each row of the result, or what it is to be near to.
var labelNames = map[string]bool{"y": true, "label": true, "labels": true}

// judgeLabels prints how often the largest entry of a row of the first result
// stands where the label says. It reports whether a is labels of such rows.
func judgeLabels(w io.Writer, results []npy.Named, a npy.Named) bool {
	if !labelNames[a.Name] || !a.Value.Type().IsInteger() || len(results) == 0 {
		return false
	}
	scores := results[0].Value
	dims := scores.Dims()
	if len(dims) != 2 || !scores.Type().IsFloat() || a.Value.Len() != dims[0] || dims[1] == 0 {
		return false
	}
	right := 0
	for row := range dims[0] {
		best := 0
		for j := range dims[1] {
			if scores.FloatAt(row*dims[1]+j) > scores.FloatAt(row*dims[1]+best) {
				best = j
			}
		}
		if int64(best) == a.Value.IntAt(row) {
			right++
		}
	}
	fmt.Fprintf(w, "accuracy %.1f %%: %d of %d rows have the label in %s\n",
		100*float64(right)/float64(max(dims[0], 1)), right, dims[0], a.Name)
	return true
}

// largestDifference returns max|got-want| and max|want|, where equal infinities and two
// NaN do not differ. Elements of want that are not finite do not count in max|want|.
func largestDifference(got, want literal.Literal) (diff, size float64) {
	for i := range got.Len() {
		g, v := got.FloatAt(i), want.FloatAt(i)
		if !math.IsInf(v, 0) && v == v {
			size = max(size, v, -v)
		}
		if g == v || g != g && v != v {
			continue
		}
		if diff = max(diff, g-v, v-g); diff != diff {
			return diff, size
		}
	}
	return diff, size
}

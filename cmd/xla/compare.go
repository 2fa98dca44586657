package main

import (
	"context"
	"fmt"
	"io"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// reference is what the results are compared with: nothing, those of the evaluator, or
// the arrays of a file.
type reference struct {
	name   string
	arrays []npy.Named
	rtol   float64
}

// newReference returns what --compare names. It reads the file, so that a wrong name
// shows before the program runs.
func newReference(name string, rtol float64) (*reference, error) {
	r := &reference{name: name, rtol: rtol}
	if name == "" || name == "interp" {
		return r, nil
	}
	var err error
	r.arrays, err = npy.Open(name)
	return r, err
}

// compare compares the results of a run of j on args.
func (r *reference) compare(ctx context.Context, w io.Writer, j job, args [][]literal.Literal,
	results []npy.Named) error {
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
	return compareResults(w, results, want, r.rtol)
}

// compareResults compares each result with the array of its number: integers are
// equal, floats within rtol of the largest wanted.
func compareResults(w io.Writer, results, want []npy.Named, rtol float64) error {
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
		if err := literal.Compare(r.Value, expected, literal.RelativeToLargest(rtol)); err != nil {
			return failure{fmt.Errorf("result %s differs: %w", r.Name, err)}
		}
		worst.add(r.Name, r.Value, expected)
	}
	fmt.Fprintf(w, "%d results agree (rtol %g)%s\n", len(results), rtol, worst)
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

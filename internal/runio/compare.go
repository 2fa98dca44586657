package runio

import (
	"fmt"
	"io"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// Difference is the error of results that are not those wanted.
type Difference struct{ error }

func (d Difference) Unwrap() error { return d.error }

// Tolerance is how far results may be off.
type Tolerance struct {
	// RTol bounds the differences in proportion to the largest element that is wanted.
	RTol float64
	// Given: by the user; else a step of a narrow element type is allowed as well.
	Given bool
}

// Of returns the tolerance for values of type t.
func (l Tolerance) Of(t shape.ElementType) literal.Tolerance {
	rtol := l.RTol
	if !l.Given && t.IsFloat() {
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

// Compare compares each result with the array of its number: integers are
// equal, floats within the tolerance of the largest wanted. An array that is no
// result's is an error.
func Compare(w io.Writer, results, want []npy.Named, rtol Tolerance) error {
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
		if err := literal.Compare(r.Value, expected, rtol.Of(r.Value.Type())); err != nil {
			return Difference{fmt.Errorf("result %s differs: %w", r.Name, err)}
		}
		worst.add(r.Name, r.Value, expected)
	}
	if extra := extras(results, want); len(extra) > 0 {
		return fmt.Errorf("--compare: no result to compare array %s with: the program has %d results (%s), the file has %s",
			listed(extra), len(results), names(results), names(want))
	}
	fmt.Fprintf(w, "%d results agree (rtol %g)%s\n", len(results), rtol.RTol, worst)
	return nil
}

// extras returns the names in want that are no result's.
func extras(results, want []npy.Named) []string {
	var list []string
	for _, a := range want {
		key := npy.ParseKey(a.Name)
		if !slices.ContainsFunc(results, func(r npy.Named) bool {
			k := npy.ParseKey(r.Name)
			return (key.Name == k.Name || key.Name == unnamed+k.Name) && (key.Device < 0 || key.Device == k.Device)
		}) {
			list = append(list, a.Name)
		}
	}
	return list
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

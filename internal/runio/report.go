package runio

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// NameResults numbers the leaves of the results 0, 1, ..., those of several devices
// 0@0, 1@0, ..., 0@1, ...
func NameResults(devices [][]literal.Literal) []npy.Named {
	var list []npy.Named
	for d, out := range devices {
		n := 0
		var add func(l literal.Literal)
		add = func(l literal.Literal) {
			switch {
			case l.Shape().IsTuple():
				for _, e := range l.Elems() {
					add(e)
				}
			case l.Shape().IsArray():
				key := npy.Key{Name: strconv.Itoa(n), Device: d}
				if len(devices) == 1 {
					key.Device = -1
				}
				list = append(list, npy.Named{Name: key.String(), Value: l})
				n++
			}
		}
		for _, l := range out {
			add(l)
		}
	}
	return list
}

// Results names the results of a run: those of each device or, with whole, those of the partitions together.
func Results(exe *xla.Executable, out [][]literal.Literal, whole bool) ([]npy.Named, error) {
	if !whole {
		return NameResults(out), nil
	}
	joined, err := exe.JoinResults(out)
	return NameResults([][]literal.Literal{joined}), err
}

// NumResults is how many arrays Results gives, known before the run.
func NumResults(exe *xla.Executable, whole bool) int {
	n := numArrays(exe.Signature().Result)
	if whole {
		return n
	}
	return n * exe.Devices()
}

// numArrays is how many arrays s has.
func numArrays(s shape.Shape) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for _, e := range s.Elems {
		n += numArrays(e)
	}
	return n
}

// Unjoined says that results with whole are those of device 0 alone though others have other ones, as of a program
// whose text does not say how they lie together; "" where there are none.
func Unjoined(exe *xla.Executable, out [][]literal.Literal) string {
	joined, err := exe.JoinResults(out)
	if err != nil {
		return ""
	}
	var list []string
	for k, l := range joined {
		for _, other := range out[1:exe.Partitions()] {
			if k < len(other) && literal.Equal(l, out[0][k]) && !literal.Equal(l, other[k]) {
				list = append(list, strconv.Itoa(k))
				break
			}
		}
	}
	if list == nil {
		return ""
	}
	return "--whole: the program does not say how the devices' parts of the results lie together: those of device 0 are " +
		"taken of result " + strings.Join(list, ", ")
}

// Report prints what came out: shapes or values.
func Report(w io.Writer, results []npy.Named, values bool) {
	for _, r := range results {
		if values {
			fmt.Fprintf(w, "%s: %s\n", r.Name, r.Value.AppendTextWithShape(nil))
			continue
		}
		fmt.Fprintf(w, "result %s: %s\n", r.Name, summary(r.Value))
	}
}

// summary gives the shape and, of a float array, its range.
func summary(l literal.Literal) string {
	s := l.Shape().StringNoLayout()
	if l.Shape().IsScalar() {
		return s + " " + string(l.AppendText(nil))
	}
	if !l.Type().IsFloat() || l.Len() == 0 {
		return s
	}
	v := make([]float64, l.Len())
	literal.ToFloat64s(v, l)
	lo, hi, sum, odd := math.Inf(1), math.Inf(-1), 0.0, 0
	for _, x := range v {
		if x-x != 0 {
			odd++
			continue
		}
		lo, hi, sum = min(lo, x), max(hi, x), sum+x
	}
	if odd < len(v) {
		s += fmt.Sprintf("  min %.6g  max %.6g  mean %.6g", lo, hi, sum/float64(len(v)-odd))
	}
	if odd > 0 {
		s += fmt.Sprintf("  (%d infinite or NaN)", odd)
	}
	return s
}

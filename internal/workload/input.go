package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Spec says how a parameter is filled.
type Spec struct {
	// Shape is that of the parameter, without a layout.
	Shape string `json:"shape"`
	// Dist is normal, uniform, int, const or symmetric.
	Dist string `json:"dist"`
	// Low and High bound int and uniform: Low <= value < High.
	Low  json.Number `json:"low,omitempty"`
	High json.Number `json:"high,omitempty"`
	// Value is that of const.
	Value json.Number `json:"value,omitempty"`
	// Scale and Shift are those of normal and symmetric: 1 and 0 if absent.
	Scale *float64 `json:"scale,omitempty"`
	Shift float64  `json:"shift,omitempty"`
	// DiagAdd is added where the last two indices are equal.
	DiagAdd *float64 `json:"diag_add,omitempty"`
}

// defaultRanges are the ranges of integers that DefaultSpec gives.
var defaultRanges = map[shape.ElementType][2]json.Number{
	shape.S8: {"-127", "128"}, shape.U8: {"0", "256"}, shape.Pred: {"0", "2"},
	shape.U16: {"0", "1000"}, shape.U32: {"0", "1000"}, shape.U64: {"0", "1000"},
}

// DefaultSpec returns how a parameter of shape s is filled if no manifest says it: floats and complex
// numbers normal, integers in a range of some hundreds.
func DefaultSpec(s shape.Shape) Spec {
	spec := Spec{Shape: s.StringNoLayout(), Dist: "normal"}
	if s.Type.IsInteger() || s.Type == shape.Pred {
		spec.Dist, spec.Low, spec.High = "int", "-1000", "1000"
		if r, ok := defaultRanges[s.Type]; ok {
			spec.Low, spec.High = r[0], r[1]
		}
	}
	return spec
}

// Inputs returns the arguments for a program whose parameters have the given shapes. A parameter that is
// a tuple is filled as if its elements were parameters. It fails if the workload has other shapes.
func (w Workload) Inputs(params []shape.Shape) ([]literal.Literal, error) {
	f := filler{workload: w}
	args := make([]literal.Literal, len(params))
	for i, s := range params {
		var err error
		if args[i], err = f.fill(s); err != nil {
			return nil, fmt.Errorf("parameter %d: %w", f.next-1, err)
		}
	}
	if n := len(w.Params); n > 0 && n != f.next {
		return nil, fmt.Errorf("the manifest has %d parameters, the program %d", n, f.next)
	}
	return args, nil
}

// filler counts the leaves of the parameters.
type filler struct {
	workload Workload
	next     int
}

func (f *filler) fill(s shape.Shape) (literal.Literal, error) {
	if s.IsTuple() {
		elems := make([]literal.Literal, len(s.Elems))
		for i, e := range s.Elems {
			var err error
			if elems[i], err = f.fill(e); err != nil {
				return literal.Literal{}, err
			}
		}
		return literal.MakeTuple(elems...), nil
	}
	if s.IsToken() {
		return literal.New(s), nil
	}
	number := f.next
	f.next++
	if !s.IsArray() || !s.IsStatic() {
		return literal.Literal{}, fmt.Errorf("expects an array of known size, got %s (an --input file has sizes)",
			s.StringNoLayout())
	}
	spec := DefaultSpec(s)
	if list := f.workload.Params; len(list) > 0 {
		if number >= len(list) || list[number].Shape != spec.Shape {
			return literal.Literal{}, fmt.Errorf("the program has %s, not what the manifest says", spec.Shape)
		}
		spec = list[number]
	}
	return spec.Literal(f.workload.Seed, number)
}

// Literal returns the values of parameter number param, counted from 0.
func (s Spec) Literal(seed uint64, param int) (literal.Literal, error) {
	sh, err := shape.Parse(s.Shape)
	if err != nil {
		return literal.Literal{}, fmt.Errorf("shape: %w", err)
	}
	fill, ok := distributions[s.Dist]
	if !ok {
		return literal.Literal{}, fmt.Errorf("dist: expects normal, uniform, int, const or symmetric, got %q", s.Dist)
	}
	if sh.Rank() < 2 && (s.DiagAdd != nil || s.Dist == "symmetric") {
		return literal.Literal{}, fmt.Errorf("%s with a diagonal: expects two dimensions or more, got %s", s.Dist, s.Shape)
	}
	if err := literal.CheckSize(sh); err != nil {
		return literal.Literal{}, err
	}
	l := literal.New(sh)
	base := uint64(param+1)<<40 + seed<<56
	return l, fill(s, base, l)
}

// distributions fill an array: base is what parameter and seed add to the number of an element.
var distributions = map[string]func(s Spec, base uint64, l literal.Literal) error{
	"normal":    fillNormal,
	"symmetric": fillNormal,
	"uniform":   fillUniform,
	"int":       fillInt,
	"const":     fillConst,
}

// bits returns the 64 random bits of an element.
func bits(n uint64) uint64 {
	z := n * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// normal returns a sum of four uniforms, which is about normal, of variance 1.
func normal(u uint64) float64 {
	sum := u&0xffff + u>>16&0xffff + u>>32&0xffff + u>>48
	return (float64(sum) - 131070) / 37837
}

func fillNormal(s Spec, base uint64, l literal.Literal) error {
	scale := 1.0
	if s.Scale != nil {
		scale = *s.Scale
	}
	at := func(n uint64) float64 { return float64(normal(bits(base+n))*scale) + s.Shift }
	if s.Dist == "symmetric" && !l.Type().IsComplex() {
		plain := at
		at = func(n uint64) float64 { return plain(mirrored(n, l.Dims())) }
	}
	s.fillFloats(l, at)
	return nil
}

// mirrored returns the element that has the value of element n in a symmetric matrix.
func mirrored(n uint64, dims []int) uint64 {
	rows, cols := uint64(dims[len(dims)-2]), uint64(dims[len(dims)-1])
	matrix, row, col := n/(rows*cols), n/cols%rows, n%cols
	return matrix*rows*cols + min(row, col)*cols + max(row, col)
}

func fillUniform(s Spec, base uint64, l literal.Literal) error {
	low, err := s.Low.Float64()
	if err != nil {
		return fmt.Errorf("low: expects a number, got %q", s.Low)
	}
	high, err := s.High.Float64()
	if err != nil {
		return fmt.Errorf("high: expects a number, got %q", s.High)
	}
	s.fillFloats(l, func(n uint64) float64 {
		return low + float64((high-low)*float64(float64(bits(base+n)>>11)*0x1p-53))
	})
	return nil
}

// fillFloats gives each element the value at its number; of a complex number the parts are the numbers
// 2n and 2n+1.
func (s Spec) fillFloats(l literal.Literal, at func(n uint64) float64) {
	if l.Type().IsComplex() {
		for i := range l.Len() {
			n := 2 * uint64(i)
			l.SetComplex(i, complex(at(n), at(n+1)))
		}
		return
	}
	if s.DiagAdd != nil {
		plain, dims := at, l.Dims()
		rows, cols := uint64(dims[len(dims)-2]), uint64(dims[len(dims)-1])
		at = func(n uint64) float64 {
			if n/cols%rows == n%cols {
				return plain(n) + *s.DiagAdd
			}
			return plain(n)
		}
	}
	if l.Type() == shape.F32 { // most are: without the tests of each element
		for i, v := 0, literal.Values[float32](l); i < len(v); i++ {
			v[i] = float32(at(uint64(i)))
		}
		return
	}
	for i := range l.Len() {
		l.SetFloat(i, at(uint64(i)))
	}
}

func fillInt(s Spec, base uint64, l literal.Literal) error {
	from, err := strconv.ParseInt(s.Low.String(), 10, 64)
	if err != nil {
		return fmt.Errorf("low: expects an integer of 64 bits, got %q", s.Low)
	}
	high, err := strconv.ParseInt(s.High.String(), 10, 64)
	n, inRange := uint64(high)-uint64(from), high > from
	if errors.Is(err, strconv.ErrRange) {
		var large uint64
		large, err = strconv.ParseUint(s.High.String(), 10, 64)
		n, inRange = large-uint64(from), from >= 0 || large < uint64(from)
	}
	if err != nil {
		return fmt.Errorf("high: expects an integer of 64 bits, got %q", s.High)
	}
	if !inRange {
		return fmt.Errorf("low and high: expects a range of less than 2^64 numbers, got %v and %v", s.Low, s.High)
	}
	for i := range l.Len() {
		l.SetInt(i, int64(bits(base+uint64(i))%n)+from)
	}
	return nil
}

func fillConst(s Spec, _ uint64, l literal.Literal) error {
	v, err := s.Value.Float64()
	if err != nil {
		return fmt.Errorf("value: expects a number, got %q", s.Value)
	}
	whole, notInt := strconv.ParseInt(s.Value.String(), 10, 64)
	for i := range l.Len() {
		if notInt == nil && l.Type().IsInteger() {
			l.SetInt(i, whole)
		} else {
			l.SetFloat(i, v)
		}
	}
	return nil
}

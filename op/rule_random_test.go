package op

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/goxla/xla/shape"
)

// No rule may panic, whatever a file holds: every rule gets random operands,
// attributes, called computations and declared shapes.
func TestRulesDoNotPanic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 400 {
		for c := range Code(NumCodes) {
			if c.Info().Infer == nil {
				continue // TestTableRowsAreWhole names it
			}
			in := randomInputs(rng, c)
			if _, err := inferNoPanic(c, in); err == nil {
				accepted++
			} else if e, ok := err.(*Error); !ok || e.Op != c {
				t.Fatalf("%v(%v): error %v (%T)", c, in.Operands, err, err)
			}
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d random inputs were accepted: the test tries too little", accepted)
	}
}

// inferNoPanic is Infer with the inputs in the message of a panic.
func inferNoPanic(c Code, in *Inputs) (s shape.Shape, err error) {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprintf("%v of %v attributes %+v calls %v declared %v: %v",
				c, in.Operands, in.Attrs, in.Called, in.Declared, r))
		}
	}()
	return Infer(c, in)
}

func randomInputs(rng *rand.Rand, c Code) *Inputs {
	info := c.Info()
	count := info.Arity
	if count == Variadic {
		count = rng.IntN(6)
	}
	in := &Inputs{Operands: make([]shape.Shape, count)}
	common := randomShape(rng, 1)
	for i := range in.Operands {
		in.Operands[i] = common
		if rng.IntN(3) == 0 {
			in.Operands[i] = randomShape(rng, 1)
		}
	}
	if info.Attrs != nil {
		in.Attrs = NewAttrs(c)
		randomFill(rng, reflect.ValueOf(in.Attrs).Elem())
	}
	for range rng.IntN(3) {
		in.Called = append(in.Called, randomProgram(rng, common.Type, 2*len(in.Operands)))
	}
	if rng.IntN(2) == 0 {
		in.Declared = randomShape(rng, 2)
	}
	in.Replicas, in.Partitions = rng.IntN(3), rng.IntN(3)
	return in
}

var randomTypes = []shape.ElementType{shape.F32, shape.F32, shape.F32, shape.S32, shape.U8, shape.S4, shape.Pred,
	shape.C64,
	shape.BF16, shape.Token, shape.F6E3M2FN}

func randomShape(rng *rand.Rand, depth int) shape.Shape {
	if depth > 0 && rng.IntN(8) == 0 {
		elems := make([]shape.Shape, rng.IntN(4))
		for i := range elems {
			elems[i] = randomShape(rng, depth-1)
		}
		return shape.MakeTuple(elems...)
	}
	t := randomTypes[rng.IntN(len(randomTypes))]
	if t == shape.Token {
		return shape.MakeToken()
	}
	dims, dynamic := make([]int, rng.IntN(4)), make([]bool, 4)
	for i := range dims {
		dims[i], dynamic[i] = rng.IntN(4), rng.IntN(8) == 0
		switch rng.IntN(24) {
		case 0:
			dims[i], dynamic[i] = shape.Unbounded, true
		case 1:
			dims[i] = math.MaxInt
		}
	}
	return shape.MakeDynamic(t, dims, dynamic[:len(dims)])
}

func randomProgram(rng *rand.Rand, t shape.ElementType, params int) shape.Program {
	p := shape.Program{Result: shape.Make(t)}
	if rng.IntN(3) == 0 {
		p.Result = randomShape(rng, 1)
	}
	if rng.IntN(3) == 0 {
		params = rng.IntN(4)
	}
	for range params {
		p.Params = append(p.Params, shape.Make(t))
	}
	return p
}

// randomFill sets the parts of v to small values, some of them out of any range.
func randomFill(rng *rand.Rand, v reflect.Value) {
	if s, ok := v.Addr().Interface().(*shape.Shape); ok {
		*s = randomShape(rng, 1)
		return
	}
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(int64(rng.IntN(5) - 1))
		if rng.IntN(40) == 0 {
			v.SetInt(math.MaxInt)
		}
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(5)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rng.IntN(4), 4))
		for i := range v.Len() {
			randomFill(rng, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				randomFill(rng, v.Field(i))
			}
		}
	}
}

package gomlx

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// A caller makes up the arguments of operations, few of which go with each other.
type caller struct {
	*rand.Rand
	f    *Function
	pool values // what operands are taken from
}

// TestRandomCalls calls every method of a function with arguments that mostly do not go with each other: what comes
// back is an error, or a computation that compiles and runs or says why not; nothing panics.
func TestRandomCalls(t *testing.T) {
	b := newBackend(t, "threads=1,memory=100000000")
	iface := reflect.TypeFor[compute.Function]()
	for i := range iface.NumMethod() {
		name := iface.Method(i).Name
		t.Run(name, func(t *testing.T) {
			for round := range rounds {
				c := newCaller(t, b, uint64(round))
				c.mustNotPanic(t, name)
			}
		})
	}
}

// rounds is how often TestRandomCalls calls each method.
const rounds = 60

// mustNotPanic calls a method.
func (c *caller) mustNotPanic(t *testing.T, name string) {
	m := reflect.ValueOf(c.f).MethodByName(name)
	args := make([]reflect.Value, m.Type().NumIn())
	for i := range args {
		args[i] = c.value(m.Type().In(i))
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s%s: panic: %v\n%s", name, textOf(args), p, debug.Stack())
		}
	}()
	if err := c.try(m, args); err == nil && !c.f.builder.compiled {
		t.Errorf("%s%s: not compiled, without an error", name, textOf(args))
	}
}

// newCaller returns one for a new computation, whose parameters are of various types and shapes.
func newCaller(t *testing.T, b compute.Backend, seed uint64) *caller {
	t.Helper()
	f := b.Builder("random").Main().(*Function)
	c := &caller{Rand: rand.New(rand.NewPCG(seed, 7)), f: f}
	types := []dtypes.DType{dtypes.Float32, dtypes.Float32, c.dtype(), dtypes.Int32, dtypes.Bool}
	dt := dtypes.Float32
	for i, dims := range [][]int{{}, {}, {2}, {2, 3}, {3, 2}, {2, 3}, {0}, {1, 2, 3, 4}, {1, 2, 3, 4}, {2}} {
		if i == 1 || i > 1 && c.IntN(4) == 0 {
			dt = types[c.IntN(len(types))]
		}
		p, err := f.Parameter(fmt.Sprint("p", i), shapes.Shape{DType: dt, Dimensions: dims}, nil)
		if err == nil {
			c.pool = append(c.pool, p)
		}
	}
	return c
}

// try calls a method, and compiles and runs what comes back.
func (c *caller) try(m reflect.Value, args []reflect.Value) error {
	call := m.Call
	if m.Type().IsVariadic() {
		call = m.CallSlice
	}
	var list values
	for _, o := range call(args) {
		switch v := o.Interface().(type) {
		case error:
			return v
		case *value:
			list = append(list, v)
		case values:
			list = append(list, v...)
		}
	}
	if !c.f.returned {
		if err := c.f.Return(list, nil); err != nil {
			return err
		}
	}
	exe, err := c.f.builder.Compile()
	if err != nil {
		return err
	}
	_, inputs := exe.Inputs()
	buffers := make([]compute.Buffer, len(inputs))
	for i, s := range inputs {
		if buffers[i], _, err = c.f.builder.backend.NewSharedBuffer(0, s); err != nil {
			return err
		}
	}
	_, err = exe.Execute(buffers, nil, 0)
	return err
}

// textOf writes arguments, of operands their shapes.
func textOf(args []reflect.Value) string {
	var list []string
	for _, a := range args {
		text := fmt.Sprintf("%+v", a.Interface())
		switch v := a.Interface().(type) {
		case *value:
			if v != nil {
				text = v.shape.String()
			}
		case values:
			var operands []reflect.Value
			for _, x := range v {
				operands = append(operands, reflect.ValueOf(&x).Elem())
			}
			text = textOf(operands)
		}
		list = append(list, text)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (c *caller) dtype() dtypes.DType { return dtypes.DType(c.IntN(34) - 1) }

// value returns a value of type t, more often than not one that makes sense somewhere.
func (c *caller) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	var x any
	switch t {
	case reflect.TypeFor[compute.Value]():
		x = c.operand()
	case reflect.TypeFor[any]():
		x = []any{nil, "text", []float32{1, 2}[:c.IntN(3)], []int{3}, []dtypes.DType{0}}[c.IntN(5)]
	case reflect.TypeFor[compute.Function]():
		if g := c.closure(); g != nil {
			x = g
		}
	case reflect.TypeFor[dtypes.DType]():
		x = c.dtype()
	default:
		c.fill(v)
		return v
	}
	if x != nil {
		v.Set(reflect.ValueOf(x))
	}
	return v
}

// fill sets v, whose type has no meaning of its own.
func (c *caller) fill(v reflect.Value) {
	t := v.Type()
	switch t.Kind() {
	case reflect.Int:
		v.SetInt([]int64{0, 0, 0, 1, 1, 1, 2, 2, 3, 4, -1, -2, 1 << 40, -1 << 62}[c.IntN(14)])
	case reflect.Int8, reflect.Int32, reflect.Int64:
		v.SetInt(c.Int64N(6) - 1)
	case reflect.Uint8:
		v.SetUint(c.Uint64N(4))
	case reflect.Bool:
		v.SetBool(c.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(c.Float64())
	case reflect.String:
		v.SetString([]string{"", "a", "b"}[c.IntN(3)])
	case reflect.Slice:
		if n := c.IntN(5); n < 4 { // else nil
			v.Set(reflect.MakeSlice(t, n, n))
			c.fillElements(v)
		}
	case reflect.Array:
		c.fillElements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && (t != reflect.TypeFor[shapes.Shape]() || i < 2) {
				f.Set(c.value(f.Type()))
			}
		}
	case reflect.Pointer:
		if c.IntN(4) > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(c.value(t.Elem()))
		}
	}
}

func (c *caller) fillElements(v reflect.Value) {
	for i := range v.Len() {
		v.Index(i).Set(c.value(v.Type().Elem()))
	}
}

// operand is one of the pool, seldom something else.
func (c *caller) operand() compute.Value {
	switch c.IntN(40) {
	case 0:
		return nil
	case 1:
		return "text"
	case 2:
		return (*value)(nil)
	}
	return c.pool[c.IntN(len(c.pool))]
}

// closure is a function of up to four scalars that returns some value.
func (c *caller) closure() compute.Function {
	switch c.IntN(20) {
	case 0:
		return nil
	case 1:
		return c.f
	case 2:
		return (*Function)(nil)
	}
	g, err := c.f.Closure()
	if err != nil {
		return nil
	}
	var own values
	for range c.IntN(5) {
		if p, err := g.Parameter("", shapes.Make(dtypes.Float32), nil); err == nil {
			own = append(own, p)
		}
	}
	var out values
	if len(own) > 1 && c.IntN(2) == 0 {
		if v, err := g.LessThan(own[0], own[1]); err == nil {
			out = values{v}
		}
	} else {
		out = append(own, c.pool[c.IntN(len(c.pool))])[:c.IntN(len(own)+1)]
	}
	_ = g.Return(out, nil)
	return g
}

// TestIndices refuses indices that are no vectors for two axes.
func TestIndices(t *testing.T) {
	f := newBackend(t, "").Builder("indices").Main()
	x, err := f.Parameter("x", shapes.Make(dtypes.Float32, 2, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	i, err := f.Parameter("i", shapes.Make(dtypes.Int32, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Gather(x, i, 1, nil, []int{0, 1}, []int{0, 1}, []int{1, 1}, false); err == nil {
		t.Error("gathered along two axes")
	}
	if _, err := f.ScatterSum(x, i, i, 1, nil, []int{0, 1}, []int{0, 1}, false, false); err == nil {
		t.Error("scattered along two axes")
	}
}

// TestSizes refuses arrays of impossible sizes, and buffers above the memory limit.
func TestSizes(t *testing.T) {
	b := newBackend(t, "memory=1000")
	for _, dims := range [][]int{{-2}, {251}, {1 << 62, 4}, {1 << 40, 1 << 40, 0}} {
		s := shapes.Shape{DType: dtypes.Float32, Dimensions: dims}
		if _, _, err := b.NewSharedBuffer(0, s); err == nil {
			t.Errorf("a buffer of sizes %v", dims)
		}
	}
	if _, _, err := b.NewSharedBuffer(0, shapes.Make(dtypes.Float32, 250)); err != nil {
		t.Error(err)
	}
	f := b.Builder("sizes").Main()
	for _, s := range []shapes.Shape{{Dimensions: []int{-1}}, {Dimensions: []int{-3}},
		{Dimensions: []int{2}, AxisNames: []string{"a", "b"}}} {
		s.DType = dtypes.Int8
		if _, err := f.Parameter("x", s, nil); err == nil {
			t.Errorf("a parameter of sizes %v", s.Dimensions)
		}
	}
}

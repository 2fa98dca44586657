package gomlx

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// TestMethods checks that no method of the interface is left to the base that says "not implemented": the compiler
// makes the methods of what is embedded, which are in no file.
func TestMethods(t *testing.T) {
	iface, own := reflect.TypeFor[compute.Function](), reflect.TypeFor[*Function]()
	for i := range iface.NumMethod() {
		name := iface.Method(i).Name
		if !isOwn(t, own, name) {
			t.Errorf("Function has no %s of its own", name)
		}
	}
	type base struct{ *Function }
	if isOwn(t, reflect.TypeFor[base](), "Add") {
		t.Error("a method of what is embedded counts as one of its own")
	}
	t.Logf("%d methods", iface.NumMethod())
}

// isOwn reports whether a method of a type is written down for it.
func isOwn(t *testing.T, of reflect.Type, name string) bool {
	t.Helper()
	m, ok := of.MethodByName(name)
	if !ok {
		t.Fatalf("%s has no method %s", of, name)
	}
	file, _ := runtime.FuncForPC(m.Func.Pointer()).FileLine(m.Func.Pointer())
	return strings.HasSuffix(file, ".go")
}

// TestCapabilities checks that an operation is listed if and only if Function has a method for it, and that a data type
// is if and only if parameters can have it; TestDataTypes computes with each.
func TestCapabilities(t *testing.T) {
	b := newBackend(t, "")
	c := b.Capabilities()
	iface := reflect.TypeFor[compute.Function]()
	for op := range compute.OpTypeLast {
		_, ok := iface.MethodByName(op.String())
		ok = ok || op == compute.OpTypeCapturedValue // what closures use of the function around them
		if c.Operations[op] != ok {
			t.Errorf("%s: listed: %v, there is a method: %v", op, c.Operations[op], ok)
		}
	}
	for d := range dtypes.DType(40) {
		_, err := b.Builder("types").Main().Parameter("x", shapes.Shape{DType: d, Dimensions: []int{2}}, nil)
		if c.DTypes[d] != (err == nil) {
			t.Errorf("%s: listed: %v, as a parameter: %v", d, c.DTypes[d], err)
		}
	}
	if !c.Functions || c.DynamicShapes != compute.DynamicShapesRecompiling || len(c.DTypes) < 30 {
		t.Errorf("got %+v", c)
	}
}

// TestConfig reads configurations, right and wrong.
func TestConfig(t *testing.T) {
	c, err := ParseConfig("threads=4, devices=2,memory=1000,denormals=flush,run=interp")
	want := Config{Threads: 4, Devices: 2, MemoryLimit: 1000, FlushDenormals: true, Interp: true}
	if err != nil || c != want {
		t.Errorf("got %+v, %v, want %+v", c, err, want)
	}
	for _, text := range []string{"devices=0", "threads=-1", "threads=x", "speed=1", "run=gpu", "devices",
		"devices=100000", "memory=9223372036854775808", "threads=1,threads=2", "denormals=some"} {
		if _, err := ParseConfig(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// TestRegistered finds the backend by its name.
func TestRegistered(t *testing.T) {
	t.Setenv(compute.ConfigEnvVar, Name+":devices=2")
	b, err := compute.New()
	if err != nil || b.Name() != Name || b.NumDevices() != 2 {
		t.Fatalf("got %v, %v", b, err)
	}
	b.Finalize()
	if !b.IsFinalized() {
		t.Error("the backend was not finalized")
	}
	if _, err := b.BufferFromFlatData(0, []float32{1}, scalarF32); err == nil {
		t.Error("a finalized backend made a buffer")
	}
}

// TestDataTypes sends arrays of each data type through the backend, and values through conversions to the types
// that GoMLX has no Go type for.
func TestDataTypes(t *testing.T) {
	b := newBackend(t, "")
	for dt := range b.Capabilities().DTypes {
		s := vectorOf(dt)
		n := flatBytes(s)
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i % 2)
		}
		flat := flatKindOf(dt).view(data)
		builder := b.Builder("types")
		main := builder.Main()
		x, err := main.Parameter("x", s, nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := main.Reverse(x, 0)
		if err != nil {
			t.Fatal(err)
		}
		if y, err = main.Reverse(y, 0); err != nil {
			t.Fatal(err)
		}
		if err := main.Return(values{y}, nil); err != nil {
			t.Fatal(err)
		}
		exe, err := builder.Compile()
		if err != nil {
			t.Fatal(err)
		}
		in, err := b.BufferFromFlatData(0, flat, s)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exe.Execute([]compute.Buffer{in}, nil, 0)
		if err != nil {
			t.Fatalf("%s: %v", dt, err)
		}
		got, err := out[0].Data()
		if err != nil || !reflect.DeepEqual(got, flat) {
			t.Errorf("%s: got %v, %v, want %v", dt, got, err, flat)
		}
	}
}

// vectorOf is a vector of 16 elements of type t.
func vectorOf(t dtypes.DType) shapes.Shape { return shapes.Shape{DType: t, Dimensions: []int{16}} }

package emit

import (
	"reflect"
	"slices"
	"testing"
)

// TestTakenHasNoPointers: the collector does not look into the memory of lists.
func TestTakenHasNoPointers(t *testing.T) {
	for _, v := range []any{ins{}, info{}, interval{}, lastLoad{}, reg(0), false, int8(0), int32(0), uint64(0)} {
		if y := reflect.TypeOf(v); hasPointers(y) {
			t.Errorf("%v has pointers", y)
		}
	}
}

func hasPointers(y reflect.Type) bool {
	switch y.Kind() {
	case reflect.Struct:
		return slices.ContainsFunc(reflect.VisibleFields(y), func(f reflect.StructField) bool { return hasPointers(f.Type) })
	case reflect.Array:
		return hasPointers(y.Elem())
	default:
		return y.Kind() > reflect.Complex128
	}
}

// TestTaken: lists are zero, of the length asked for, and apart from one another.
func TestTaken(t *testing.T) {
	var m Compiler
	m.expect(10)
	var bytes []int8
	var words [][]uint64
	for n := range 200 {
		small := zeroed(&m, &bytes, 7*n)
		large := zeroed(&m, new([]uint64), 5*n)
		if len(small) != 7*n || len(large) != 5*n || slices.Max(append(small, 0)) != 0 || slices.Max(append(large, 0)) != 0 {
			t.Fatalf("lists of %d and %d elements, not all zero", len(small), len(large))
		}
		for k := range small {
			small[k] = 1
		}
		for k := range large {
			large[k] = uint64(n)
		}
		words = append(words, large)
	}
	for n, list := range words {
		if slices.ContainsFunc(list, func(w uint64) bool { return w != uint64(n) }) {
			t.Fatalf("list %d was written to by others", n)
		}
	}
}

// TestLetsGo: of a large kernel's memory a much smaller one keeps nothing, and one about as large all.
func TestLetsGo(t *testing.T) {
	var m Compiler
	take := func(n int) *ins {
		list, _ := m.expect(n)
		return &roomFor(&m, &m.room, list)[:1][0]
	}
	large := take(2000)
	if take(1900) != large {
		t.Error("the memory of a kernel is not that of one about as large before")
	}
	if take(100); cap(m.room) > usualList {
		t.Errorf("after a large kernel, a small one has room for %d instructions, of at most %d", cap(m.room), usualList)
	}
	if small := take(50); small != take(60) {
		t.Error("small kernels do not have the same memory")
	}
}

// TestKeepsGrown: a kernel that became much longer than was expected has the memory of the one before, which was alike.
func TestKeepsGrown(t *testing.T) {
	var m Compiler
	for range 2 {
		list, _ := m.expect(60)
		roomFor(&m, &m.room, list)
		m.room = slices.Grow(m.room, 3*usualList)
	}
	if list, _ := m.expect(60); cap(m.room) < 3*usualList {
		t.Errorf("of room for %d instructions, where %d are expected, %d are left", 3*usualList, list, cap(m.room))
	}
}

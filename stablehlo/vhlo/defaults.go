package vhlo

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/goxla/xla/stablehlo"
)

//go:embed defaults.txt
var defaultsText string

// absent is how VHLO spells an attribute that is not there.
type absent struct {
	value value
	keep  bool // written, but not taken away where it is read
}

// value makes an attribute for an operation of StableHLO and recognizes it.
type value struct {
	make func(o *stablehlo.Op) stablehlo.Attribute
	is   func(a stablehlo.Attribute) bool
}

// values are the values that the table uses.
var values = map[string]value{
	`""`:         fixed(stablehlo.StringAttr{}),
	"[]":         fixed(&stablehlo.ArrayAttr{}),
	"[{}]":       {fixed(&stablehlo.ArrayAttr{}).make, isEmptyDicts},
	"{}":         fixed(&stablehlo.DictAttr{}),
	"false":      fixed(stablehlo.Bool(false)),
	"0":          fixed(stablehlo.Int64(0)),
	"-1":         fixed(stablehlo.Int64(-1)),
	"0:i32":      {fixed(stablehlo.Int32(0)).make, isZero},
	"none":       fixed(stablehlo.TypeAttr{Type: stablehlo.NoneType{}}),
	"NOTYPE":     fixed(enum(stablehlo.ComparisonType, "NOTYPE")),
	"ORIGINAL":   fixed(enum(apiVersion, "API_VERSION_ORIGINAL")),
	"config":     {makeConfig, isEmptyConfig},
	"precisions": {makePrecisions, isDefaultPrecisions},
	"accuracy":   fixed(&stablehlo.ResultAccuracy{Mode: enum(stablehlo.ResultAccuracyMode, "DEFAULT")}),
	"empty":      empty(0),
	"empty2":     empty(0, 2),
	"ones":       tensor(stablehlo.I64, 1, func(o *stablehlo.Op) []int64 { return []int64{windowRank(o)} }),
	"falses":     tensor(stablehlo.I1, 0, func(o *stablehlo.Op) []int64 { return []int64{windowRank(o)} }),
	"pairs":      tensor(stablehlo.I64, 0, func(o *stablehlo.Op) []int64 { return []int64{windowRank(o), 2} }),
}

func enum(kind *stablehlo.EnumKind, word string) stablehlo.EnumAttr {
	a, _ := kind.Parse(word)
	return a
}

func fixed(a stablehlo.Attribute) value {
	return value{
		make: func(*stablehlo.Op) stablehlo.Attribute { return a },
		is:   func(b stablehlo.Attribute) bool { return stablehlo.SameAttribute(a, b) },
	}
}

// isZero: some versions wrote a number of 32 bits as one of 64.
func isZero(a stablehlo.Attribute) bool {
	i, ok := a.(stablehlo.IntegerAttr)
	return ok && i.Value == 0 && i.Type != stablehlo.I1
}

// isEmptyDicts: JAX writes an empty dictionary for each argument of which there is nothing to say.
func isEmptyDicts(a stablehlo.Attribute) bool {
	list, ok := a.(*stablehlo.ArrayAttr)
	return ok && !slices.ContainsFunc(list.Elems, func(e stablehlo.Attribute) bool {
		d, ok := e.(*stablehlo.DictAttr)
		return !ok || len(d.Entries) > 0
	})
}

// empty is a tensor without elements.
func empty(dims ...int64) value {
	return value{
		make: func(*stablehlo.Op) stablehlo.Attribute { return stablehlo.NewDenseInts(stablehlo.I64, dims, nil) },
		is: func(a stablehlo.Attribute) bool {
			t, ok := a.(*stablehlo.DenseElements)
			return ok && t.NumElements() == 0
		},
	}
}

// tensor is a constant of one value everywhere.
func tensor(elem stablehlo.IntegerType, v int64, dims func(*stablehlo.Op) []int64) value {
	return value{
		make: func(o *stablehlo.Op) stablehlo.Attribute {
			d := dims(o)
			n := int64(1)
			for _, size := range d {
				n *= size
			}
			list := make([]int64, n)
			for i := range list {
				list[i] = v
			}
			return stablehlo.NewDenseInts(elem, d, list)
		},
		is: func(a stablehlo.Attribute) bool {
			t, ok := a.(*stablehlo.DenseElements)
			if !ok || t.Elem() != elem {
				return false
			}
			if t.NumElements() == 0 {
				return true
			}
			first := *t
			first.Type = &stablehlo.TensorType{Elem: elem}
			list, _ := first.Ints()
			return t.Splat && len(list) == 1 && list[0] == v
		},
	}
}

// typedFFI is the calling convention whose configuration is a dictionary, not a string.
const typedFFI = 4

func makeConfig(o *stablehlo.Op) stablehlo.Attribute {
	if o.Attr("api_version") == stablehlo.Attribute(stablehlo.Int32(typedFFI)) {
		return &stablehlo.DictAttr{}
	}
	return stablehlo.StringAttr{}
}

func isEmptyConfig(a stablehlo.Attribute) bool {
	d, ok := a.(*stablehlo.DictAttr)
	return a == stablehlo.Attribute(stablehlo.StringAttr{}) || (ok && len(d.Entries) == 0)
}

func makePrecisions(*stablehlo.Op) stablehlo.Attribute {
	p := enum(stablehlo.Precision, "DEFAULT")
	return &stablehlo.ArrayAttr{Elems: []stablehlo.Attribute{p, p}}
}

func isDefaultPrecisions(a stablehlo.Attribute) bool {
	list, ok := a.(*stablehlo.ArrayAttr)
	if !ok {
		return false
	}
	for _, e := range list.Elems {
		if e != stablehlo.Attribute(enum(stablehlo.Precision, "DEFAULT")) {
			return false
		}
	}
	return true
}

// maxWindowRank is above the number of dimensions of any window.
const maxWindowRank = 1 << 10

// windowRank returns the number of dimensions of an operation's window.
func windowRank(o *stablehlo.Op) int64 {
	rank := 0
	switch a := o.Attr("dimension_numbers").(type) {
	case *stablehlo.ConvDims:
		rank = len(a.InputSpatial)
	default:
		if w, ok := o.Attr("window_dimensions").(*stablehlo.DenseArrayAttr); ok {
			rank = w.Len()
		} else if len(o.Operands) > 0 {
			if t, ok := o.Operands[0].Type.(*stablehlo.TensorType); ok {
				rank = t.Rank()
			}
		}
	}
	return int64(min(rank, maxWindowRank))
}

// defaults is the table by operation and attribute, parsed once.
var defaults = sync.OnceValue(func() map[string]map[string]absent {
	all := map[string]map[string]absent{}
	var names []string
	for line := range strings.Lines(defaultsText) {
		if line[0] == '#' {
			continue
		}
		if line[0] != ' ' {
			names = nil
		}
		for word := range strings.FieldsSeq(line) {
			attr, v, ok := strings.Cut(word, "=")
			if !ok {
				names = append(names, word)
				continue
			}
			v, keep := strings.CutSuffix(v, "!")
			val, known := values[v]
			if !known {
				panic("vhlo: table of defaults: unknown value " + word)
			}
			for _, name := range names {
				if all[name] == nil {
					all[name] = map[string]absent{}
				}
				all[name][attr] = absent{value: val, keep: keep}
			}
		}
	}
	return all
})

package stablehlo

import (
	_ "embed"
	"sync"
)

// OpInfo is a row of the table: what an operation of a known dialect looks like.
type OpInfo struct {
	Name     string // with the dialect
	Index    int    // its place in the table: Ops()[Index]
	Operands []Slot
	Results  []Slot
	Regions  []Slot
	Attrs    []AttrSlot // inherent attributes; all others of an operation are discardable
	Traits   Traits
	// Form is the short form that text shows between the name and the location, in the
	// notation that package mlirtext explains; "" if there is only the generic form.
	Form string
}

// Slot names one operand, result or region of a row, or a run of them.
type Slot struct {
	Name  string
	Arity Arity
}

// Arity says how many values a Slot stands for.
type Arity uint8

// The arities.
const (
	One      Arity = iota
	Optional       // none or one
	Variadic       // any number
)

// AttrSlot names an inherent attribute and what may stand in it.
type AttrSlot struct {
	Name     string
	Kind     *AttrKind
	Optional bool
	// Default is what an absent attribute stands for; nil if it stands for nothing, or
	// that depends on more.
	Default Attribute
}

// Traits are properties that hold for every operation of a row.
type Traits uint8

// The traits.
const (
	// Terminator: may stand only at the end of a block.
	Terminator Traits = 1 << iota
	// SymbolTable: operations in its region define symbols that others refer to.
	SymbolTable
	// Isolated: its regions use no values from outside them.
	Isolated
	// SameVariadic: the runs among its operands have the same length.
	SameVariadic
	// Segments: the attributes OperandSegments and ResultSegments give the lengths of the
	// runs among its operands and results.
	Segments
	// Commutative: its two operands may be exchanged.
	Commutative
)

// The attributes of an operation with [Segments].
const (
	OperandSegments = "operandSegmentSizes"
	ResultSegments  = "resultSegmentSizes"
)

// Has reports whether the row has all the traits of t.
func (i *OpInfo) Has(t Traits) bool { return i.Traits&t == t }

// Attr returns the slot of the inherent attribute called name, nil if there is none.
func (i *OpInfo) Attr(name string) *AttrSlot {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}

//go:embed ops.txt
var opsText string

// rows parses the table, once.
var rows = sync.OnceValue(func() *opTable { return parseTable(opsText) })

// Lookup returns the row of an operation, nil if the table has none.
func Lookup(name string) *OpInfo { return rows().byName[name] }

// Ops returns the rows in the order of the table. The slice must not be changed.
func Ops() []*OpInfo { return rows().list }

// opTable is the parsed table.
type opTable struct {
	list   []*OpInfo
	byName map[string]*OpInfo
}

// Group returns the operands that belong to the i-th operand slot; ok is false if the
// number of operands does not fit the row, or the operation has no row. Runs share what
// the single operands leave: a row has one run, or SameVariadic runs of one length, or
// Segments give the lengths.
func (o *Op) Group(i int) (values []*Value, ok bool) {
	if o.Info == nil {
		return nil, false
	}
	from, to, ok := o.groupRange(o.Info.Operands, OperandSegments, len(o.Operands), i)
	if !ok {
		return nil, false
	}
	return o.Operands[from:to], true
}

// ResultGroup returns the results that belong to the i-th result slot, as Group does
// for operands.
func (o *Op) ResultGroup(i int) (values []*Value, ok bool) {
	if o.Info == nil {
		return nil, false
	}
	from, to, ok := o.groupRange(o.Info.Results, ResultSegments, len(o.Results), i)
	if !ok {
		return nil, false
	}
	return o.Results[from:to], true
}

// groupRange returns where the i-th slot begins and ends among n values.
func (o *Op) groupRange(slots []Slot, segments string, n, i int) (from, to int, ok bool) {
	sizes, ok := o.groupSizes(slots, segments, n)
	if !ok || i >= len(slots) {
		return 0, 0, false
	}
	for _, size := range sizes[:i] {
		from += size
	}
	return from, from + sizes[i], true
}

// groupSizes returns how many of n values belong to each slot.
func (o *Op) groupSizes(slots []Slot, segments string, n int) (sizes []int, ok bool) {
	if o.Info.Has(Segments) {
		return o.segmentSizes(segments, len(slots), n)
	}
	runs := 0
	for _, s := range slots {
		if s.Arity != One {
			runs++
		}
	}
	left := n - (len(slots) - runs)
	switch {
	case left < 0, runs == 0 && left != 0, runs > 1 && !o.Info.Has(SameVariadic), runs > 1 && left%runs != 0:
		return nil, false
	}
	for _, s := range slots {
		size := 1
		if s.Arity != One {
			size = left / runs
		}
		if s.Arity == Optional && size > 1 {
			return nil, false
		}
		sizes = append(sizes, size)
	}
	return sizes, true
}

// segmentSizes reads the lengths of the runs from an attribute.
func (o *Op) segmentSizes(name string, slots, n int) (sizes []int, ok bool) {
	list, ok := o.Attr(name).(*DenseArrayAttr)
	if !ok {
		return nil, false
	}
	values, ok := list.Ints()
	if !ok || len(values) != slots {
		return nil, false
	}
	sum := 0
	for _, v := range values {
		if v < 0 || v > int64(n) {
			return nil, false
		}
		sizes = append(sizes, int(v))
		sum += int(v)
	}
	return sizes, sum == n
}

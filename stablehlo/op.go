package stablehlo

import "slices"

// Module is a program: one builtin.module operation, and what belongs to the file it
// was read from.
type Module struct {
	Op        *Op        // builtin.module: one region of one block
	File      string     // name of the file for errors; "" if there is none
	Resources []Resource // named blobs, in the order of the file
}

// Resource is a named blob of the file's {-# #-} part or resource section: the bytes
// of a dense_resource attribute, or data of a dialect or tool.
type Resource struct {
	Section string // "dialect_resources" or "external_resources"
	Owner   string // the dialect, "builtin" for dense_resource, or the tool
	Key     string
	Align   int    // alignment of the blob
	Data    []byte // for a blob; may be a view of the file
	Text    string // for a string or truth value: as in text
}

// Op is an operation.
type Op struct {
	Name     string  // with the dialect: "stablehlo.add"
	Info     *OpInfo // its row of the table; nil for an operation of another dialect
	Operands []*Value
	Results  []*Value
	// Props are the attributes that the operation's row names (of an unknown operation:
	// the <{...}> list), Attrs all others. Both are sorted by name.
	Props []NamedAttribute
	Attrs []NamedAttribute
	// Regions are in the row's order.
	Regions    []*Region
	Successors []*Block
	Loc        Location // nil: unknown
	Pos        Pos      // where the file has it
	Block      *Block   // the block it stands in; nil for a module
}

// Pos is a place in the file: line and column of a text, counted from 1, or Line 0 and
// the byte offset of a binary file in Col.
type Pos struct {
	Line, Col int
}

// Value is a result of an operation or an argument of a block.
type Value struct {
	Type  Type
	Op    *Op      // the operation it is a result of; nil for an argument
	Block *Block   // the block it is an argument of; nil for a result
	Index int      // its place among the results or arguments
	Loc   Location // of an argument; nil: unknown
}

// Region is a list of blocks; most have one.
type Region struct {
	Blocks []*Block
	Op     *Op // the operation it belongs to
}

// Block is a list of operations that run in order.
type Block struct {
	Args   []*Value
	Ops    []*Op
	Region *Region
}

// Attr returns the value of the attribute called name, nil if it is not there.
func (o *Op) Attr(name string) Attribute {
	if a := getAttr(o.Props, name); a != nil {
		return a
	}
	return getAttr(o.Attrs, name)
}

// SetAttr puts an attribute among Props if the operation's row names it, else among
// Attrs, in place of one of that name.
func (o *Op) SetAttr(name string, value Attribute) {
	list := &o.Attrs
	if o.Info != nil && o.Info.Attr(name) != nil {
		list = &o.Props
	}
	*list = setAttr(*list, name, value)
}

// setAttr keeps list sorted by name.
func setAttr(list []NamedAttribute, name string, value Attribute) []NamedAttribute {
	i, ok := findEntry(list, name)
	if ok {
		list[i].Value = value
		return list
	}
	return slices.Insert(list, i, NamedAttribute{Name: name, Value: value})
}

// Result returns the type of the i-th result.
func (o *Op) Result(i int) Type { return o.Results[i].Type }

// NewOp returns an operation with results of the given types, in no block yet.
// Attributes go to Props or Attrs as the row of name says.
func NewOp(name string, operands []*Value, results []Type, attrs ...NamedAttribute) *Op {
	o := &Op{Name: name, Info: Lookup(name), Operands: operands}
	o.AddResults(results...)
	for _, a := range attrs {
		o.SetAttr(a.Name, a.Value)
	}
	return o
}

// AddResults appends results of the given types.
func (o *Op) AddResults(types ...Type) {
	for _, t := range types {
		o.Results = append(o.Results, &Value{Type: t, Op: o, Index: len(o.Results)})
	}
}

// AddRegion appends an empty region.
func (o *Op) AddRegion() *Region {
	r := &Region{Op: o}
	o.Regions = append(o.Regions, r)
	return r
}

// AddBlock appends a block with arguments of the given types.
func (r *Region) AddBlock(args ...Type) *Block {
	b := &Block{Region: r}
	r.Blocks = append(r.Blocks, b)
	b.AddArgs(args...)
	return b
}

// AddArgs appends arguments of the given types.
func (b *Block) AddArgs(types ...Type) {
	for _, t := range types {
		b.Args = append(b.Args, &Value{Type: t, Block: b, Index: len(b.Args)})
	}
}

// Append puts operations at the end of the block.
func (b *Block) Append(ops ...*Op) {
	for _, o := range ops {
		o.Block = b
	}
	b.Ops = append(b.Ops, ops...)
}

// Parent returns the operation whose region the operation stands in, nil for a module.
func (o *Op) Parent() *Op {
	if o.Block == nil || o.Block.Region == nil {
		return nil
	}
	return o.Block.Region.Op
}

// NewModule returns an empty module.
func NewModule() *Module {
	op := NewOp("builtin.module", nil, nil)
	op.AddRegion().AddBlock()
	return &Module{Op: op}
}

// Body returns the block that holds the functions.
func (m *Module) Body() *Block { return m.Op.Regions[0].Blocks[0] }

// Resource returns the blob of a dense_resource key; ok is false if the file has none.
func (m *Module) Resource(key string) (data []byte, ok bool) {
	for i := range m.Resources {
		if r := &m.Resources[i]; r.Key == key && r.Owner == "builtin" {
			return r.Data, true
		}
	}
	return nil, false
}

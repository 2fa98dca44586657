package hlotext

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// comp is a computation as it is read.
type comp struct {
	name   string
	pos    int    // where its name stands
	at     op.Pos // the same in lines and columns
	thread string
	nodes  []*node
	root   *node
	named  map[string]*node // what its own text can name; nil once it is read
	params map[int]*node    // by number
	calls  []*comp          // called by the nodes, with repetitions
	// settled is the thread that c and all that it calls were last put on.
	settled *string

	program *shape.Program // the signature, once it is asked for
	made    *hlo.Computation
}

// node is an instruction as it is read.
type node struct {
	name     string
	pos      int    // where it begins
	at       op.Pos // the same in lines and columns
	code     op.Code
	shape    shape.Shape
	operands []*node
	attrs    op.Attrs
	owned    bool // attrs are this node's alone and may be changed
	called   []*comp
	common   common
	// wrapped is the operation of an asynchronous instruction that the text writes as
	// custom-call-start, custom-call-update or custom-call-done.
	wrapped op.Code
	chain   *async  // that it is part of
	thread  *string // that the text gives an asynchronous instruction
	made    *hlo.Instruction
}

// common is what any instruction may carry.
type common struct {
	sharding      *op.Sharding
	frontend      []hlo.KeyValue
	statistics    *hlo.Statistics
	origin        *hlo.Origin
	metadata      *hlo.Metadata
	backendConfig string
	preds         []*node // control predecessors
}

func (p *parser) newComp(name string, pos int) *comp {
	return &comp{name: name, pos: pos, at: p.position(pos), named: map[string]*node{}, params: map[int]*node{}}
}

// signature returns the shapes of c's parameters and result.
func (c *comp) signature() shape.Program {
	if c.program != nil {
		return *c.program
	}
	s := shape.Program{Result: c.root.shape}
	for i := range len(c.params) {
		s.Params = append(s.Params, c.params[i].shape)
		s.Names = append(s.Names, c.params[i].name)
	}
	c.program = &s
	return s
}

// inputs returns what the shape rule of n sees.
func (n *node) inputs() *op.Inputs {
	in := &op.Inputs{Attrs: n.attrs}
	for _, o := range n.operands {
		in.Operands = append(in.Operands, o.shape)
	}
	for _, c := range n.called {
		in.Called = append(in.Called, c.signature())
	}
	return in
}

// shapeSize counts the shapes that s is made of, itself included, up to limit. A
// tuple of tuples may share its parts, and so be larger than the text that made it.
func shapeSize(s shape.Shape, limit int) int {
	n := 1
	for i := 0; i < len(s.Elems) && n < limit; i++ {
		n += shapeSize(s.Elems[i], limit-n)
	}
	return n
}

// leaves counts the arrays, tokens and opaque values in s, up to limit.
func leaves(s shape.Shape, limit int) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for i := 0; i < len(s.Elems) && n < limit; i++ {
		n += leaves(s.Elems[i], limit-n)
	}
	return n
}

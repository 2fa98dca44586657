package hlotest

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file draws what is not one instruction with an array for a result: pairs of
// start and done, tokens, transfers, dynamic sizes, and collectives of one device.

// composeFunc adds the instructions of a form to g, or returns false if the values so far do not fit.
type composeFunc func(g *generator, code op.Code) bool

// composer returns how to draw such an operation, nil for others.
func composer(code op.Code) composeFunc {
	return map[op.Code]composeFunc{
		op.AddDependency:          composeToken,
		op.AfterAll:               composeToken,
		op.AllGather:              composeGather,
		op.AllGatherDone:          composeGatherPair,
		op.AllGatherStart:         composeGatherPair,
		op.AllReduce:              composeAllReduce,
		op.AllReduceDone:          composeAllReducePair,
		op.AllReduceStart:         composeAllReducePair,
		op.AllToAll:               composeCollective,
		op.AsyncDone:              composeAsync,
		op.AsyncStart:             composeAsync,
		op.AsyncUpdate:            composeAsync,
		op.Bitcast:                composeBitcast,
		op.CollectiveBroadcast:    composeCollective,
		op.CollectivePermute:      composeCollective,
		op.CollectivePermuteDone:  composePermutePair,
		op.CollectivePermuteStart: composePermutePair,
		op.CopyDone:               composeCopyPair,
		op.CopyStart:              composeCopyPair,
		op.CustomCall:             composeCustomCall,
		op.Domain:                 composeDomain,
		op.DynamicReshape:         composeDynamicReshape,
		op.GetDimensionSize:       composeDynamicSize,
		op.SetDimensionSize:       composeDynamicSize,
		op.Infeed:                 composeInfeed,
		op.Outfeed:                composeOutfeed,
		op.PartitionId:            composeNumber,
		op.ReplicaId:              composeNumber,
		op.RaggedAllToAll:         composeRaggedAllToAll,
		op.RaggedDot:              composeRaggedDot,
		op.ScaledDot:              composeScaledDot,
		op.Recv:                   composeTransfer,
		op.RecvDone:               composeTransfer,
		op.Send:                   composeTransfer,
		op.SendDone:               composeTransfer,
		op.ReduceScatter:          composeReduceScatter,
		op.RngGetAndUpdateState:   composeRngState,
	}[code]
}

// plain adds an instruction that is not among the values to draw from.
func (g *generator) plain(code op.Code, s shape.Shape, operands []*hlo.Instruction, a op.Attrs,
	called ...*hlo.Computation) *hlo.Instruction {
	return g.entry.Add("", code, s, operands, a, called...)
}

func one(x *hlo.Instruction) []*hlo.Instruction { return []*hlo.Instruction{x} }

// numbers adds an array of s32.
func (g *generator) numbers(v ...int32) *hlo.Instruction {
	return g.add("", op.Constant, shape.Make(shape.S32, len(v)), nil, &op.ConstantAttrs{Value: literal.Of(v)})
}

func (g *generator) token() *hlo.Instruction {
	return g.plain(op.AfterAll, shape.MakeToken(), nil, nil)
}

func composeToken(g *generator, _ op.Code) bool {
	x := g.value()
	g.add("", op.AddDependency, x.Shape(), []*hlo.Instruction{x, g.token()}, nil)
	return true
}

// dimension draws a dimension of x.
func (g *generator) dimension(x *hlo.Instruction) ([]int, bool) {
	if x.Rank() == 0 {
		return nil, false
	}
	return []int{g.rng.IntN(x.Rank())}, true
}

func composeGather(g *generator, _ op.Code) bool {
	x := g.value()
	d, ok := g.dimension(x)
	if ok {
		g.add("", op.AllGather, x.Shape(), one(x), &op.AllGatherAttrs{Dimensions: d})
	}
	return ok
}

func composeGatherPair(g *generator, _ op.Code) bool {
	x := g.value()
	d, ok := g.dimension(x)
	if ok {
		pair := shape.MakeTuple(x.Shape(), x.Shape())
		start := g.plain(op.AllGatherStart, pair, one(x), &op.AllGatherAttrs{Dimensions: d})
		g.add("", op.AllGatherDone, x.Shape(), one(start), nil)
	}
	return ok
}

func (g *generator) sum(t shape.ElementType) *hlo.Computation {
	return g.reducer(g.reducerCode(t), t, t, nil)
}

func composeAllReduce(g *generator, _ op.Code) bool {
	x := g.value()
	g.add("", op.AllReduce, x.Shape(), one(x), &op.AllReduceAttrs{}, g.sum(x.Type()))
	return true
}

func composeAllReducePair(g *generator, _ op.Code) bool {
	x := g.value()
	start := g.plain(op.AllReduceStart, x.Shape(), one(x), &op.AllReduceAttrs{}, g.sum(x.Type()))
	g.add("", op.AllReduceDone, x.Shape(), one(start), nil)
	return true
}

func composeReduceScatter(g *generator, code op.Code) bool {
	x := g.value()
	d, ok := g.dimension(x)
	if ok {
		g.add("", code, x.Shape(), one(x), &op.ReduceScatterAttrs{Dimensions: d}, g.sum(x.Type()))
	}
	return ok
}

// composeCollective exchanges blocks with itself.
func composeCollective(g *generator, code op.Code) bool {
	x := g.value()
	groups := op.ReplicaGroups{Groups: [][]int{{0}}}
	var a op.Attrs
	switch d, ok := g.dimension(x); code {
	case op.AllToAll:
		if !ok {
			return false
		}
		a = &op.AllToAllAttrs{ReplicaGroups: groups, Dimensions: d}
	case op.CollectiveBroadcast:
		a = &op.CollectiveBroadcastAttrs{ReplicaGroups: groups}
	default:
		a = &op.CollectivePermuteAttrs{SourceTargetPairs: [][]int{{0, 0}}}
	}
	g.add("", code, x.Shape(), one(x), a)
	return true
}

func composePermutePair(g *generator, _ op.Code) bool {
	x := g.value()
	start := g.plain(op.CollectivePermuteStart, shape.MakeTuple(x.Shape(), x.Shape()), one(x),
		&op.CollectivePermuteAttrs{SourceTargetPairs: [][]int{{0, 0}}})
	g.add("", op.CollectivePermuteDone, x.Shape(), one(start), nil)
	return true
}

func composeCopyPair(g *generator, _ op.Code) bool {
	x := g.value()
	pair := shape.MakeTuple(x.Shape(), x.Shape(), shape.Make(shape.U32))
	start := g.plain(op.CopyStart, pair, one(x), &op.CopyStartAttrs{})
	g.add("", op.CopyDone, x.Shape(), one(start), nil)
	return true
}

// composeAsync wraps a reshape, which the verifier wants to be alone in its computation.
func composeAsync(g *generator, _ op.Code) bool {
	x := g.value()
	result := shape.Make(x.Type(), x.Size())
	f := g.module.AddComputation("wrapped")
	p := f.Add("p", op.Parameter, x.Shape(), nil, &op.ParameterAttrs{})
	f.SetRoot(f.Add("", op.Reshape, result, one(p), &op.ReshapeAttrs{}))
	pair := shape.MakeTuple(shape.MakeTuple(x.Shape()), result, shape.Make(shape.S32))
	last := g.plain(op.AsyncStart, pair, one(x), &op.AsyncAttrs{}, f)
	if g.rng.IntN(2) == 0 {
		last = g.plain(op.AsyncUpdate, pair, one(last), &op.AsyncAttrs{})
	}
	g.add("", op.AsyncDone, result, one(last), &op.AsyncAttrs{})
	return true
}

func composeBitcast(g *generator, _ op.Code) bool {
	x := g.value()
	g.add("", op.Bitcast, shape.Make(x.Type(), x.Size()), one(x), nil)
	return true
}

func composeCustomCall(g *generator, _ op.Code) bool {
	x := g.value()
	g.add("", op.CustomCall, x.Shape(), one(x), &op.CustomCallAttrs{Target: "Sharding"})
	return true
}

func composeDomain(g *generator, _ op.Code) bool {
	x := g.value()
	maximal := func(device int) *op.Sharding { return &op.Sharding{Kind: op.ShardingMaximal, Device: device} }
	g.add("", op.Domain, x.Shape(), one(x), &op.DomainAttrs{
		Domain: op.DomainSpec{Kind: "sharding", Entry: maximal(0), Exit: maximal(1)}})
	return true
}

// size adds an s32 from 0 to limit.
func (g *generator) size(limit int) *hlo.Instruction {
	value := integer(g.rng.IntN(limit + 1))
	return g.add("", op.Constant, shape.Make(shape.S32), nil, &op.ConstantAttrs{Value: value})
}

// composeDynamicSize makes a dimension dynamic and asks for its size, and for a sum over all.
func composeDynamicSize(g *generator, _ op.Code) bool {
	x := g.value()
	d, ok := g.dimension(x)
	if !ok {
		return false
	}
	dynamic := make([]bool, x.Rank())
	dynamic[d[0]] = true
	s := shape.MakeDynamic(x.Type(), x.Dims(), dynamic)
	operands := []*hlo.Instruction{x, g.size(x.Dims()[d[0]])}
	set := g.plain(op.SetDimensionSize, s, operands, &op.DimensionAttrs{Dimensions: d})
	g.add("", op.GetDimensionSize, shape.Make(shape.S32), one(set), &op.DimensionAttrs{Dimensions: d})
	g.fold(set)
	return true
}

// fold adds the reduction of x over all its dimensions.
func (g *generator) fold(x *hlo.Instruction) {
	t, all := x.Type(), []int{}
	for d := range x.Dims() {
		all = append(all, d)
	}
	init := g.like(shape.Make(t))
	g.add("", op.Reduce, shape.Make(t), []*hlo.Instruction{x, init}, &op.ReduceAttrs{Dimensions: all}, g.sum(t))
}

// composeDynamicReshape flattens to a size that it is told at run time.
func composeDynamicReshape(g *generator, code op.Code) bool {
	x := g.value()
	n := x.Size()
	size := g.add("", op.Constant, shape.Make(shape.S32), nil, &op.ConstantAttrs{Value: integer(n)})
	s := shape.MakeDynamic(x.Type(), []int{n}, []bool{true})
	g.fold(g.plain(code, s, []*hlo.Instruction{x, size}, nil))
	return true
}

func composeNumber(g *generator, code op.Code) bool {
	g.add("", code, shape.Make(shape.U32), nil, nil)
	return true
}

func composeRngState(g *generator, code op.Code) bool {
	g.add("", code, shape.Make(shape.U64, 2), nil, &op.RngStateAttrs{Delta: 1 + g.rng.IntN(64)})
	return true
}

// composeRaggedAllToAll sends some rows of x to itself.
func composeRaggedAllToAll(g *generator, code op.Code) bool {
	x := g.value()
	if x.Rank() == 0 || x.Dims()[0] == 0 {
		return false
	}
	rows := int32(1 + g.rng.IntN(x.Dims()[0]))
	operands := []*hlo.Instruction{x, g.like(x.Shape()), g.numbers(0), g.numbers(rows), g.numbers(0), g.numbers(rows)}
	g.add("", code, x.Shape(), operands, &op.RaggedAllToAllAttrs{ReplicaGroups: op.ReplicaGroups{Groups: [][]int{{0}}}})
	return true
}

func composeRaggedDot(g *generator, code op.Code) bool {
	const rows, depth, cols, groups = 4, 3, 2, 2
	lhs, rhs := g.like(shape.Make(shape.F32, rows, depth)), g.like(shape.Make(shape.F32, groups, depth, cols))
	g.add("", code, shape.Make(shape.F32, rows, cols), []*hlo.Instruction{lhs, rhs, g.numbers(1, 3)},
		&op.RaggedDotAttrs{LHSContracting: []int{1}, RHSContracting: []int{1}, LHSRagged: []int{0}, RHSGroup: []int{0},
			Algorithm: g.algorithm()})
	return true
}

func composeScaledDot(g *generator, code op.Code) bool {
	const rows, depth, cols, block = 2, 8, 3, 4
	t, scale := shape.F8E4M3FN, shape.F8E8M0FNU
	operands := []*hlo.Instruction{
		g.like(shape.Make(t, rows, depth)), g.like(shape.Make(t, depth, cols)),
		g.like(shape.Make(scale, rows, depth/block)), g.like(shape.Make(scale, depth/block, cols))}
	g.add("", code, shape.Make(shape.F32, rows, cols), operands,
		&op.DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{0}, Algorithm: g.algorithm()})
	return true
}

// channel returns a number that no instruction has yet.
func (g *generator) channel() op.OptInt {
	n := 1
	for _, c := range g.module.Computations() {
		n += len(c.Instructions())
	}
	return op.Some(n)
}

// composeTransfer sends a value to this device itself. Only the entry does, once for each channel.
func composeTransfer(g *generator, _ op.Code) bool {
	if g.depth > 0 {
		return false
	}
	x := g.value()
	a := &op.ChannelAttrs{ChannelID: g.channel()}
	context := shape.MakeTuple(x.Shape(), shape.Make(shape.U32), shape.MakeToken())
	recv := g.plain(op.Recv, context, one(g.token()), a)
	send := g.plain(op.Send, context, []*hlo.Instruction{x, g.token()}, a)
	g.plain(op.SendDone, shape.MakeToken(), one(send), a)
	got := shape.MakeTuple(x.Shape(), shape.MakeToken())
	done := g.plain(op.RecvDone, got, one(recv), a)
	g.add("", op.GetTupleElement, x.Shape(), one(done), &op.GetTupleElementAttrs{Index: 0})
	return true
}

// composeInfeed reads one value from the host; a module has one infeed at most.
func composeInfeed(g *generator, code op.Code) bool {
	isInfeed := func(i *hlo.Instruction) bool { return i.Code() == op.Infeed }
	if g.depth > 0 || slices.ContainsFunc(g.entry.Instructions(), isInfeed) {
		return false
	}
	s := g.shape()
	feed := g.plain(code, shape.MakeTuple(s, shape.MakeToken()), one(g.token()), &op.InfeedAttrs{})
	g.add("", op.GetTupleElement, s, one(feed), &op.GetTupleElementAttrs{Index: 0})
	return true
}

func composeOutfeed(g *generator, code op.Code) bool {
	if g.depth > 0 {
		return false
	}
	x := g.value()
	g.plain(code, shape.MakeToken(), []*hlo.Instruction{x, g.token()}, &op.OutfeedAttrs{Shape: x.Shape()})
	return true
}

package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

var (
	halves = builder.CollectiveOptions{Groups: builder.Groups([]int{0, 2}, []int{1, 3})}
	global = builder.CollectiveOptions{Groups: builder.Groups([]int{0, 1, 4, 5}, []int{2, 3, 6, 7}), Channel: 1,
		GlobalIDs: true}
	ring = [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}
)

var programsDevices = []program{
	{"At", func(p *prog) builder.Op {
		p.At(op.Pos{File: "model.mlir", Line: 7, Column: 3}, &hlo.Metadata{OpName: "layer/neg"})
		return builder.Neg(p.in("f32[2]"))
	}},
	{"ReplicaId", func(p *prog) builder.Op { return p.ReplicaId() }},
	{"PartitionId", func(p *prog) builder.Op { return p.PartitionId() }},
	{"Groups", func(p *prog) builder.Op { return builder.AllReduce(p.in("f32[2]"), builder.Add, halves) }},
	{"AllGather", func(p *prog) builder.Op { return builder.AllGather(p.in("f32[2,3]"), 1, 4) }},
	{"AllGather of global ids", func(p *prog) builder.Op { return builder.AllGather(p.in("f32[1]"), 0, 4, global) }},
	{"AllGather of a tuple", func(p *prog) builder.Op {
		return builder.AllGather(p.in("(f32[2], s32[2])"), 0, 2, halves)
	}},
	{"AllGather in a layout", func(p *prog) builder.Op {
		o := halves
		o.Layout = shape.MakeLayout(0, 1)
		return builder.AllGather(p.in("f32[2,3]"), 1, 2, o)
	}},
	{"AllGatherStart", func(p *prog) builder.Op {
		return builder.AllGatherDone(builder.AllGatherStart(p.in("f32[2]"), 0, 2, halves))
	}},
	{"AllGatherDone", func(p *prog) builder.Op {
		return builder.AllGatherDone(builder.AllGatherStart(p.in("f32[2]"), 0, 8))
	}},
	{"AllReduce", func(p *prog) builder.Op { return builder.AllReduce(p.in("f32[2]"), builder.Max, global) }},
	{"AllReduce of a tuple", func(p *prog) builder.Op {
		return builder.AllReduce(builder.Tuple(p.in("f32[2]"), p.in("f32[]")), builder.Add)
	}},
	{"AllReduce of a tuple of one", func(p *prog) builder.Op {
		return builder.AllReduce(p.in("(f32[2])"), builder.Add)
	}},
	{"AllReduceStart", func(p *prog) builder.Op {
		return builder.AllReduceDone(builder.AllReduceStart(p.in("f32[2]"), builder.Add, halves))
	}},
	{"AllReduceDone", func(p *prog) builder.Op {
		return builder.AllReduceDone(builder.AllReduceStart(p.in("(f32[2], f32[])"), builder.Add))
	}},
	{"CrossReplicaSum", func(p *prog) builder.Op { return builder.CrossReplicaSum(p.in("f32[2]")) }},
	{"CrossReplicaSum in groups", func(p *prog) builder.Op {
		return builder.CrossReplicaSum(p.in("pred[2]"), []int{0, 1}, []int{2, 3})
	}},
	{"ReduceScatter", func(p *prog) builder.Op {
		return builder.ReduceScatter(p.in("f32[4,2]"), builder.Add, 0, 2, halves)
	}},
	{"ReduceScatter of a tuple", func(p *prog) builder.Op {
		return builder.ReduceScatter(p.in("(f32[4], f32[2])"), builder.Add, 0, 2)
	}},
	{"AllToAll", func(p *prog) builder.Op { return builder.AllToAll(p.in("f32[4,16]"), 1, 0, 4) }},
	{"AllToAll of a minor dimension", func(p *prog) builder.Op {
		return builder.AllToAll(p.in("f32[4,3,16]"), 0, 2, 2, halves)
	}},
	{"AllToAll in one dimension", func(p *prog) builder.Op {
		return builder.AllToAll(p.in("f32[4]"), 0, 0, 2, halves)
	}},
	{"AllToAll in a layout", func(p *prog) builder.Op {
		o := halves
		o.Layout = shape.MakeLayout(0, 1)
		return builder.AllToAll(p.in("f32[4,16]"), 1, 0, 2, o)
	}},
	{"AllToAllTuple", func(p *prog) builder.Op {
		return p.Tuple(builder.AllToAllTuple(p.ins("f32[4]", "f32[4]"), halves)...)
	}},
	{"RaggedAllToAll", func(p *prog) builder.Op {
		f := p.ins("f32[3]", "s32[2]", "s32[2]", "f32[4]", "s32[2]", "s32[2]")
		return builder.RaggedAllToAll(f[0], f[1], f[2], f[3], f[4], f[5], halves)
	}},
	{"CollectiveBroadcastFrom", func(p *prog) builder.Op {
		return builder.CollectiveBroadcastFrom(p.in("f32[2]"), p.in("s32[]"), halves)
	}},
	{"CollectiveBroadcast", func(p *prog) builder.Op { return builder.CollectiveBroadcast(p.in("f32[2]"), halves) }},
	{"CollectivePermute", func(p *prog) builder.Op {
		return builder.CollectivePermute(p.in("f32[2]"), ring, builder.CollectiveOptions{Channel: 3})
	}},
	{"CollectivePermuteInPlace", func(p *prog) builder.Op {
		at := p.Tuple(p.Const(int32(0)), p.Const(int32(4)))
		return builder.CollectivePermuteInPlace(p.in("f32[2,8]"), p.in("f32[2,8]"), at, at, ring, []int{2, 4})
	}},
	{"CollectivePermuteStart", func(p *prog) builder.Op {
		return builder.CollectivePermuteDone(builder.CollectivePermuteStart(p.in("f32[2]"), ring))
	}},
	{"CollectivePermuteDone", func(p *prog) builder.Op {
		return builder.CollectivePermuteDone(builder.CollectivePermuteStart(p.in("f32[]"), nil))
	}},

	{"Send", func(p *prog) builder.Op { return builder.Send(p.in("f32[2]"), builder.Channel{ID: 1}) }},
	{"SendWithTokens", func(p *prog) builder.Op {
		return builder.SendWithTokens(p.in("f32[2]"), p.ins("token[]", "token[]"), builder.Channel{ID: 1})
	}},
	{"SendToHost", func(p *prog) builder.Op {
		return builder.SendToHost(p.in("f32[2]"), p.AfterAll(), shapeOf("f32[2]"), builder.Channel{ID: 1})
	}},
	{"SendStart", sendAndReceive},
	{"SendDone", sendAndReceive},
	{"RecvStart", sendAndReceive},
	{"RecvDone", sendAndReceive},
	{"Recv", func(p *prog) builder.Op { return p.Recv(shapeOf("f32[2]"), builder.Channel{ID: 1, Pairs: ring}) }},
	{"RecvWithTokens", func(p *prog) builder.Op {
		data, token := p.RecvWithTokens(p.ins("token[]"), shapeOf("f32[2]"), builder.Channel{ID: 1})
		return p.Tuple(data, token)
	}},
	{"RecvFromHost", func(p *prog) builder.Op {
		data, token := builder.RecvFromHost(p.AfterAll(), shapeOf("f32[2]"), builder.Channel{ID: 1})
		return p.Tuple(data, token)
	}},
	{"Infeed", func(p *prog) builder.Op {
		return p.Tuple(p.Infeed(shapeOf("f32[2]"), "a"), p.Infeed(shapeOf("(f32[], s32[])"), ""))
	}},
	{"InfeedWithToken", func(p *prog) builder.Op {
		data, token := builder.InfeedWithToken(p.in("token[]"), shapeOf("f32[2]"), "")
		return p.Tuple(data, token)
	}},
	{"Outfeed", func(p *prog) builder.Op {
		x := p.in("f32[2]")
		builder.Outfeed(x, x.Shape(), "a")
		return builder.Outfeed(x, x.Shape(), "b")
	}},
	{"OutfeedWithToken", func(p *prog) builder.Op {
		x := p.in("f32[2]")
		return builder.OutfeedWithToken(x, p.AfterAll(), x.Shape(), "")
	}},
}

// sendAndReceive sends a value to the device itself: recv, send, recv-done, send-done.
func sendAndReceive(p *prog) builder.Op {
	c := builder.Channel{ID: 1, Pairs: [][2]int{{0, 0}}}
	x, token := p.in("f32[2]"), p.AfterAll()
	recv := builder.RecvStart(token, x.Shape(), c)
	send := builder.SendStart(x, token, c).After(recv)
	data, arrived := builder.RecvDone(recv)
	return p.Tuple(data, arrived, builder.SendDone(send))
}

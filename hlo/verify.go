package hlo

import (
	"fmt"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// VerifyOptions make Verify stricter. The zero value checks what XLA's verifier does
// before layout assignment.
type VerifyOptions struct {
	// LayoutSensitive: shapes that must be equal must be so with their layouts, and operations that
	// cannot change a layout do not.
	LayoutSensitive bool
	// NoMixedPrecision: the floating-point types of an operation's operands, result and called
	// computations are the same, unless the operation is made to mix them.
	NoMixedPrecision bool
	// NoUnboundedDynamism: every dimension has at least a bound.
	NoUnboundedDynamism bool
	// NoHostMemory: no array is in the memory space of the host.
	NoHostMemory bool
	// NamesUnchanged: an instruction whose metadata holds a scheduling name is still called so.
	NamesUnchanged bool
	// UniqueChannels: all collectives of a channel are of one kind.
	UniqueChannels bool
	// SortedBroadcasts: the dimensions of broadcasts ascend.
	SortedBroadcasts bool
	// BitcastReshapes: a reshape, unless fused, moves no data.
	BitcastReshapes bool
	// NoCollectiveDeadlocks: in a scheduled module each send is followed by the receive that takes
	// its data before any other instruction waits for a device.
	NoCollectiveDeadlocks bool
}

// Verify checks everything that passes, evaluator and compiler rely on, and returns
// the first violation as an *Error, or nil. The checks, in order:
//
//   - structure: parents, names, users, roots, parameters, attribute types, called computations
//   - graph: no cycles of data, control or calls; a schedule has operands in front of users
//   - each instruction: result shape, layouts, precision, memory spaces, sharding, threads,
//     calls, asynchronous pairs, sends and receives
//   - channels, buffers with a single writer, deadlocks
//   - the header: entry layout, aliases, donors
//
// It takes time and memory in proportion to the module, whatever is wrong with it.
func Verify(m *Module, o VerifyOptions) error {
	v := &verifier{m: m, o: o, signatures: map[*Computation]*shape.Program{}, known: map[*Computation]bool{},
		async: map[*Computation]bool{}, runs: map[*Instruction]*Computation{}}
	for _, check := range moduleChecks() {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// moduleChecks returns the checks in the order of running; each may rely on those in front of it.
func moduleChecks() []func(*verifier) error {
	return []func(*verifier) error{
		(*verifier).moduleStructure,
		(*verifier).names,
		(*verifier).computationStructure,
		(*verifier).instructionStructure,
		(*verifier).users,
		(*verifier).controlEdges,
		(*verifier).parameters,
		(*verifier).dataCycles,
		(*verifier).callCycles,
		(*verifier).schedule,
		(*verifier).instructions,
		(*verifier).channels,
		(*verifier).constrainedLayouts,
		(*verifier).buffers,
		(*verifier).deadlocks,
		(*verifier).entryLayout,
		(*verifier).aliases,
		(*verifier).donors,
		(*verifier).debugTables,
	}
}

// verifier holds what checks share.
type verifier struct {
	m          *Module
	o          VerifyOptions
	signatures map[*Computation]*shape.Program
	known      map[*Computation]bool         // the computations of the module
	async      map[*Computation]bool         // what an async-start runs
	runs       map[*Instruction]*Computation // what an asynchronous instruction runs, as far as looked up
}

// check is a check of one instruction.
type check func(*verifier, *Instruction) error

// everyInstruction returns the checks that hold for all operations.
func everyInstruction() []check {
	return []check{
		(*verifier).dynamism,
		(*verifier).resultShape,
		(*verifier).mixedPrecision,
		(*verifier).hostMemory,
		(*verifier).keepsLayout,
		(*verifier).sharding,
		(*verifier).calledThreads,
		(*verifier).schedulingName,
	}
}

// instructionChecks returns the further checks of some operations.
func instructionChecks() [op.NumCodes][]check {
	return [op.NumCodes][]check{
		op.AllReduce:      {(*verifier).positiveChannel},
		op.AllReduceDone:  {(*verifier).asyncPairDone},
		op.AllReduceStart: {(*verifier).asyncPairStart},
		op.AllGatherDone:  {(*verifier).asyncPairDone},
		op.AllGatherStart: {(*verifier).asyncPairStart},
		op.AsyncDone:      {(*verifier).asyncOperand, (*verifier).asyncDoneShape},
		op.AsyncStart: {(*verifier).asyncBody, (*verifier).asyncStartShape, (*verifier).asyncUser,
			(*verifier).aliasing},
		op.AsyncUpdate:            {(*verifier).asyncOperand, (*verifier).asyncUser, (*verifier).asyncUpdateShape},
		op.AllToAll:               {(*verifier).oneLayout},
		op.Bitcast:                {(*verifier).bitcastSize},
		op.Broadcast:              {(*verifier).sortedBroadcast},
		op.Call:                   {(*verifier).compositeCall},
		op.CollectivePermuteDone:  {(*verifier).asyncPairDone},
		op.CollectivePermuteStart: {(*verifier).asyncPairStart},
		op.Conditional:            {(*verifier).conditionalSharding},
		op.CopyDone:               {(*verifier).asyncPairDone},
		op.CopyStart:              {(*verifier).asyncPairStart},
		op.CustomCall:             {(*verifier).customCallLayouts, (*verifier).aliasing, (*verifier).bufferAliasing},
		op.Fusion:                 {(*verifier).fusion, (*verifier).aliasing},
		op.Recv:                   {(*verifier).asyncPairStart, (*verifier).sameChannel},
		op.RecvDone:               {(*verifier).asyncPairDone},
		op.Reshape:                {(*verifier).bitcastReshape},
		op.Send:                   {(*verifier).asyncPairStart, (*verifier).sameChannel},
		op.SendDone:               {(*verifier).asyncPairDone},
		op.While:                  {(*verifier).whileSharding},
	}
}

// instructions runs the checks of single instructions over the module.
func (v *verifier) instructions() error {
	v.each(func(i *Instruction) error {
		if i.code == op.AsyncStart {
			v.async[i.called[0]] = true
		}
		return nil
	})
	every, byCode := everyInstruction(), instructionChecks()
	return v.each(func(i *Instruction) error {
		for _, c := range every {
			if err := c(v, i); err != nil {
				return err
			}
		}
		for _, c := range byCode[i.code] {
			if err := c(v, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// each calls f for every instruction of the module until one gives an error.
func (v *verifier) each(f func(*Instruction) error) error {
	for _, c := range v.m.computations {
		for _, i := range c.Instructions() {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// signature returns c's signature, which is made once.
func (v *verifier) signature(c *Computation) *shape.Program {
	s := v.signatures[c]
	if s == nil {
		made := c.Signature()
		s = &made
		v.signatures[c] = s
	}
	return s
}

// errorf returns an error about the module or a computation.
func (v *verifier) errorf(pos Pos, format string, args ...any) error {
	if pos.File == "" {
		pos.File = v.m.File
	}
	return &Error{Pos: pos, Err: fmt.Errorf(format, args...)}
}

package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// maker makes executors of nests, for a tier, on the threads of a pool.
type maker struct {
	tier      exec.Tier
	denormals exec.Denormals
	pool      *exec.Pool
	dump      *dumper
}

// executors makes the executors of nests: machine code of the tier, all in one piece of memory; the portable
// executor on the lowest tier, where the system refuses memory for code, and for a nest that needs too many registers.
// Who runs them keeps the code. The kernels of products are made beside them if several threads help.
func (m maker) executors(nests []*loop.Nest, products *gemm.Batch) ([]executor, *exec.Code, error) {
	list := make([]executor, len(nests))
	var code *exec.Code
	if m.tier > exec.Portable && len(nests) > 0 {
		var err error
		if code, err = m.machineCode(nests, products, list); err != nil && !errors.Is(err, exec.ErrNoExec) {
			return nil, nil, err
		}
	} else {
		memory := stockOf(m.pool)
		threads, apart := startProducts(m.pool, nil, nil, products)
		exec.Each(threads, apart, func(k int) { emitProduct(products, k, memory) })
	}
	for n, nest := range nests {
		if list[n] != nil {
			continue
		}
		p, err := tile.Compile(nest)
		if err != nil {
			return nil, nil, err
		}
		list[n] = tiled{p}
	}
	return list, code, nil
}

// tiled is the portable executor.
type tiled struct{ *tile.Program }

func (tiled) perInstruction() int64 { return 1000 }

// machineCode fills list with kernels in machine code. It is executors where there are any.
func (m maker) machineCode(nests []*loop.Nest, products *gemm.Batch, list []executor) (*exec.Code, error) {
	target := emit.Target{AVX512: m.tier >= exec.AVX512, Cache: int64(exec.Host().L3)}
	target.FarCache, target.AsksRows = exec.Host().FarL3(), exec.Host().AsksRows()
	target.Split = target.AVX512 && exec.Host().SplitUnits()
	target.AskFrom, target.AheadFrom = int64(exec.Host().AskFrom()), int64(exec.Host().AheadFrom())
	target.QuickDivision, target.SlowGather = exec.Host().QuickDivision(), exec.Host().SlowGather()
	target.PairedGather = exec.Host().HalfVectors()
	target.VPOPCNT = target.AVX512 && exec.Host().AVX512VPOPCNTDQ
	target.VBMI = target.AVX512 && exec.Host().AVX512VBMI
	texts := &stockOf(m.pool).texts
	a := texts.take()
	defer func() { texts.give(a, a.Len() <= maxKept) }()
	a.Reset()
	a.VEXOnly, a.Notes = !target.AVX512, m.dump.write != nil
	entries, err := assemble(a, nests, products, target, m.pool)
	if err != nil {
		return nil, err
	}
	text, err := a.Finish()
	if err != nil {
		return nil, err
	}
	m.dump.text("code.asm", a.List)
	code, err := exec.NewCode(text)
	if err != nil {
		return nil, err
	}
	for n, nest := range nests {
		if at := entries[n]; at.any >= 0 {
			list[n] = newMachineKernel(code, at, nest, m.denormals)
		}
	}
	return code, nil
}

// machineKernel is a nest as machine code. It keeps the memory that the code is in.
type machineKernel struct {
	code *exec.Code
	// entry is for buffers anywhere, aligned for those with Stream at whole lines.
	entry, aligned uintptr
	nest           *loop.Nest
	bytes          []int // of the buffers, negative of those with Stream
	second         int64 // the iterations of the second loop of a nest that is Divided, or 0
	denormals      exec.Denormals
	args           [argSlots]atomic.Pointer[emit.Args] // that are not in use
}

func newMachineKernel(code *exec.Code, at entry, nest *loop.Nest, denormals exec.Denormals) *machineKernel {
	k := &machineKernel{code: code, entry: code.Entry(at.any), aligned: code.Entry(at.aligned), nest: nest,
		bytes: make([]int, len(nest.Buffers)), denormals: denormals}
	if l := nest.Second(); nest.Divided && l != nil {
		k.second = l.Extent
	}
	for i := range nest.Buffers {
		b := &nest.Buffers[i]
		k.bytes[i] = int(b.Bytes)
		if b.Stream {
			k.bytes[i] = -k.bytes[i]
		}
	}
	return k
}

// argSlots is how many calls of a kernel at the same time, of one run or of several, find their arguments made.
const argSlots = 16

func (k *machineKernel) takeArgs() *emit.Args {
	for i := range k.args {
		if k.args[i].Load() == nil {
			continue
		}
		if a := k.args[i].Swap(nil); a != nil {
			return a
		}
	}
	return emit.NewArgs(len(k.nest.Buffers))
}

func (k *machineKernel) giveArgs(a *emit.Args) {
	for i := range k.args {
		if k.args[i].CompareAndSwap(nil, a) {
			return
		}
	}
}

func (*machineKernel) perInstruction() int64 { return 50 }

// Run calls the kernel. An access outside of memory, which a kernel does not do on the buffers that it was
// made for, is an error: faults are panics on the goroutines of runs and of the pool.
func (k *machineKernel) Run(bufs [][]byte, lo, hi int64) error {
	return k.RunPart(bufs, lo, hi, 0, k.second)
}

// RunPart is Run of iterations [from, to) of the second loop of a nest that is Divided.
func (k *machineKernel) RunPart(bufs [][]byte, lo, hi, from, to int64) error {
	args := k.takeArgs()
	err := k.call(args, bufs, nil, lo, hi, from, to)
	if err == nil {
		args.Clear()
		k.giveArgs(args)
	}
	return err
}

// call is RunPart with memory for arguments, which then hold the buffers: all of bufs, or those that which numbers.
func (k *machineKernel) call(args *emit.Args, bufs [][]byte, which []int, lo, hi, from, to int64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kernel %s: %v", k.nest.Name, r)
		}
	}()
	entry, n := k.aligned, len(bufs)
	if which != nil {
		n = len(which)
	}
	for i, least := range k.bytes[:n] {
		at := i
		if which != nil {
			at = which[i]
		}
		b := bufs[at]
		p := unsafe.Pointer(unsafe.SliceData(b))
		if least < 0 {
			least = -least
			if uintptr(p)%emit.StreamAlignment != 0 {
				entry = k.entry
			}
		}
		if len(b) < least {
			return fmt.Errorf("kernel %s: buffer %s: expects %d bytes, got %d", k.nest.Name, k.nest.Buffers[i].Name,
				least, len(b))
		}
		args.SetBuffer(i, p)
	}
	if args.SetRange(lo, hi); k.second > 0 {
		args.SetSecond(n, from, to)
	}
	k.denormals.Call(entry, args.Pointer())
	runtime.KeepAlive(k.code)
	return nil
}

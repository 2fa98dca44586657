package elem_test

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// executor runs a nest on buffers.
type executor struct {
	name string
	run  func(n *loop.Nest, bufs [][]byte) error
}

// executors are package tile, and machine code of the tiers that this machine has.
func executors() []executor {
	list := []executor{{"portable", portable}}
	if exec.Host().AVX2 {
		list = append(list, executor{"avx2", machine(emit.Target{})})
	}
	if exec.Host().AVX512 {
		list = append(list, executor{"avx512", machine(emit.Target{AVX512: true})})
	}
	return list
}

func portable(n *loop.Nest, bufs [][]byte) error {
	p, err := tile.Compile(n)
	if err != nil {
		return err
	}
	return p.Run(bufs, 0, p.Extent())
}

func machine(target emit.Target) func(*loop.Nest, [][]byte) error {
	return func(n *loop.Nest, bufs [][]byte) error {
		a := &asm.Assembler{VEXOnly: !target.AVX512}
		if _, err := emit.Compile(a, n, target); err != nil {
			return err
		}
		text, err := a.Finish()
		if err != nil {
			return err
		}
		code, err := exec.NewCode(text)
		if err != nil {
			return fmt.Errorf("memory for code: %w", err)
		}
		defer code.Close()
		args := emit.NewArgs(len(bufs))
		args.SetRange(0, n.Root[len(n.Root)-1].Loop.Extent)
		for k, b := range bufs {
			args.SetBuffer(k, unsafe.Pointer(unsafe.SliceData(b)))
		}
		exec.Call(code.Entry(0), args.Pointer())
		runtime.KeepAlive(bufs)
		return nil
	}
}

//go:build linux && (amd64 || arm64)

// Command bench compares the collectives of the transport with the same ones in a loop in C, on the same MPI
// library, in the same processes, by turns. Script run in its folder builds both, starts them, and writes
// ../RESULTS.md.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func main() {
	library := flag.String("loop", "", "the shared library made of loop.c")
	most := flag.Int("most", 64<<20, "the largest array, in bytes")
	least := flag.Int("least", 4, "the smallest array, in bytes")
	only := flag.Int("only", -1, "the number of one operation to measure")
	budget := flag.Duration("time", 150*time.Millisecond, "how long one operation of one size is measured")
	flag.Parse()
	t, err := mpi.New(mpi.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := measure(t, *library, limits{*least, *most, *only, *budget}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if err := t.Abort(1); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if err := t.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	t.Exit(0)
}

// program is the loop in C.
type program struct{ barrier, loop uintptr }

func load(path string) (p program, err error) {
	h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return p, err
	}
	if p.barrier, err = purego.Dlsym(h, "barrier"); err != nil {
		return p, err
	}
	p.loop, err = purego.Dlsym(h, "loop")
	return p, err
}

// run returns the seconds that one operation takes.
func (p program) run(operation, times int, a, b []byte, bytes int) float64 {
	seconds := new(float64)
	purego.SyscallN(p.loop, uintptr(operation), uintptr(times), uintptr(unsafe.Pointer(&a[0])),
		uintptr(unsafe.Pointer(&b[0])), uintptr(bytes), uintptr(unsafe.Pointer(seconds)))
	return *seconds
}

// operation is what is measured.
type operation struct {
	name, path string
	wanted     float64 // the part of the speed of C that is wanted
	element    shape.ElementType
	prepare    func(b *bench, bytes int) arrays
}

// arrays are those of an operation, which is done with them by one. The loop in C has the same memory.
type arrays struct {
	send, recv literal.Literal
	one        func() error
}

func operations() []operation {
	return []operation{
		{"all-reduce s32", "native", 0.9, shape.S32, allReduce},
		{"all-reduce f32", "bytes", 0.7, shape.F32, allReduce},
		{"reduce-scatter s32", "native", 0.9, shape.S32, reduceScatter},
		{"reduce-scatter f32", "bytes", 0.7, shape.F32, reduceScatter},
		{"all-gather", "bytes", 0.7, shape.U8, allGather},
		{"all-to-all", "bytes", 0.7, shape.U8, allToAll},
	}
}

// bench is a run in which operations are measured.
type bench struct {
	comm  collective.Communicator
	group []int
	of    operation
}

// limits are what is measured, and for how long.
type limits struct {
	least, most, only int
	budget            time.Duration
}

func measure(t *mpi.Transport, library string, l limits) error {
	p, err := load(library)
	if err != nil {
		return err
	}
	b := &bench{}
	for d := range t.Size() {
		b.group = append(b.group, d)
	}
	run := collective.Run{Devices: t.Size(), Groups: func() [][]int { return [][]int{b.group} }}
	s, err := t.Open(context.Background(), run)
	if err != nil {
		return err
	}
	b.comm = s.Communicator(t.Rank())
	if t.Rank() == 0 {
		path, version := t.Library()
		line, _, _ := strings.Cut(version, "\n")
		line, _, _ = strings.Cut(line, ", package")
		fmt.Printf("version %s (%s)\n", strings.Join(strings.Fields(line), " "), filepath.Base(path))
	}
	for i, of := range operations() {
		b.of = of
		for bytes := l.least; bytes <= l.most && (l.only < 0 || l.only == i); bytes *= 4 {
			if err := b.compare(p, i, bytes, l.budget, t.Rank() == 0); err != nil {
				return err
			}
		}
	}
	b.comm.Close(nil)
	return s.Close()
}

// rounds is how often both languages have their turn; the fastest one counts.
const rounds = 12

// compare measures one size. The two take turns.
func (b *bench) compare(p program, index, bytes int, budget time.Duration, show bool) error {
	n := len(b.group)
	if index >= 2 && index != 4 {
		bytes = max(bytes, 4*n)
	}
	a := b.of.prepare(b, bytes)
	fill(a.send.Bytes())
	fill(a.recv.Bytes())
	send, recv := a.send.Bytes(), a.recv.Bytes()
	times := b.agree(p, index, bytes, budget, send, recv)
	c, g := math.Inf(1), math.Inf(1)
	for range rounds {
		purego.SyscallN(p.barrier)
		c = min(c, p.run(index, times, send, recv, bytes))
		purego.SyscallN(p.barrier)
		start := time.Now()
		for range times {
			if err := a.one(); err != nil {
				return err
			}
		}
		g = min(g, time.Since(start).Seconds()/float64(times))
	}
	if show {
		fmt.Printf("%s|%s|%d|%.2f|%.2f|%.2f|%.1f\n", b.of.name, b.of.path, bytes, c*1e6, g*1e6, c/g, b.of.wanted)
	}
	return nil
}

// agree returns how many operations a turn has, the same in all ranks.
func (b *bench) agree(p program, index, bytes int, budget time.Duration, send, recv []byte) int {
	p.run(index, 2, send, recv, bytes)
	each := p.run(index, 5, send, recv, bytes)
	times := literal.Scalar(int64(max(1, budget.Seconds()/rounds/each)))
	all := literal.New(times.Shape())
	err := b.comm.AllReduce(context.Background(), b.meeting("all-reduce"), []literal.Literal{all},
		[]literal.Literal{times}, collective.Reducer{Kind: collective.ReduceMin})
	if err != nil {
		return 1
	}
	return int(literal.Values[int64](all)[0])
}

func (b *bench) meeting(op string) collective.Meeting {
	return collective.Meeting{Op: op, ID: "bench", Name: "bench", Group: b.group}
}

// fill writes numbers into an array. The system has memory for what was never written only in appearance.
func fill(b []byte) {
	for i := 0; i+4 <= len(b); i += 4 {
		binary.LittleEndian.PutUint32(b[i:], math.Float32bits(float32(1+i%100)))
	}
}

// array returns an array of so many bytes.
func (b *bench) array(bytes int) literal.Literal {
	return literal.New(shape.Make(b.of.element, bytes/b.of.element.ByteSize()))
}

// shares returns the parts of an array, of which each member gives or gets one.
func (b *bench) shares(whole literal.Literal) [][]literal.Literal {
	list := make([][]literal.Literal, len(b.group))
	n := whole.Len() / len(b.group)
	for k := range list {
		list[k] = []literal.Literal{collective.Flat(whole, k*n, (k+1)*n)}
	}
	return list
}

// sum is addition as programs do it where MPI may not.
func sum() collective.Reducer {
	return collective.Reducer{Kind: collective.ReduceSum, Combine: func(acc, x literal.Literal) error {
		a, b := literal.Values[float32](acc), literal.Values[float32](x)
		for i, v := range b {
			a[i] += v
		}
		return nil
	}}
}

func allReduce(b *bench, bytes int) arrays {
	send, recv := b.array(bytes), b.array(bytes)
	from, to := []literal.Literal{send}, []literal.Literal{recv}
	return arrays{send, recv, func() error {
		return b.comm.AllReduce(context.Background(), b.meeting("all-reduce"), to, from, sum())
	}}
}

func reduceScatter(b *bench, bytes int) arrays {
	send, recv := b.array(bytes), b.array(bytes/len(b.group))
	from, to := b.shares(send), []literal.Literal{recv}
	return arrays{send, recv, func() error {
		return b.comm.ReduceScatter(context.Background(), b.meeting("reduce-scatter"), to, from, sum())
	}}
}

func allGather(b *bench, bytes int) arrays {
	send, recv := b.array(bytes), b.array(bytes*len(b.group))
	from, to := []literal.Literal{send}, b.shares(recv)
	return arrays{send, recv, func() error {
		return b.comm.AllGather(context.Background(), b.meeting("all-gather"), to, from)
	}}
}

func allToAll(b *bench, bytes int) arrays {
	send, recv := b.array(bytes), b.array(bytes)
	from, to := b.shares(send), b.shares(recv)
	return arrays{send, recv, func() error {
		return b.comm.AllToAll(context.Background(), b.meeting("all-to-all"), to, from)
	}}
}

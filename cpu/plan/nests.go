package plan

import (
	"fmt"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// pending is a step without its nest. Nests take most of the time of planning, and nothing in it asks for them: those
// of a sequence are made together, side by side.
type pending struct {
	spec fuse.Spec
	step *Kernel
	work int // microseconds that it takes to make the nest, about
	// twins, if not nil, are what the instructions of the pending step number first are here: the nest is a copy of that.
	first int
	twins *fuse.Twins
}

// memberWork is how many microseconds an instruction takes in a nest, about, and windowWork one that slides a window.
const memberWork, windowWork = 8, 250

// workOf is how many microseconds it takes to make the nest of members, about.
func workOf(members []*hlo.Instruction) (work int) {
	for _, i := range members {
		if i.Code() == op.Convolution || i.Code() == op.ReduceWindow {
			work += windowWork
		} else {
			work += memberWork
		}
	}
	return work
}

// nest adds the step of a nest of members, which is made later.
func (s *sequencer) nest(spec fuse.Spec, members ...*hlo.Instruction) {
	spec = s.complete(spec)
	step := &Kernel{}
	for _, r := range spec.Roots {
		into := r.Ref
		if r.Into.Inst != nil {
			into = r.Into
		}
		s.owned[s.bufferOf(into)] = true
	}
	s.steps = append(s.steps, step)
	s.pending = append(s.pending, pending{spec: spec, step: step, work: workOf(members)})
}

// complete adds to spec what is the same for all nests.
func (s *sequencer) complete(spec fuse.Spec) fuse.Spec {
	m := s.machine()
	spec.Code, spec.Wide, spec.Split, spec.Asks = m.Code, m.Wide, m.Split, m.Asks
	spec.Excess, spec.Threads = s.options.Excess, m.Threads
	spec.AskFrom, spec.Far = s.options.Machine.AskFrom, s.far
	spec.Strides = func(i *hlo.Instruction) []int { return s.options.Strided[i].Strides }
	return spec
}

// machineOf is what nests depend on of the machine.
func machineOf(o Options) fuse.Machine {
	tier := o.Machine.Tier
	code, wide := tier > exec.Portable, tier >= exec.AVX512
	return fuse.Machine{Threads: o.Machine.Threads, Code: code, Wide: wide, Split: wide && o.Machine.Split,
		Asks: code && o.Machine.AsksRows}
}

func (s *sequencer) machine() fuse.Machine { return machineOf(s.options) }

// makeNests makes the nests of the steps that wait for one: of specs that are alike one is made, the others are copies.
func (s *sequencer) makeNests() error {
	errs, kernels := make([]error, len(s.pending)), make([]*fuse.Kernel, len(s.pending))
	made := s.matchNests()
	work := make([]int, len(made))
	for k, n := range made {
		work[k] = s.pending[n].work
	}
	threads := min(exec.Helped(s.options.Machine.Threads, work), len(made))
	free := make(chan *fuse.Memory, max(threads, 1))
	for k := range cap(free) {
		if k == len(s.nestMemory) {
			s.nestMemory = append(s.nestMemory, new(fuse.Memory))
		}
		free <- s.nestMemory[k]
	}
	exec.Each(threads, len(made), func(at int) {
		n := made[at]
		p := s.pending[n]
		s.pending[n].spec = fuse.Spec{}
		p.spec.Memory = <-free
		defer func() { free <- p.spec.Memory }()
		k, err := fuse.Build(p.spec)
		if err != nil {
			p.spec.Memory = new(fuse.Memory) // the other may hold anything now
			err = fmt.Errorf("kernel %s: %w", p.spec.Name, err)
		}
		kernels[n], errs[n] = k, err
	})
	for k := range cap(free) {
		s.nestMemory[k] = <-free
	}
	for n := range kernels {
		p := &s.pending[n]
		if p.twins != nil && errs[p.first] == nil {
			kernels[n] = kernels[p.first].Again(*p.twins, p.spec.Name)
		}
		if errs[n] != nil {
			return errs[n]
		}
		s.scratch(kernels[n])
		s.attach(p.step, kernels[n])
	}
	s.pending = nil
	return nil
}

// leastMatched is how many steps there are at least of which some are looked for that are alike: layers have several.
// mostMatched is how many specs with the same outline are compared to another.
const leastMatched, mostMatched = 8, 4

// matchNests finds the pending steps whose nests are copies of those of others, and returns the rest.
func (s *sequencer) matchNests() (made []int) {
	if len(s.pending) < leastMatched {
		for n := range s.pending {
			made = append(made, n)
		}
		return made
	}
	outlines := make([]uint64, len(s.pending))
	count := make(map[uint64]int, len(s.pending))
	for n := range s.pending {
		outlines[n] = s.pending[n].spec.Outline()
		count[outlines[n]]++
	}
	var memory fuse.Alike
	known := map[uint64][]int{}
	for n := range s.pending {
		if o := outlines[n]; count[o] == 1 || !s.match(n, known[o], &memory) {
			made, known[o] = append(made, n), append(known[o], n)
		}
	}
	return made
}

// match looks for one of list, the last of it first, whose nest that of step n is a copy of.
func (s *sequencer) match(n int, list []int, memory *fuse.Alike) bool {
	p := &s.pending[n]
	for k := len(list) - 1; k >= max(0, len(list)-mostMatched); k-- {
		if t, ok := memory.Match(&s.pending[list[k]].spec, &p.spec); ok {
			p.first, p.twins, p.spec = list[k], &t, fuse.Spec{Name: p.spec.Name}
			return true
		}
	}
	return false
}

// scratch gives each worker the memory of its own that k asks for.
func (s *sequencer) scratch(k *fuse.Kernel) {
	for n, b := range k.Nest.Buffers {
		if b.Scratch {
			delete(s.temps, k.Buffers[n]) // of another kernel of the same root
			s.temporary(k.Buffers[n], b.Bytes*int64(max(s.machine().Threads, 1)))
		}
	}
}

// attach gives a step its nest.
func (s *sequencer) attach(step *Kernel, k *fuse.Kernel) {
	step.Nest = k.Nest
	for _, r := range k.Buffers {
		step.Buffers = append(step.Buffers, s.bufferOf(r))
	}
}

// bufferOf is the buffer of an array that has one.
func (s *sequencer) bufferOf(r fuse.Ref) int {
	if r.Leaf < 0 {
		return s.temps[r]
	}
	v := s.valueOf(r.Inst)
	if v.Tuple {
		v = v.Elems[r.Leaf]
	}
	return v.Buffer
}

// addKernel adds the step of a nest that is there.
func (s *sequencer) addKernel(k *fuse.Kernel) {
	step := &Kernel{Rounds: k.Rounds}
	for n, r := range k.Buffers {
		if r.Leaf < 0 {
			s.temporary(r, k.Nest.Buffers[n].Bytes)
		}
		if r.Leaf == fuse.Round {
			step.Round = n
		}
	}
	s.attach(step, k)
	for n, b := range step.Buffers {
		if k.Nest.Buffers[n].Write {
			s.owned[b] = true
		}
	}
	s.steps = append(s.steps, step)
}

// temporary gives r a buffer: memory that only the kernels of an instruction use.
func (s *sequencer) temporary(r fuse.Ref, bytes int64) {
	if _, ok := s.temps[r]; !ok {
		n := s.add(Buffer{Kind: Temp, Shape: shape.Make(shape.U8, int(bytes)), Bytes: bytes, Of: r.Inst})
		s.temps[r], s.owned[n] = n, true
	}
}

package runio

import (
	"fmt"

	"github.com/goxla/xla"
)

// Flags are those of the commands that run a program.
type Flags struct {
	Inputs []string
	// Seed is of the random numbers, where Random says that there are any.
	Seed   uint64
	Random bool
	Output string
	// Print prints results; Whole puts those of the partitions together.
	Print, Whole bool
	// Backend is the name of one, Compare interp or a file.
	Backend, Compare string
	Tolerance        Tolerance
	// Replicas and Partitions are 0 where the program tells.
	Replicas, Partitions int
	// Threads of a device, 0 for as many as there are CPUs.
	Threads int
	// FlushDenormals and ExcessPrecision (AllowExcessPrecision) are those of xla.Options.
	FlushDenormals, ExcessPrecision bool
}

// FlagSet is what flags are declared in, such as that of a command.
type FlagSet interface {
	StringArrayVar(p *[]string, name string, value []string, usage string)
	StringVar(p *string, name, value, usage string)
	BoolVar(p *bool, name string, value bool, usage string)
	IntVar(p *int, name string, value int, usage string)
	Uint64Var(p *uint64, name string, value uint64, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	Changed(name string) bool
}

// Declare declares the flags.
func (f *Flags) Declare(set FlagSet) {
	set.StringArrayVar(&f.Inputs, "input", nil, "file with input arrays; may be given again")
	set.Uint64Var(&f.Seed, "random", 0, "fill the parameters with random numbers from this seed")
	set.StringVar(&f.Output, "output", "", "write the results to this .npz, .npy or .safetensors file")
	set.BoolVar(&f.Print, "print", false, "print the results as HLO literals")
	set.BoolVar(&f.Whole, "whole", false, "put the results of the partitions together")
	set.StringVar(&f.Backend, "backend", "cpu", "what runs the program: cpu (the compiler) or interp (the evaluator)")
	set.StringVar(&f.Compare, "compare", "", "compare the results: interp, or a file of arrays")
	set.Float64Var(&f.Tolerance.RTol, "rtol", 1e-4, "tolerance of comparisons: max|got-want| <= rtol * max|want|;\n"+
		"if not given, results of narrow types may be a step off")
	set.IntVar(&f.Replicas, "replicas", 0, "number of replicas (default: as the program says)")
	set.IntVar(&f.Partitions, "partitions", 0, "number of partitions (default: as the program says)")
	set.IntVar(&f.Threads, "threads", 0, "number of threads of a device (default: the CPUs of the process)")
	set.BoolVar(&f.FlushDenormals, "flush-denormals", false, "take denormal numbers for zeros, which is faster (cpu)")
	set.BoolVar(&f.ExcessPrecision, "excess-precision", false,
		"keep digits that are only rounded away in between, which is faster for bf16 and f16 (cpu)")
}

// Check completes the flags after they were read, and refuses those that make no sense.
func (f *Flags) Check(set FlagSet) error {
	f.Random, f.Tolerance.Given = set.Changed("random"), set.Changed("rtol")
	switch {
	case f.Replicas < 0 || f.Partitions < 0:
		return fmt.Errorf("--replicas, --partitions: expects 1 or more, got %d and %d", f.Replicas, f.Partitions)
	case f.Threads < 0:
		return fmt.Errorf("--threads: expects 1 or more, got %d", f.Threads)
	case !(f.Tolerance.RTol >= 0): // NaN too
		return fmt.Errorf("--rtol: expects 0 or more, got %g", f.Tolerance.RTol)
	}
	_, err := Backend(f.Backend)
	return err
}

// Arrays returns where the inputs come from.
func (f *Flags) Arrays() Options { return Options{Files: f.Inputs, Random: f.Random, Seed: f.Seed} }

// Backend returns a backend by its name.
func Backend(name string) (xla.Backend, error) {
	var names []string
	for _, b := range []xla.Backend{xla.CPU(), xla.Interp()} {
		if b.Name() == name {
			return b, nil
		}
		names = append(names, b.Name())
	}
	return nil, fmt.Errorf("--backend: expects one of %v, got %q", names, name)
}

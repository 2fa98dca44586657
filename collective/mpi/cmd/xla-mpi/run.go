//go:build linux && (amd64 || arm64)

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// runFlags are the flags of xla-mpi run.
type runFlags struct {
	inputs               []string
	print                bool
	replicas, partitions int
	timeout              time.Duration
}

func newRun(w *world) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program on arrays from files",
		Long: `Run a program on replicas x partitions devices, which the processes share evenly.

Inputs are .npz, .npy or .safetensors files; their arrays are keyed 0, 1, ... in parameter
order (leaves of tuples counted one by one). K@D is array K of device D (replica * partitions +
partition), a plain key goes to all devices. Every process reads all files. Process 0 prints
the results of all devices.`,
		Example: "  mpirun -n 4 xla-mpi run model.hlo --input inputs.npz --print",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := w.join()
			if err != nil {
				return err
			}
			return runProgram(cmd.Context(), cmd.OutOrStdout(), t, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.inputs, "input", nil, "file with input arrays; may be given again")
	flags.BoolVar(&f.print, "print", false, "print the results as HLO literals")
	flags.IntVar(&f.replicas, "replicas", 0, "number of replicas (default: as the program says)")
	flags.IntVar(&f.partitions, "partitions", 0, "number of partitions (default: as the program says)")
	flags.DurationVar(&f.timeout, "timeout", collective.DefaultTimeout, "how long a device waits for others")
	return cmd
}

func runProgram(ctx context.Context, w io.Writer, t *mpi.Transport, path string, f runFlags) error {
	prog, err := xla.Load(path)
	if err != nil {
		return err
	}
	client, err := xla.NewClient(xla.Options{Transport: t, CollectiveTimeout: f.timeout})
	if err != nil {
		return err
	}
	exe, err := client.Compile(ctx, prog, xla.WithDevices(f.replicas, f.partitions))
	if err != nil {
		return failure{err}
	}
	arrays, err := readArrays(f.inputs)
	if err != nil {
		return err
	}
	args := make([][]literal.Literal, exe.Devices())
	local, err := t.Local(exe.Devices())
	if err != nil {
		return err
	}
	for _, d := range local {
		if args[d], err = arguments(exe.Signature(), arrays, d); err != nil {
			return fmt.Errorf("device %d: %w", d, err)
		}
	}
	out, err := exe.RunReplicated(ctx, args)
	if err != nil {
		return failure{err}
	}
	if out, err = gather(ctx, t, out, f.timeout); err != nil {
		return failure{err}
	}
	if t.Rank() != 0 {
		return nil
	}
	return report(w, out, f.print)
}

// readArrays returns the arrays of all files by key.
func readArrays(files []string) (map[string]literal.Literal, error) {
	arrays := map[string]literal.Literal{}
	for _, file := range files {
		list, err := npy.Open(file)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			if _, twice := arrays[a.Name]; twice {
				return nil, fmt.Errorf("%s: expects each array once, got %q again", file, a.Name)
			}
			arrays[a.Name] = a.Value
		}
	}
	return arrays, nil
}

// arguments returns the arguments of device d.
func arguments(sig shape.Program, arrays map[string]literal.Literal, d int) ([]literal.Literal, error) {
	next := 0
	var one func(s shape.Shape) (literal.Literal, error)
	one = func(s shape.Shape) (literal.Literal, error) {
		if s.IsTuple() {
			elems := make([]literal.Literal, len(s.Elems))
			for i, e := range s.Elems {
				var err error
				if elems[i], err = one(e); err != nil {
					return literal.Literal{}, err
				}
			}
			return literal.MakeTuple(elems...), nil
		}
		key := strconv.Itoa(next)
		next++
		if s.IsToken() {
			return literal.New(s), nil
		}
		for _, name := range []string{fmt.Sprintf("%s@%d", key, d), key} {
			if a, ok := arrays[name]; ok {
				return a, nil
			}
		}
		return literal.Literal{}, fmt.Errorf("expects an array %q, got none", key)
	}
	args := make([]literal.Literal, len(sig.Params))
	for i, s := range sig.Params {
		var err error
		if args[i], err = one(s); err != nil {
			return nil, fmt.Errorf("parameter %d: %w", i, err)
		}
	}
	return args, nil
}

// gather brings the results of all devices to process 0, as leaves.
func gather(ctx context.Context, t *mpi.Transport, out [][]literal.Literal, timeout time.Duration) (
	all [][]literal.Literal, err error) {
	local, err := t.Local(len(out))
	if err != nil {
		return nil, err
	}
	// A run with one device for each process, in which each sends its results to device 0.
	s, err := t.Open(ctx, collective.Run{Devices: t.Size(), Timeout: timeout})
	if err != nil {
		return nil, err
	}
	c := s.Communicator(t.Rank())
	err = exchange(ctx, c, t, out, len(local))
	c.Close(err)
	return out, cmp.Or(err, s.Close())
}

// exchange sends the results of the local devices to process 0, which takes those of
// all others in the order of devices. Shapes are not the same on all devices, so sizes go first.
func exchange(ctx context.Context, c collective.Communicator, t *mpi.Transport, out [][]literal.Literal,
	each int) error {
	for d := range out {
		way := collective.Transfer{Channel: d, Source: d / each, Target: 0, Name: "results"}
		if way.Source == 0 {
			continue
		}
		switch t.Rank() {
		case way.Source:
			if err := sendArrays(ctx, c, way, leaves(nil, out[d])); err != nil {
				return err
			}
		case 0:
			var err error
			if out[d], err = recvArrays(ctx, c, way); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendArrays sends the number of arrays, and of each its type, rank and sizes before it.
func sendArrays(ctx context.Context, c collective.Communicator, way collective.Transfer, list []literal.Literal) error {
	if err := c.Send(ctx, way, []literal.Literal{literal.Scalar(int64(len(list)))}); err != nil {
		return err
	}
	for _, x := range list {
		about := []int64{int64(x.Type())}
		for _, d := range x.Dims() {
			about = append(about, int64(d))
		}
		for _, m := range []literal.Literal{literal.Scalar(int64(len(about))), vector(about), x} {
			if err := c.Send(ctx, way, []literal.Literal{m}); err != nil {
				return err
			}
		}
	}
	return nil
}

// recvArrays receives what sendArrays sent.
func recvArrays(ctx context.Context, c collective.Communicator, way collective.Transfer) ([]literal.Literal, error) {
	recv := func(s shape.Shape) (literal.Literal, error) {
		x := literal.New(s)
		return x, c.Recv(ctx, way, []literal.Literal{x})
	}
	n, err := recv(shape.Make(shape.S64))
	if err != nil {
		return nil, err
	}
	list := make([]literal.Literal, literal.Values[int64](n)[0])
	for i := range list {
		rank, err := recv(shape.Make(shape.S64))
		if err != nil {
			return nil, err
		}
		about, err := recv(shape.Make(shape.S64, int(literal.Values[int64](rank)[0])))
		if err != nil {
			return nil, err
		}
		s := shape.Make(shape.ElementType(literal.Values[int64](about)[0]))
		for _, d := range literal.Values[int64](about)[1:] {
			s.Dims = append(s.Dims, int(d))
		}
		if list[i], err = recv(s); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// leaves appends the arrays in list, those of tuples one by one.
func leaves(to, list []literal.Literal) []literal.Literal {
	for _, l := range list {
		switch {
		case l.Shape().IsTuple():
			to = leaves(to, l.Elems())
		case l.Shape().IsArray():
			to = append(to, l)
		}
	}
	return to
}

// report prints the results of all devices.
func report(w io.Writer, out [][]literal.Literal, values bool) error {
	for d, list := range out {
		for i, l := range leaves(nil, list) {
			key := npy.Key{Name: strconv.Itoa(i), Device: d}
			if len(out) == 1 {
				key.Device = -1
			}
			text := l.Shape().StringNoLayout()
			if values {
				text = string(l.AppendTextWithShape(nil))
			}
			if _, err := fmt.Fprintf(w, "%s: %s\n", key, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// vector returns an array of rank 1.
func vector(v []int64) literal.Literal {
	l := literal.New(shape.Make(shape.S64, len(v)))
	copy(literal.Values[int64](l), v)
	return l
}

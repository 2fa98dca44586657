package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

// reference is what the results are compared with: nothing, those of the evaluator, or
// the arrays of a file.
type reference struct {
	name   string
	arrays []npy.Named
	rtol   runio.Tolerance
}

// newReference returns what --compare names. It reads the file, so that a wrong name
// shows before the program runs.
func newReference(name string, rtol runio.Tolerance) (*reference, error) {
	r := &reference{name: name, rtol: rtol}
	if name == "" || name == "interp" {
		return r, nil
	}
	var err error
	r.arrays, err = npy.Open(name)
	return r, err
}

// compare compares the results of a run of j on args.
func (r *reference) compare(ctx context.Context, w io.Writer, j job, backend xla.Backend,
	args [][]literal.Literal, results []npy.Named) error {
	want := r.arrays
	switch r.name {
	case "":
		return nil
	case "interp":
		exe, err := j.compile(ctx, xla.Interp(), nil)
		if err != nil {
			return failure{err}
		}
		out, err := exe.RunReplicated(ctx, args)
		if err != nil {
			return failure{err}
		}
		if want, err = runio.Results(exe, out, j.whole); err != nil {
			return failure{err}
		}
	}
	err := runio.Compare(w, results, want, r.rtol)
	if _, differs := errors.AsType[runio.Difference](err); differs && r.name == "interp" {
		if where := j.locate(ctx, backend, args, r.rtol); where != "" {
			err = fmt.Errorf("%w\n%s", err, where)
		}
	}
	return ofResults(err)
}

// ofResults makes an error of a comparison one of the program, where results differ.
func ofResults(err error) error {
	if _, differs := errors.AsType[runio.Difference](err); differs {
		return failure{err}
	}
	return err
}

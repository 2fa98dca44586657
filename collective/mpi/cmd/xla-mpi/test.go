//go:build linux && (amd64 || arm64)

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/runio"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func newTest(w *world) *cobra.Command {
	var backend string
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Run the golden cases for several devices in .txtar files, or in folders of them",
		Long: `Run those golden cases that are for several devices, as many as the processes can share evenly.
Each process compares the results of its devices; process 0 prints the totals.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := caseFiles(args)
			if err != nil {
				return err
			}
			b, err := runio.Backend(backend)
			if err != nil {
				return err
			}
			t, err := w.join(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return testFiles(cmd.Context(), cmd.OutOrStdout(), t, files, b)
		},
	}
	cmd.Flags().StringVar(&backend, "backend", "cpu", "what runs the cases: cpu (the compiler) or interp (the evaluator)")
	return cmd
}

// caseFiles returns the files named and the cases under the folders named, in order.
func caseFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (p == path || strings.HasSuffix(p, ".txtar")) {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// A case passed, failed or was skipped: one number a case and process.
const (
	passed = uint8(iota)
	failed
	skipped
)

// testFiles runs the cases for several devices. What is for another number of devices than the processes can share
// is skipped.
func testFiles(ctx context.Context, w io.Writer, t *mpi.Transport, files []string, backend xla.Backend) error {
	client, err := xla.NewClient(xla.Options{Transport: t, Handlers: golden.Handlers(), Backend: backend,
		CollectiveTimeout: caseTime})
	if err != nil {
		return err
	}
	var outcomes []uint8
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			return err
		}
		for _, c := range cases {
			if len(c.Devices) > 1 && !c.MustFail {
				outcomes = append(outcomes, runCase(ctx, w, t, client, c))
			}
		}
	}
	return total(ctx, w, t, outcomes)
}

// caseTime is how long a device waits for others in a case.
const caseTime = 30 * time.Second

func runCase(ctx context.Context, w io.Writer, t *mpi.Transport, client *xla.Client, c *golden.Case) uint8 {
	if len(c.Devices)%t.Size() != 0 {
		return skipped
	}
	err := c.Run(ctx, client)
	switch {
	case err == nil:
		return passed
	case errors.Is(err, golden.ErrSkipped):
		return skipped
	}
	fmt.Fprintf(w, "FAIL process %d: %v: %v\n", t.Rank(), c, err)
	return failed
}

// total brings the outcomes of all processes together: a case has passed if it has on each.
func total(ctx context.Context, w io.Writer, t *mpi.Transport, outcomes []uint8) error {
	all := make([][]literal.Literal, t.Size())
	m := collective.Meeting{Op: "all-gather", Name: "outcomes"}
	mine, err := literal.FromSlice(shape.Make(shape.U8, len(outcomes)), outcomes)
	if err != nil {
		return err
	}
	for r := range all {
		m.Group = append(m.Group, r)
		all[r] = []literal.Literal{literal.New(mine.Shape())}
	}
	s, err := t.Open(ctx, collective.Run{Devices: t.Size(), Timeout: caseTime})
	if err != nil {
		return err
	}
	c := s.Communicator(t.Rank())
	err = c.AllGather(ctx, m, all, []literal.Literal{mine})
	c.Close(err)
	if err = cmp.Or(err, s.Close()); err != nil {
		return failure{err}
	}
	var counts [3]int
	for k := range outcomes {
		worst := passed
		for _, of := range all {
			switch o := literal.Values[uint8](of[0])[k]; {
			case o == failed || worst != failed && o == skipped:
				worst = o
			}
		}
		counts[worst]++
	}
	if t.Rank() == 0 {
		fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", counts[passed], counts[failed], counts[skipped])
	}
	if counts[failed] > 0 {
		return failure{fmt.Errorf("%d cases failed", counts[failed])}
	}
	return nil
}

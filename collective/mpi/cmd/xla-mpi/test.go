//go:build linux && (amd64 || arm64)

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective/mpi"
	"github.com/goxla/xla/internal/golden"
)

func newTest(w *world) *cobra.Command {
	return &cobra.Command{
		Use:   "test PATH...",
		Short: "Run the golden cases for several devices in .txtar files, or in folders of them",
		Long: `Run those golden cases that are for several devices, as many as the processes can share evenly.
Each process compares the results of its devices; a difference ends all of them.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := caseFiles(args)
			if err != nil {
				return err
			}
			t, err := w.join()
			if err != nil {
				return err
			}
			return testFiles(cmd.Context(), cmd.OutOrStdout(), t, files)
		},
	}
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

func testFiles(ctx context.Context, w io.Writer, t *mpi.Transport, files []string) error {
	client, err := xla.NewClient(xla.Options{Transport: t, Handlers: golden.Handlers()})
	if err != nil {
		return err
	}
	passed := 0
	for _, file := range files {
		cases, err := golden.ReadAll(file)
		if err != nil {
			return err
		}
		for _, c := range cases {
			if len(c.Devices) < 2 || len(c.Devices)%t.Size() != 0 || c.MustFail {
				continue
			}
			if err := c.Run(ctx, client); err != nil && !errors.Is(err, golden.ErrSkipped) {
				return failure{fmt.Errorf("%v: %w", c, err)}
			}
			passed++
		}
	}
	if t.Rank() == 0 {
		_, err = fmt.Fprintf(w, "%d passed on %d processes\n", passed, t.Size())
	}
	return err
}

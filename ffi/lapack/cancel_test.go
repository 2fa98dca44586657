package lapack_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/shape"
)

// endsAfter is a context that ends when it has been asked some times, and counts these.
type endsAfter struct {
	context.Context
	asked atomic.Int64
	most  int64
}

func (c *endsAfter) Err() error {
	if c.asked.Add(1) > c.most {
		return context.Canceled
	}
	return nil
}

// TestCancel: a routine looks at the context for each column or eigenvalue, and ends soon wherever that ends.
func TestCancel(t *testing.T) {
	const n = 90
	for _, c := range []struct {
		name, config, results string // as in benchCases
		elem                  shape.ElementType
	}{
		{"lapack_zgetrf_ffi", "", "fis", shape.C128},
		{"lapack_zgeqrf_ffi", "", "fv", shape.C128},
		{"lapack_zgesdd_ffi", "mode = 65 : ui8", "fvffs", shape.C128},
		{"lapack_zheevd_ffi", "uplo = 76 : ui8", "fvs", shape.C128},
		{"lapack_zgeev_ffi", "compute_left = 86 : ui8, compute_right = 86 : ui8", "vffs", shape.C128},
		{"lapack_dgeev_ffi", "compute_left = 86 : ui8, compute_right = 86 : ui8", "vvffs", shape.F64},
		{"lapack_zgees_ffi", "mode = 86 : ui8, sort = 78 : ui8", "ffvss", shape.C128},
		{"lapack_dgees_ffi", "mode = 86 : ui8, sort = 78 : ui8", "ffvvss", shape.F64},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := onMachine(t, 1).Lookup(c.name)
			attributes, err := ffi.ParseAttributes("{" + c.config + "}")
			if err != nil {
				t.Fatal(err)
			}
			whole := &endsAfter{Context: t.Context(), most: 1 << 40}
			if err := ffi.Invoke(whole, h, callOf(c.name, attributes, c.results, random(c.elem, 1, n, n))); err != nil {
				t.Fatal(err)
			}
			asked := whole.asked.Load()
			if asked < n {
				t.Errorf("looked at the context %d times, want %d at least", asked, n)
			}
			for part := range int64(8) {
				ctx := &endsAfter{Context: t.Context(), most: asked * part / 8}
				err := ffi.Invoke(ctx, h, callOf(c.name, attributes, c.results, random(c.elem, 1, n, n)))
				if !errors.Is(err, context.Canceled) {
					t.Errorf("after %d of %d: got %v, want the end of the context", ctx.most, asked, err)
				}
				if late := ctx.asked.Load() - ctx.most; late > 2*n {
					t.Errorf("after %d of %d: went on for %d times", ctx.most, asked, late)
				}
			}
		})
	}
}

package raise_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/raise"
	"github.com/goxla/xla/stablehlo/verify"
)

// errNone is what a module gets that has no StableHLO form.
var errNone = errors.New("no StableHLO form")

// TestRandom raises random modules: what has a form is valid StableHLO that computes the
// same once it is lowered.
func TestRandom(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 40
	}
	same, none := 0, 0
	for seed := range seeds {
		switch err := checkRandom(t.Context(), seed); {
		case errors.Is(err, errNone):
			none++
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
		default:
			same++
		}
	}
	if same < int(seeds)/2 {
		t.Errorf("%d of %d modules have a form, want half at least", same, seeds)
	}
	t.Logf("%d agree, %d without a form", same, none)
}

func checkRandom(ctx context.Context, seed uint64) error {
	m, args := hlotest.FromSeed(seed)
	if strings.Contains(hlotext.String(m, hlotext.Options{}), shape.F8E8M0FNU.String()+"[") {
		return errNone // numbers without a zero, which the imaginary part of them would be
	}
	s, err := raise.Module(m, raise.Options{})
	if err != nil {
		return noForm(err)
	}
	text := mlirtext.Print(s, mlirtext.Options{})
	read, err := mlirtext.Parse("random.mlir", text)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	if err := verify.Module(read); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	run := interp.New(ctx, interp.Options{})
	back, err := lower.Module(read, lower.Options{
		Eval: func(i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
			return run.Instruction(i, operands)
		}})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	var flat []literal.Literal
	for _, a := range args {
		flat = leaves(flat, a)
	}
	want, err := interp.Run(ctx, m, args, interp.Options{Seed: seed, Host: hlotest.Host(m)})
	if err != nil {
		return err
	}
	got, err := interp.Run(ctx, back, flat, interp.Options{Seed: seed, Host: hlotest.Host(m)})
	if err != nil {
		return fmt.Errorf("lowered: %w\n%s", err, text)
	}
	return agree(leaves(nil, got), leaves(nil, want), text)
}

// noForm returns errNone for an error that says so.
func noForm(err error) error {
	if strings.Contains(err.Error(), "there is no StableHLO") {
		return errNone
	}
	return err
}

// agree compares leaves; functions that chlo has are computed in another way.
func agree(got, want []literal.Literal, text string) error {
	if len(got) != len(want) {
		return fmt.Errorf("expected %d arrays, got %d\n%s", len(want), len(got), text)
	}
	close := literal.Tolerance{Rule: literal.WithinRelative, Rel: 1e-3, Abs: 1e-3}
	for i := range got {
		if err := literal.Compare(got[i], want[i], close); err != nil {
			return fmt.Errorf("result %d: %w\n%s", i, err, text)
		}
	}
	return nil
}

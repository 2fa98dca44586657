package pass_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/internal/passtest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass"
)

// evaluate is what the root package gives to passes.
func evaluate(ctx context.Context, i *hlo.Instruction, operands []literal.Literal) (literal.Literal, error) {
	return interp.New(ctx, interp.Options{}).Instruction(i, operands)
}

// TestCases runs testdata/NAME.txtar with the pass called NAME.
func TestCases(t *testing.T) {
	passtest.Files(t, filepath.Join("testdata", "*.txtar"), func(t *testing.T, name string) passtest.Apply {
		passes, err := pass.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		return func(ctx context.Context, m *hlo.Module) (bool, error) {
			return pass.Run(ctx, m, pass.Options{Evaluate: evaluate}, passes...)
		}
	})
}

package main

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
)

var dir = filepath.Join("..", "digits")

// expected returns what XLA:CPU gives.
func expected(t *testing.T) map[string]literal.Literal {
	t.Helper()
	arrays, err := npy.Open(filepath.Join(dir, "digits_train_expected.npz"))
	if err != nil {
		t.Fatal(err)
	}
	return npy.Map(arrays)
}

// TestSteps: the first loss and the weights after the first step are XLA's, and the
// losses of the next steps follow its.
func TestSteps(t *testing.T) {
	want := expected(t)
	losses := literal.Values[float32](want["losses"])
	trainer, err := newTrainer(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	steps := 20
	if testing.Short() {
		steps = 2
	}
	for s := range steps {
		loss, err := trainer.step(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 0.01
		if s == 0 {
			tolerance = 1e-4
			checkWeights(t, trainer.weights, want)
		}
		if w := float64(losses[s]); math.Abs(float64(loss)-w) > tolerance*w {
			t.Errorf("loss of step %d: %v, want %v", s, loss, w)
		}
	}
}

func checkWeights(t *testing.T, weights []literal.Literal, want map[string]literal.Literal) {
	t.Helper()
	for i, name := range weightNames {
		if err := literal.Compare(weights[i], want[name+"_1"], literal.RelativeToLargest(1e-4)); err != nil {
			t.Errorf("%s after the first step: %v", name, err)
		}
	}
}

// TestRun: the command prints the first loss and, in the last line, the accuracy.
func TestRun(t *testing.T) {
	loss := literal.Values[float32](expected(t)["loss1"])[0]
	var out strings.Builder
	if err := run(t.Context(), &out, dir, 1); err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(fmt.Sprintf("^first loss %.4f", loss) +
		`\d\d\n\n1 steps in \d+\.\d s; accuracy on the test images \d+\.\d %\n$`)
	if !form.MatchString(out.String()) {
		t.Errorf("printed %q", out.String())
	}
	if err := run(t.Context(), &out, t.TempDir(), 1); err == nil {
		t.Error("a folder without data: no error")
	}
}

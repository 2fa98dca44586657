package mlirtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// otherwise says of files whose checks fail why they do. The values there are from XLA:CPU,
// and StableHLO's own interpreter does not reach them either: their runs are disabled.
var otherwise = map[string]string{
	"cumprod_complex64_8_9.mlir":                         "1e-3 is asked of values of 2e4",
	"fft_complex128_14_15_16_17.mlir":                    "3 steps are asked of sums of 1000 numbers",
	"triangular_solve_float32_2_8_8_float32_2_10_8.mlir": "3 steps are asked of a badly conditioned system",
}

// TestCorpus runs StableHLO's own test programs.
func TestCorpus(t *testing.T) {
	for _, folder := range []string{"testdata", "interpret"} {
		t.Run(folder, func(t *testing.T) { runFolder(t, filepath.Join(hlotest.Shared(t), "corpus", "stablehlo", folder)) })
	}
}

func runFolder(t *testing.T, dir string) {
	client, err := xla.NewClient(xla.Options{Handlers: Handlers()})
	if err != nil {
		t.Fatal(err)
	}
	passed, failed, different, none := 0, 0, 0, 0
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".mlir") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, part := range mlirtext.Split(string(data)) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := runPart(ctx, client, filepath.Base(path), part)
			cancel()
			switch {
			case errors.Is(err, ErrNothing):
				none++
			case (err != nil) != (otherwise[filepath.Base(path)] != ""):
				failed++
				t.Errorf("%s: error %v, expected otherwise: %s", path, err, otherwise[filepath.Base(path)])
			case err != nil:
				different++
			default:
				passed++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d passed, %d failed, %d fail as they are known to, %d without checks", passed, failed, different, none)
}

func runPart(ctx context.Context, client *xla.Client, name string, part mlirtext.Part) error {
	m, err := mlirtext.ParsePart(name, part)
	if err != nil {
		return err
	}
	return Run(ctx, client, m)
}

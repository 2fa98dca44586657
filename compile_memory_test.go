package xla_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/sharedtest"
)

// peakHeap returns the most bytes of the heap while f runs, with a collector that runs all the time, above what is
// there before.
func peakHeap(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before, most := heap(), uint64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Microsecond):
				most = max(most, heap())
			}
		}
	}()
	f()
	close(stop)
	<-done
	return max(most, before) - before
}

// TestCompileMemory: the compilation of a large module takes at most three times the memory that the module itself
// takes, besides it: instructions, and elements of constants.
func TestCompileMemory(t *testing.T) {
	for _, name := range []string{"bench/transformer2_train_step.hlo", "models/gemma3_1b_flax_call.hlo",
		"models/resnet50_keras_jax_f32.hlo", "models/mobilenet_v2.hlo"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(sharedtest.Dir(t), name))
			if err != nil {
				t.Fatal(err)
			}
			var prog *xla.Program
			module := peakHeap(func() { prog = parse(t, string(text)); runtime.GC() })
			client := newClient(t, xla.Options{Backend: xla.CPU()})
			most := uint64(math.MaxUint64)
			for k := 0; k < 8 && most > 3*module; k++ { // on a busy machine the collector is late, and garbage counts
				var exe *xla.Executable
				most = min(most, peakHeap(func() {
					if exe, err = client.Compile(t.Context(), prog); err != nil {
						t.Fatal(err)
					}
				}))
				exe.Close()
			}
			runtime.KeepAlive(prog)
			if most > 3*module {
				t.Errorf("expects at most 3 times the %d bytes of the module, got %d", module, most)
			}
		})
	}
}

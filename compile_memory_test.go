package xla_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/sharedtest"
)

// stopTheWorld has nothing run beside the collector: else all that is made while it marks counts as in use.
const stopTheWorld = "gcstoptheworld=1"

// liveHeap returns the bytes of the heap that were in use when they were last collected.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// collected is liveHeap now.
func collected() uint64 {
	runtime.GC()
	runtime.GC() // what the first one has found to be of no use is swept
	return liveHeap()
}

// settled waits until nothing is released any more that others release on the side, as cleanups do.
func settled() {
	for before, now := uint64(0), collected(); now != before; before, now = now, collected() {
		time.Sleep(time.Millisecond)
	}
}

// peakHeap returns the most bytes of the heap that are in use while f runs, above those before it. It collects them
// whenever f has made one in a hundred more.
func peakHeap(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	before, most := collected(), uint64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Microsecond):
				most = max(most, liveHeap())
			}
		}
	}()
	f()
	close(stop)
	<-done
	return max(most, collected(), before) - before
}

// TestCompileMemory: the compilation of a large module, the first of a client and later ones, takes at most three times
// the memory that the module itself takes, besides it: its text, instructions, and elements of constants.
func TestCompileMemory(t *testing.T) {
	if os.Getenv("GODEBUG") != stopTheWorld {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCompileMemory$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG="+stopTheWorld)
		out, err := cmd.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Error(err)
		}
		return
	}
	runtime.GOMAXPROCS(4) // two for the compiler, one for who looks
	for _, name := range []string{"bench/transformer2_train_step.hlo", "models/gemma3_1b_flax_call.hlo",
		"models/resnet50_keras_jax_f32.hlo", "models/mobilenet_v2.hlo"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(sharedtest.Dir(t), name))
			if err != nil {
				t.Fatal(err)
			}
			collected() // the first reading in a process takes memory itself
			module := collected()
			prog := parse(t, string(text))
			module = collected() - module
			client := newClient(t, xla.Options{Backend: xla.CPU(), Threads: 2})
			for n := range 4 {
				var exe *xla.Executable
				most := peakHeap(func() { exe, err = client.Compile(t.Context(), prog) })
				if err != nil {
					t.Fatal(err)
				}
				exe.Close()
				t.Logf("compilation %d: %.2f times the %d bytes of the module", n, float64(most)/float64(module), module)
				if most > 3*module {
					t.Errorf("compilation %d: expects at most 3 times the %d bytes of the module, got %d", n, module, most)
				}
			}
			runtime.KeepAlive(prog)
			runtime.KeepAlive(text)
		})
		settled()
	}
}

//go:build unix

package exec

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// stressEnv is the environment variable that gives the time for each tier of TestStress, such as "1m". Run it so,
// also with -race and with GODEBUG=gccheckmark=1,clobberfree=1, efence=1, gcstoptheworld=2 or
// adaptivestackstart=1, for each new Go release: the package relies on how the runtime treats foreign code.
const stressEnv = "XLA_STRESS"

// stress is one run: kernels that fill all registers and check them at the end, beside garbage collections,
// signals and a profile that interrupt them at any place.
type stress struct {
	*testing.T
	stop  chan struct{}
	calls atomic.Int64
}

func TestStress(t *testing.T) {
	for _, test := range []struct {
		tier Tier
		name string
		run  func(s *stress, c *Code, rng *rand.Rand)
	}{
		{AVX2, "fill256", func(s *stress, c *Code, rng *rand.Rand) { fill[[16][8]float32](s, c, rng, 14) }},
		{AVX512, "fill512", func(s *stress, c *Code, rng *rand.Rand) { fill[[32][16]float32](s, c, rng, 30) }},
		{AMX, "tiles", tiles},
	} {
		t.Run(test.tier.String(), func(t *testing.T) {
			c := kernel(t, test.name, test.tier)
			s := &stress{T: t, stop: make(chan struct{})}
			s.storm(func(rng *rand.Rand) { test.run(s, c, rng) })
			t.Logf("%d calls", s.calls.Load())
		})
	}
}

// duration of one tier.
func (s *stress) duration() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(stressEnv)); err == nil {
		return d
	}
	if testing.Short() {
		return 200 * time.Millisecond
	}
	return time.Second
}

// storm calls work from many goroutines, some of them workers of a pool, on stacks of random depth.
func (s *stress) storm(work func(*rand.Rand)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.NumCPU())))
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	if pprof.StartCPUProfile(new(bytes.Buffer)) == nil {
		defer pprof.StopCPUProfile()
	}
	pool := NewPool(3)
	defer pool.Close()
	var wg sync.WaitGroup
	loop := func(body func()) {
		wg.Go(func() {
			for {
				select {
				case <-s.stop:
					return
				default:
					body()
				}
			}
		})
	}
	loop(runtime.GC)
	loop(func() {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGURG)
		time.Sleep(50 * time.Microsecond)
	})
	for g := range uint64(6) {
		rng := rand.New(rand.NewPCG(1, g))
		loop(func() {
			recurse(rng.IntN(100), func() { work(rng) })
			garbage.Store(&[]byte{8191: 0})
		})
	}
	seeds := rand.New(rand.NewPCG(2, 2))
	loop(func() {
		seed := seeds.Uint64()
		pool.Run(6, 1, JobFunc(func(worker, lo, hi int) { work(rand.New(rand.NewPCG(seed, uint64(lo)))) }))
	})
	time.Sleep(s.duration())
	close(s.stop)
	wg.Wait()
}

var garbage atomic.Pointer[[]byte]

// fill checks fill256 and fill512. R is the register file, of which [live] is multiplied with ones and has the
// zeros behind added. All data are on this goroutine's stack, or on the heap, in turns.
func fill[R [16][8]float32 | [32][16]float32](s *stress, c *Code, rng *rand.Rand, live int) {
	var in, out R
	var masks, gprs [8]uint64
	lanes := unsafe.Slice((*float32)(unsafe.Pointer(&in)), unsafe.Sizeof(in)/4)
	width := len(lanes) / (live + 2)
	for i := range lanes {
		lanes[i] = rng.Float32()
	}
	for i := range width {
		lanes[live*width+i], lanes[(live+1)*width+i] = 1, 0
	}
	to := &out
	if rng.IntN(2) == 0 {
		to = new(R)
		keep.Store(uintptr(unsafe.Pointer(to)))
	}
	args := kernelArgs{
		n:     uint64(100 + rng.IntN(3000)),
		in:    (*float32)(unsafe.Pointer(&in)),
		out:   (*float32)(unsafe.Pointer(to)),
		masks: &masks[0],
		gprs:  &gprs[0],
	}
	call(c, unsafe.Pointer(&args))
	if *to != in {
		s.Errorf("vector registers: expected %v, got %v", in, *to)
	}
	for k := 1; k < 8 && live == 30; k++ {
		if want := uint64(0x1111 * k); masks[k] != want {
			s.Errorf("k%d: expected %#x, got %#x", k, want, masks[k])
		}
	}
	for r, got := range gprs {
		if want := 0xdead0008 + uint64(r); got != want {
			s.Errorf("r%d: expected %#x, got %#x", r+8, want, got)
		}
	}
	s.calls.Add(1)
}

var keep atomic.Uintptr

// tiles checks tiles: four sums over 64 bytes of products of int8.
func tiles(s *stress, c *Code, rng *rand.Rand) {
	var config [64]byte
	config[0] = 1 // palette
	for tile := range 8 {
		config[16+2*tile], config[48+tile] = 64, 16 // bytes in a row, rows
	}
	var in [4][16][64]int8 // a0, a1, b0, b1
	for t := range in {
		for i := range in[t] {
			for j := range in[t][i] {
				in[t][i][j] = int8(rng.IntN(256) - 128)
			}
		}
	}
	out := new([4][16][16]int32)
	n := 1 + rng.IntN(500)
	args := kernelArgs{
		n:     uint64(n),
		in:    (*float32)(unsafe.Pointer(&in)),
		out:   (*float32)(unsafe.Pointer(out)),
		masks: (*uint64)(unsafe.Pointer(&config)),
	}
	call(c, unsafe.Pointer(&args))
	for t := range out {
		a, b := &in[t/2], &in[2+t%2]
		for i := range 16 {
			for j := range 16 {
				sum := int32(0)
				for k := range 64 {
					sum += int32(a[i][k]) * int32(b[k/4][4*j+k%4])
				}
				if want := sum * int32(n); out[t][i][j] != want {
					s.Errorf("tile %d[%d][%d]: expected %d, got %d", t, i, j, want, out[t][i][j])
				}
			}
		}
	}
	s.calls.Add(1)
}

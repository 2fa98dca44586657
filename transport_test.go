package xla_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/collective"
	"github.com/goxla/xla/literal"
)

// process is a transport of which each "process" has one device; the processes share
// the session of one that is within a process.
type process struct {
	device int
	shared *sharedSession
}

type sharedSession struct {
	once    sync.Once
	session collective.Session
	err     error
	groups  string
}

func (p process) Local(int) ([]int, error) { return []int{p.device}, nil }

func (p process) Open(ctx context.Context, r collective.Run) (collective.Session, error) {
	s := p.shared
	s.once.Do(func() {
		s.groups = fmt.Sprint(r.Groups())
		s.session, s.err = collective.InProcess().Open(context.WithoutCancel(ctx), r)
	})
	return local{s.session}, s.err
}

// local is the part of a session in one process.
type local struct{ collective.Session }

func (local) Close() error { return nil }

// TestTransport: every process runs its own devices and gets their results.
func TestTransport(t *testing.T) {
	const text = `HloModule m, replica_count=3
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  p = f32[] parameter(0)
  q = f32[] all-reduce(p), replica_groups={{2,1,0}}, to_apply=add
  ROOT r = f32[] collective-permute(q), source_target_pairs={{0,1}}
}`
	shared := &sharedSession{}
	var wg sync.WaitGroup
	for d := range 3 {
		exe := compileOn(t, xla.Options{Transport: process{d, shared}}, text)
		wg.Go(func() {
			args := make([][]literal.Literal, 3)
			args[d] = []literal.Literal{literal.Scalar(float32(1 + d))}
			out, err := exe.RunReplicated(t.Context(), args)
			if err != nil {
				t.Error(err)
				return
			}
			for k := range out {
				switch {
				case k != d && out[k] != nil:
					t.Errorf("process %d has a result of device %d", d, k)
				case k == d && out[k][0].FloatAt(0) != map[int]float64{1: 6}[d]:
					t.Errorf("device %d: got %v", d, out[k])
				}
			}
		})
	}
	wg.Wait()
	if want := "[[2 1 0] [0 1]]"; shared.groups != want {
		t.Errorf("groups: got %s, want %s", shared.groups, want)
	}
}

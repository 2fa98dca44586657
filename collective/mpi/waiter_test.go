//go:build linux && (amd64 || arm64)

package mpi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goxla/xla/collective"
)

// TestPause: a time in which the process was stopped is not taken for one in which the others did not come, so that
// they can still be asked.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &Transport{engine: &engine{size: 1}}
		s := newSession(tr, 0)
		s.run = collective.Run{Devices: 2, Timeout: 8 * time.Second}
		w := &waiter{ctx: context.Background(), member: &member{session: s}, lane: &lane{group: []int{0, 1}},
			patience: patience{limit: s.run.Timeout}}
		s.local = []int{0}
		for i, test := range []struct {
			sleep time.Duration
			asked bool
			late  bool
		}{
			{0, false, false}, {time.Second / 2, false, false}, {time.Hour, false, false}, {4 * time.Second, false, false},
			{3 * time.Second, false, false}, {time.Second, false, false}, {time.Second, false, false},
			{time.Hour, true, false}, {time.Second, true, false}, {time.Second, true, true},
		} {
			time.Sleep(test.sleep)
			if err := w.look(); w.asked != test.asked || (err != nil) != test.late {
				t.Errorf("look %d: asked %v, %v", i, w.asked, err)
			}
		}
	})
}

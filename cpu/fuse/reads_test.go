package fuse

import (
	"testing"

	"github.com/goxla/xla/hlo"
)

// TestVisits: each visit is the first once, beyond those that are looked through one by one too.
func TestVisits(t *testing.T) {
	u := &visits{}
	var list []visit
	for n := range 2 * fewVisits {
		i := &hlo.Instruction{}
		list = append(list, visit{inst: i, at: place(n)}, visit{inst: i, at: place(n + 1)})
	}
	for _, want := range [2]bool{true, false} {
		for k, v := range list {
			if got := u.first(v); got != want {
				t.Errorf("visit %d: first is %v, expected %v", k, got, want)
			}
		}
	}
}

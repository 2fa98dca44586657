package cpu

import (
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/native"
	"github.com/goxla/xla/cpu/order"
	"github.com/goxla/xla/cpu/plan"
)

// TestOrderShared: programs of a pool share the code that orders elements, one for each set.
func TestOrderShared(t *testing.T) {
	tier, err := exec.HostTier("")
	if err != nil {
		t.Fatal(err)
	}
	one, other := exec.NewPool(1), exec.NewPool(1)
	defer one.Close()
	defer other.Close()
	code := func(pool *exec.Pool, sets ...order.Set) *order.Code {
		var steps []*plan.HostStep
		for _, s := range sets {
			steps = append(steps, &plan.HostStep{Native: &native.Algorithm{Orders: s}})
		}
		c, err := orderCode(steps, tier, pool)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := code(one, order.Filter32)
	if tier == exec.Portable {
		if first != nil {
			t.Errorf("expected no machine code on the portable tier, got %p", first)
		}
		return
	}
	if first == nil || code(one, order.Filter32) != first {
		t.Error("expected the same code for the same set")
	}
	if code(one, order.Filter32, order.Filter64) == first || code(other, order.Filter32) == first {
		t.Error("expected other code for another set, and for another pool")
	}
	if c := code(one); c != nil {
		t.Errorf("expected no code where nothing is ordered, got %p", c)
	}
}

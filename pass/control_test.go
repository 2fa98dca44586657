package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/pass"
)

// TestManyControlEdges: what keeps many instructions in order, by way of one without effects, is not replaced by an
// edge for each two of them, and the order stays.
func TestManyControlEdges(t *testing.T) {
	const n = 300
	draw := func(b *strings.Builder, name string, k int, attr string) {
		fmt.Fprintf(b, " %s%d = f32[] custom-call(p), custom_call_target=\"log\", custom_call_has_side_effect=true%s\n",
			name, k, attr)
	}
	var b strings.Builder
	b.WriteString("HloModule m\nENTRY e {\n p = f32[] parameter(0)\n")
	var before []string
	for k := range n {
		draw(&b, "a", k, "")
		before = append(before, fmt.Sprint("a", k))
	}
	fmt.Fprintf(&b, " s = f32[] add(p, p), control-predecessors={%s}\n", strings.Join(before, ", "))
	b.WriteString(" u = f32[] negate(p), control-predecessors={s}\n")
	for k := range n {
		draw(&b, "b", k, ", control-predecessors={u}")
	}
	b.WriteString(" ROOT r = f32[] negate(p)\n}\n")
	for _, p := range []pass.Pass{pass.ControlRemover(), pass.DCE(), pass.CSE(), pass.Pipeline()} {
		m, err := hlotext.Parse(b.String(), hlotext.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pass.Run(t.Context(), m, pass.Options{Evaluate: evaluate}, p); err != nil {
			t.Fatal(err)
		}
		edges, after := 0, false
		for _, i := range m.Entry().PostOrder() {
			edges += len(i.ControlPredecessors())
			after = after || strings.HasPrefix(i.Name(), "b")
			if after && strings.HasPrefix(i.Name(), "a") {
				t.Errorf("%s: %s comes behind one of those after it", p.Name, i.Name())
			}
		}
		if edges > 10*n {
			t.Errorf("%s: %d edges", p.Name, edges)
		}
	}
}

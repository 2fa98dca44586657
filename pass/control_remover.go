package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// ControlRemover takes control edges off instructions without effects: nobody can tell when they are executed. What had
// to come before such an instruction comes before what had to come after it.
func ControlRemover() Pass {
	return Pass{
		Name: "control-remover",
		Doc: "Takes control edges off instructions without effects, whose order nobody can tell; those with effects keep " +
			"their order.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (changed bool, err error) {
			for _, c := range m.PostOrder() {
				for _, i := range c.PostOrder() {
					if len(i.ControlPredecessors())+len(i.ControlSuccessors()) > 0 && !HasSideEffect(i) {
						bridge(i.ControlPredecessors(), i.ControlSuccessors())
						cutControl(i)
						changed = true
					}
				}
			}
			return changed, nil
		},
	}
}

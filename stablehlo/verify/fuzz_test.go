package verify_test

import (
	"testing"

	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// FuzzModule: no program that can be read makes the verifier panic, and the types of
// results of one that holds can be had.
func FuzzModule(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mlirtext.Parse("", text)
		if err != nil || verify.Module(m) != nil {
			return
		}
		for o := range m.Op.Walk() {
			if types, known, err := verify.ResultTypes(m, o); err != nil || known && len(types) != len(o.Results) {
				t.Errorf("expected types of %d results of %s, got %v, %v", len(o.Results), o.Name, types, err)
			}
		}
	})
}

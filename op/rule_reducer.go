package op

import "github.com/goxla/xla/shape"

// wantReducer checks the signature of a reduction computation over n values: it
// takes n running values and n elements, all scalars, and returns the n new running
// values. inits are the initial values (nil: not checked) and elems the element
// types of the inputs. Types may differ in floating-point precision, but what is
// returned is exactly what goes in as running value.
func wantReducer(f shape.Program, inits []shape.Shape, elems []shape.ElementType, label string) error {
	n := len(elems)
	if len(f.Params) != 2*n {
		return labelErr(label, "expected a computation of %d parameters, got %d", 2*n, len(f.Params))
	}
	results := elementsOf(f.Result)
	if len(results) != n || f.Result.IsTuple() && n == 1 && len(f.Result.Elems) != 1 {
		return labelErr(label, "expected a computation with %d results, got %v", n, f.Result)
	}
	for i, r := range results {
		if !r.IsScalar() {
			return labelErr(label, "expected a computation that returns scalars, got %v", f.Result)
		}
		if err := wantReducerParams(f, i, n, r, label); err != nil {
			return err
		}
		if inits != nil && !r.CompatibleIgnoringFloatPrecision(inits[i]) {
			return labelErr(label,
				"expected initial value %d of shape %v as the computation returns, got %v", i, r, inits[i])
		}
		if !sameTypeIgnoringPrecision(r.Type, elems[i]) {
			return labelErr(label, "expected a computation on %v for input %d, got one on %v", elems[i], i, r.Type)
		}
	}
	return nil
}

// wantReducerParams checks parameter i (a running value) and n+i (an element)
// against result i of the computation.
func wantReducerParams(f shape.Program, i, n int, result shape.Shape, label string) error {
	if p := f.Params[i]; !p.EqualIgnoringLayout(result) {
		return labelErr(label, "expected parameter %d of the shape of result %d, %v, got %v", i, i, result, p)
	}
	if p := f.Params[n+i]; !p.CompatibleIgnoringFloatPrecision(result) {
		return labelErr(label, "expected parameter %d of the shape of result %d, %v, got %v", n+i, i, result, p)
	}
	return nil
}

package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferScan: operands are m inputs, then k initial carries. The computation takes m
// elements (the inputs without the scan dimension) and k carries, and returns n
// outputs and k carries; the result has the outputs stacked along the scan
// dimension, then the last carries.
func inferScan(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*ScanAttrs)
	if a.NumCarries < 0 || a.NumCarries > len(in.Operands) {
		return shape.Shape{}, attrErr("num_carries", "scan_o1", "%d is not in [0, %d]", a.NumCarries, len(in.Operands))
	}
	inputs := in.Operands[:len(in.Operands)-a.NumCarries]
	length, err := scanLength(in, inputs)
	if err != nil {
		return shape.Shape{}, err
	}
	f, err := in.called(0, "scan_o4")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantScanParams(in, f, len(inputs)); err != nil {
		return shape.Shape{}, err
	}
	return scanShape(f.Result, a.NumCarries, a.Dimensions[0], length)
}

// scanLength returns the extent of the scan dimension, the same in all inputs; of a
// scan without inputs it is that of the first declared output.
func scanLength(in *Inputs, inputs []shape.Shape) (dimension, error) {
	dims := in.Attrs.(*ScanAttrs).Dimensions
	if err := wantLen("dimensions", len(dims), 1, "scan_o2"); err != nil {
		return dimension{}, err
	}
	d := dims[0]
	if len(inputs) == 0 {
		return declaredScanLength(in.Declared, d)
	}
	var length dimension
	for i, s := range inputs {
		if err := wantArray(in, i, "scan_i1"); err != nil {
			return length, err
		}
		if err := wantDim("dimensions[0]", d, s.Rank(), "scan_o2"); err != nil {
			return length, err
		}
		n := dimOf(s, d)
		if i > 0 && n.size != length.size && !n.unbounded() && !length.unbounded() {
			return length, operandErr(i, "scan_o3",
				"expected size %d in dimension %d as of operand 0, got %v", length.size, d, s)
		}
		if i == 0 {
			length = n
		} else {
			length = mergeDims(length, n)
		}
	}
	return length, nil
}

func declaredScanLength(declared shape.Shape, d int) (dimension, error) {
	if declared.IsTuple() && len(declared.Elems) > 0 {
		declared = declared.Elems[0]
	}
	if !declared.IsArray() || d < 0 || d >= declared.Rank() {
		return dimension{}, labelErr("scan_o3", "expected an input or a result shape that tells the length, got none")
	}
	return dimOf(declared, d), nil
}

// wantScanParams checks the parameters of f, of which the first m are elements, and
// that each carry has one shape as initial value, parameter and result.
func wantScanParams(in *Inputs, f shape.Program, m int) error {
	if len(f.Params) != len(in.Operands) {
		return labelErr("scan_o4", "expected a computation of %d parameters, got %d", len(in.Operands), len(f.Params))
	}
	d, k := in.Attrs.(*ScanAttrs).Dimensions[0], len(in.Operands)-m
	for i, s := range in.Operands[:m] {
		want := shape.Make(s.Type, slices.Delete(slices.Clone(s.Dims), d, d+1)...)
		if p := f.Params[i]; !p.EqualIgnoringLayout(want) {
			return labelErr("scan_o4", "expected parameter %d of shape %v, got %v", i, want, p)
		}
	}
	results := elementsOf(f.Result)
	if len(results) < k {
		return labelErr("scan_o5", "expected a computation with at least %d results, got %v", k, f.Result)
	}
	for i, s := range in.Operands[m:] {
		if p := f.Params[m+i]; !p.EqualIgnoringLayout(s) {
			return operandErr(m+i, "scan_o5", "expected the shape of parameter %d, %v, got %v", m+i, p, s)
		}
		if r := results[len(results)-k+i]; !r.EqualIgnoringLayout(s) {
			return labelErr("scan_o5", "expected carry %d to be returned with shape %v, got %v", i, s, r)
		}
	}
	return nil
}

// scanShape returns the result of a scan by its computation's result, of which the
// last k are carries.
func scanShape(body shape.Shape, k, d int, length dimension) (shape.Shape, error) {
	results := slices.Clone(elementsOf(body))
	for i, r := range results[:len(results)-k] {
		if !r.IsArray() || d > r.Rank() {
			return shape.Shape{}, labelErr("scan_o6",
				"expected output %d to be an array of rank %d or more, got %v", i, d, r)
		}
		size, dynamic := length.split()
		results[i] = shape.MakeDynamic(r.Type, slices.Insert(slices.Clone(r.Dims), d, size),
			slices.Insert(dynamicDims(r), d, dynamic))
	}
	if !body.IsTuple() {
		return results[0], nil
	}
	return shape.MakeTuple(results...), nil
}

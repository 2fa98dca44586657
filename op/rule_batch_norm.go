package op

import (
	"fmt"

	"github.com/goxla/xla/shape"
)

// The three batch-norm operations share their checks: an operand, and for each
// index of its feature dimension one scale, offset, mean and variance. All are
// floating-point, whose precision may differ. Labels are StableHLO's, each operation
// numbering its own.

// inferBatchNormTraining: operand, scale, offset -> (output, mean, variance).
func inferBatchNormTraining(in *Inputs) (shape.Shape, error) {
	f, err := batchNormFeature(in, "batch_norm_training", []string{1: "c3", 2: "c4"})
	if err != nil {
		return shape.Shape{}, err
	}
	return shape.MakeTuple(in.Operands[0], f, f), nil
}

// inferBatchNormInference: operand, scale, offset, mean, variance -> output.
func inferBatchNormInference(in *Inputs) (shape.Shape, error) {
	labels := []string{1: "c3", 2: "c4", 3: "c5", 4: "c6"}
	if _, err := batchNormFeature(in, "batch_norm_inference", labels); err != nil {
		return shape.Shape{}, err
	}
	return in.Operands[0], nil
}

// inferBatchNormGrad: operand, scale, mean, variance, grad_output -> (grad_operand, grad_scale, grad_offset).
func inferBatchNormGrad(in *Inputs) (shape.Shape, error) {
	const name = "batch_norm_grad"
	f, err := batchNormFeature(in, name, []string{1: "c5", 2: "c5", 3: "c5"})
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantType(in, 4, floatTypes, name+"_i5"); err != nil {
		return shape.Shape{}, err
	}
	if x, g := in.Operands[0], in.Operands[4]; !x.SameDims(g) {
		return shape.Shape{}, operandErr(4, name+"_c3", "expected the dimensions of operand 0, %v, got %v", x, g)
	}
	return shape.MakeTuple(in.Operands[0], f, f), nil
}

// batchNormFeature checks operand 0, the feature index and the operands of one value
// a feature, and returns the shape of those. labels[i] is for the size of operand i.
func batchNormFeature(in *Inputs, name string, labels []string) (shape.Shape, error) {
	x, feature := in.Operands[0], in.Attrs.(*BatchNormAttrs).FeatureIndex
	if err := wantType(in, 0, floatTypes, name+"_i1"); err != nil {
		return x, err
	}
	if err := wantDim("feature_index", feature, x.Rank(), name+"_c1"); err != nil {
		return x, err
	}
	for i := 1; i < len(labels); i++ {
		s := in.Operands[i]
		if err := wantType(in, i, floatTypes, fmt.Sprintf("%s_i%d", name, i+1)); err != nil {
			return x, err
		}
		if s.Rank() != 1 || !sameSize(s.Dims[0], x.Dims[feature]) {
			return x, operandErr(i, name+"_"+labels[i], "expected 1 dimension of size %d as dimension %d of %v, got %v",
				x.Dims[feature], feature, x, s)
		}
	}
	var b dimsBuilder
	b.add(x, feature)
	return b.shape(x.Type), nil
}

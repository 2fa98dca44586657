package conv

import "github.com/goxla/xla/shape"

// Machines that multiply bf16 two at once take windows of few features as well, where a row of the window is some
// twos of elements and there are output features that fill a vector. Of an odd number of features, as of images of
// three colors, input and kernel get one more, of zeros.

// fewFeatures is the input features from which on a row of the window is long in any case, leastRow the least elements
// of a row that is read in place, leastTiled the least depth that is multiplied so.
const (
	fewFeatures = 16
	leastRow    = 12
	leastTiled  = 32
)

// fewEven reports whether f is of few features of bf16 that are multiplied so, with one more if their number is odd.
func (f *form) fewEven() bool {
	if len(f.dims) == 0 || f.groups > 1 || f.plane || f.in >= fewFeatures || f.out < fewColumns || f.phases() > 1 ||
		f.fewPlaces() || f.x.Type != shape.BF16 || f.k.Type != shape.BF16 || !f.inst.Type().IsFloat() {
		return false
	}
	for _, p := range f.dims {
		if p[0].reversed || p[0].tapStep > 1 {
			return false
		}
	}
	last := f.dims[len(f.dims)-1][0]
	even := f.in + f.in%2
	return last.dilation == 1 && even*last.taps >= leastRow && f.depth()/f.in*even >= leastTiled &&
		f.inputOrder()[len(f.x.Dims)-1] == f.labels.InputFeature
}

package shape

import (
	"fmt"
	"strings"
)

// dimensionNames holds the letters of dimensions in their logical order: batch,
// channel, depth, height, width.
const dimensionNames = "NCDHW"

// CanonicalOrder returns the letters of order, a name such as "NHWC" or "WHD", in
// logical order ("NCHW", "DHW"): the order of sizes and strides in a description.
// It fails if a letter is not one of N C D H W or is there twice.
func CanonicalOrder(order string) (string, error) {
	canonical := ""
	for _, name := range dimensionNames {
		switch strings.Count(order, string(name)) {
		case 0:
		case 1:
			canonical += string(name)
		default:
			return "", fmt.Errorf("order %q: expected each dimension once, got %q again", order, name)
		}
	}
	if len(canonical) != len(order) {
		return "", fmt.Errorf("order %q: expected letters of %s", order, dimensionNames)
	}
	return canonical, nil
}

// MemberOrder returns the names of the sizes and strides of a description of the
// given rank: "NCHW" for 4, "NCDHW" for 5. Descriptions of a lower rank are
// brought to one of these with Strided.LeftPad.
func MemberOrder(rank int) (string, error) {
	switch rank {
	case 4:
		return "NCHW", nil
	case 5:
		return "NCDHW", nil
	}
	return "", fmt.Errorf("expected rank 4 or 5, got %d", rank)
}

// IsRowMajorOrder reports whether the letters of order are in logical order, so
// that the last dimension is the fastest in memory: "HW" but not "WH", "NCHW" but
// not "NHWC".
func IsRowMajorOrder(order string) bool {
	canonical, err := CanonicalOrder(order)
	return err == nil && canonical == order
}

// PackedStrides returns the strides of a packed buffer whose dimensions lie in
// memory in the given order, the first letter the highest: each stride is the
// product of the sizes of the letters behind its own. The sizes, and the strides
// returned, are in the canonical order of the letters.
func PackedStrides(sizes []int, order string) ([]int, error) {
	minorToMajor, err := minorToMajorOf(order)
	if err != nil {
		return nil, err
	}
	if len(sizes) != len(order) {
		return nil, fmt.Errorf("order %q: expected %d sizes, got %d", order, len(order), len(sizes))
	}
	if _, err := Make(S8, sizes...).Elements(); err != nil {
		return nil, err
	}
	return Strides(sizes, minorToMajor), nil
}

// minorToMajorOf returns the dimensions that the letters of order name, the last first.
func minorToMajorOf(order string) ([]int, error) {
	canonical, err := CanonicalOrder(order)
	if err != nil {
		return nil, err
	}
	dims := make([]int, len(order))
	for i := range dims {
		dims[i] = strings.IndexByte(canonical, order[len(order)-1-i])
	}
	return dims, nil
}

// OrderLayout returns the layout of an array whose dimensions lie in memory in the
// given order, such as "NHWC"; the array's dimensions are in canonical order.
func OrderLayout(order string) (*Layout, error) {
	dims, err := minorToMajorOf(order)
	if err != nil {
		return nil, err
	}
	return MakeLayout(dims...), nil
}

// MakeStrided returns the description of a packed buffer whose dimensions lie in
// memory in the given order; the sizes are in the canonical order of its letters.
func MakeStrided(t ElementType, sizes []int, order string) (Strided, error) {
	strides, err := PackedStrides(sizes, order)
	if err != nil {
		return Strided{}, err
	}
	d := Strided{Type: t, Sizes: sizes, Strides: strides}
	return d, d.Check()
}

// DimensionLetters returns the customary letters of dimensions 0, 1, ... of an
// array of up to four dimensions: "x", "yx", "zyx", "pzyx". It is empty for others.
func DimensionLetters(rank int) string {
	const letters = "pzyx"
	if rank < 0 || rank > len(letters) {
		return ""
	}
	return letters[len(letters)-rank:]
}

package native

import (
	"fmt"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// newBitcastConvert makes the function of a bitcast-convert between types of whole bytes: the bytes are the same.
// Spec: OPS.md section 2, BitcastConvert.
func newBitcastConvert(i *hlo.Instruction) Func {
	from, to := i.Operand(0).Type(), i.Type()
	if from.Bits() < 8 || to.Bits() < 8 || from == shape.Pred || to == shape.Pred {
		return nil
	}
	return sameBytes
}

func sameBytes(_ *exec.Pool, in, out [][]byte) error {
	if len(in[0]) != len(out[0]) {
		return fmt.Errorf("expects %d bytes, got %d", len(out[0]), len(in[0]))
	}
	copy(out[0], in[0])
	return nil
}

// newBitcast makes the function of a bitcast: the bytes of the operand in its layout are those of the result in its
// own. Spec: OPS.md section 3, Bitcast.
func newBitcast(i *hlo.Instruction) Func {
	from, to := i.Operand(0).Shape(), i.Shape()
	if !from.IsArray() || !to.IsArray() {
		return nil
	}
	plain := []shape.Shape{from.WithLayout(nil), to.WithLayout(ordering(to.Layout))}
	if from.Layout.IsDefault() && to.Layout.IsDefault() {
		return sameBytes
	}
	return func(_ *exec.Pool, in, out [][]byte) error {
		x, err := literal.FromBytes(plain[0], in[0])
		if err != nil {
			return err
		}
		y, err := literal.FromBytes(plain[1], x.Relayout(from.Layout).Bytes())
		if err != nil {
			return err
		}
		return sameBytes(nil, [][]byte{y.RowMajor().Bytes()}, out)
	}
}

// ordering returns a layout with only the order of l.
func ordering(l *shape.Layout) *shape.Layout {
	if l == nil {
		return nil
	}
	return &shape.Layout{MinorToMajor: l.MinorToMajor}
}

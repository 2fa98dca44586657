package mlirtext

import (
	"math"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// parseQuantized reads what follows !quant.uniform:
//
//	<i8<-127:127>:f32, 0.5:10>          one scale
//	<i8:f32:1, {0.5:10, 0.25}>          a scale for each index of dimension 1
//	<i8:f32:{0:2, 1:4}, {{0.5}, {1.0}}> a scale for each block
func (p *parser) parseQuantized() (stablehlo.Type, error) {
	t := &stablehlo.QuantizedType{}
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	if err := p.parseStorage(t); err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	var err error
	pos := p.place()
	if t.Expressed, err = p.parseType(); err != nil {
		return nil, err
	}
	if _, ok := t.Expressed.(stablehlo.FloatType); !ok {
		return nil, p.errorAt(pos, "expected a floating-point type that is expressed, got %s", t.Expressed)
	}
	if p.accept(":") {
		if err := p.parseAxes(t); err != nil {
			return nil, err
		}
	}
	if err := p.expect(","); err != nil {
		return nil, err
	}
	if err := p.parseScales(t); err != nil {
		return nil, err
	}
	return t, p.expect(">")
}

// parseStorage reads i8, u8, i8<-127:127>.
func (p *parser) parseStorage(t *stablehlo.QuantizedType) error {
	pos := p.place()
	word := p.word()
	name := word
	if rest, ok := strings.CutPrefix(word, "u"); ok && !strings.HasPrefix(rest, "i") {
		name = "ui" + rest
	}
	storage, ok := integerType(name)
	if !ok {
		return p.errorAt(pos, "expected an integer type that stores the numbers, got %q", word)
	}
	t.Storage = storage.(stablehlo.IntegerType)
	if t.Storage.Width > 32 {
		return p.errorAt(pos, "expected a storage type of at most 32 bits, got %q", word)
	}
	t.StorageMin, t.StorageMax = t.StorageRange()
	if !p.accept("<") {
		return nil
	}
	var err error
	lo, hi := t.StorageMin, t.StorageMax
	if t.StorageMin, err = p.int64(); err != nil {
		return err
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	if t.StorageMax, err = p.int64(); err != nil {
		return err
	}
	if t.StorageMin < lo || t.StorageMax > hi || t.StorageMin >= t.StorageMax {
		return p.errorAt(pos, "expected a range of storage inside [%d, %d], got [%d, %d]", lo, hi, t.StorageMin, t.StorageMax)
	}
	return p.expect(">")
}

// parseAxes reads 1 or {0:2, 1:4}.
func (p *parser) parseAxes(t *stablehlo.QuantizedType) error {
	if !p.accept("{") {
		axis, err := p.int64()
		t.Axes = []int64{axis}
		return err
	}
	t.BlockSizes = []int64{}
	return p.list("}", func() error {
		axis, err := p.int64()
		if err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		size, err := p.int64()
		t.Axes = append(t.Axes, axis)
		t.BlockSizes = append(t.BlockSizes, size)
		return err
	})
}

// parseScales reads the scales in the form that the axes ask for.
func (p *parser) parseScales(t *stablehlo.QuantizedType) error {
	switch {
	case t.Axes == nil:
		return p.parseScale(t)
	case t.BlockSizes == nil:
		if err := p.expect("{"); err != nil {
			return err
		}
		return p.list("}", func() error { return p.parseScale(t) })
	}
	return p.parseScaleBlocks(t, 0)
}

// parseScaleBlocks reads nested lists of scales and notes their shape.
func (p *parser) parseScaleBlocks(t *stablehlo.QuantizedType, level int) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	pos := p.place()
	if !p.accept("{") {
		if level != len(t.ScaleDims) {
			return p.errorAt(pos, "expected scales in lists of one depth")
		}
		return p.parseScale(t)
	}
	first := len(t.ScaleDims) == level && len(t.Scales) == 0
	if first {
		t.ScaleDims = append(t.ScaleDims, 0)
	}
	if level >= len(t.ScaleDims) {
		return p.errorAt(pos, "expected scales in lists of one depth")
	}
	n := int64(0)
	if err := p.list("}", func() error { n++; return p.parseScaleBlocks(t, level+1) }); err != nil {
		return err
	}
	if first {
		t.ScaleDims[level] = n
	} else if t.ScaleDims[level] != n {
		return p.errorAt(pos, "expected %d scales in the list, got %d", t.ScaleDims[level], n)
	}
	return nil
}

// parseScale reads scale or scale:zero point.
func (p *parser) parseScale(t *stablehlo.QuantizedType) error {
	pos := p.place()
	n, ok := p.number()
	if !ok {
		return p.expected("a scale")
	}
	scale := n.value()
	if n.hex {
		bits, fits := n.integer(64, false)
		if !fits {
			return p.errorAt(pos, "expected the 64 bits of a scale, got %s", n)
		}
		scale = math.Float64frombits(uint64(bits))
	}
	zero := int64(0)
	if p.accept(":") {
		var err error
		if zero, err = p.int64(); err != nil {
			return err
		}
	}
	t.Scales = append(t.Scales, scale)
	t.ZeroPoints = append(t.ZeroPoints, zero)
	return nil
}

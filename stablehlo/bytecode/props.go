package bytecode

import (
	"math"
	"slices"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// laterProps are inherent attributes that operations got when they were in use already.
// Bytecode of the dialect itself has no version, so a file tells only by what fits
// whether its writer knew them.
var laterProps = map[string][]string{
	"stablehlo.custom_call": {"result_tilings"}, "stablehlo.collective_broadcast": {"has_dynamic_root"},
	"stablehlo.dot_general": {"algorithm"}, "stablehlo.send": {"source_target_pairs"},
	"stablehlo.recv": {"source_target_pairs"},
	"stablehlo.cbrt": {"result_accuracy"}, "stablehlo.cosine": {"result_accuracy"},
	"stablehlo.exponential": {"result_accuracy"}, "stablehlo.exponential_minus_one": {"result_accuracy"},
	"stablehlo.log": {"result_accuracy"}, "stablehlo.log_plus_one": {"result_accuracy"},
	"stablehlo.logistic": {"result_accuracy"}, "stablehlo.rsqrt": {"result_accuracy"},
	"stablehlo.sine": {"result_accuracy"}, "stablehlo.sqrt": {"result_accuracy"},
	"stablehlo.tan": {"result_accuracy"}, "stablehlo.tanh": {"result_accuracy"},
}

// onceRequired are inherent attributes that may be absent now and might not before.
var onceRequired = map[string]string{"stablehlo.composite": "decomposition"}

// variants returns the forms that the properties of an operation may have, the newest first.
func variants(op string, newest []Prop) [][]Prop {
	list := [][]Prop{newest}
	if later := laterProps[op]; later != nil {
		list = append(list, slices.DeleteFunc(slices.Clone(newest), func(p Prop) bool {
			return slices.Contains(later, p.Name)
		}))
	}
	if name := onceRequired[op]; name != "" {
		older := slices.Clone(newest)
		for i := range older {
			older[i].Optional = older[i].Optional && older[i].Name != name
		}
		list = append(list, older)
	}
	return list
}

// readProps reads the index of properties, and these: in the newest form that fits.
func (ir *irReader) readProps(d *Decoder, o *stablehlo.Op, name *opName) {
	i := d.index("properties", len(ir.r.props))
	if d.err != nil {
		return
	}
	at := ir.r.props[i]
	var first *Error
	for _, slots := range name.props {
		p := &Decoder{r: ir.r}
		p.cursor = cursor{data: d.data, pos: at.pos, end: at.end, section: sectionProperties.String()}
		if o.Props = p.props(slots, name); p.err == nil {
			return
		}
		if first == nil {
			first = p.err
		}
	}
	d.err, d.pos = first, d.end
}

// props reads properties in one form.
func (d *Decoder) props(slots []Prop, name *opName) []stablehlo.NamedAttribute {
	if !name.hasProps {
		d.fail("operation %s is not known, and so are its properties", name.full)
	}
	var list []stablehlo.NamedAttribute
	for _, slot := range slots {
		at := d.pos
		a := d.prop(slot)
		if d.err != nil {
			return nil
		}
		if a == nil {
			continue
		}
		if name.stable() && name.info != nil && !name.info.Attr(slot.Name).Kind.Check(a) {
			d.failAt(at, "%s: expected %s, got %s", slot.Name, name.info.Attr(slot.Name).Kind.Want, brief(a))
		}
		list = append(list, stablehlo.NamedAttribute{Name: slot.Name, Value: a})
	}
	d.done()
	return list
}

// prop reads one inherent attribute, nil where it is absent.
func (d *Decoder) prop(slot Prop) stablehlo.Attribute {
	switch {
	case slot.Segments && d.r.version >= versionSegments:
		return d.segments()
	case slot.Optional:
		return d.OptionalAttr()
	}
	return d.Attr()
}

// numSegments is how many runs there are where their lengths stand as numbers: all
// operations that have them have two.
const numSegments = 2

// segments reads the lengths of runs: all of them or, where at most half are not zero,
// those with their places in the low bits.
func (d *Decoder) segments() stablehlo.Attribute {
	var sizes [numSegments]int32
	head := d.Varint()
	n, sparse, shift := head>>1, head&1 == 1, uint64(0)
	if n > numSegments {
		d.fail("lengths of runs: expected at most %d, got %d", numSegments, n)
	}
	if sparse && n > 0 {
		shift = uint64(d.Small("number of bits", 8))
	}
	for i := uint64(0); i < n && d.err == nil; i++ {
		v, place := d.Varint(), i
		if sparse {
			v, place = v>>shift, v&(1<<shift-1)
		}
		if place >= numSegments || v > math.MaxInt32 {
			d.fail("lengths of runs: expected a number and one of %d places, got %d at %d", numSegments, v, place)
			break
		}
		sizes[place] = int32(v)
	}
	return stablehlo.Int32Array(sizes[:]...)
}

// writeSegments is the inverse of segments.
func (e *Encoder) writeSegments(a stablehlo.Attribute) {
	list, _ := a.(*stablehlo.DenseArrayAttr)
	var sizes []int64
	if list != nil {
		sizes, _ = list.Ints()
	}
	if len(sizes) != numSegments {
		e.w.fail("lengths of runs: expected %d numbers, got %s", numSegments, brief(a))
		return
	}
	switch {
	case sizes[0] != 0 && sizes[1] != 0:
		e.Varint(numSegments << 1)
		e.Varint(uint64(sizes[0]))
		e.Varint(uint64(sizes[1]))
	case sizes[0] != 0:
		e.Varint(1<<1 | 1)
		e.Varint(0) // bits of the place
		e.Varint(uint64(sizes[0]))
	case sizes[1] != 0:
		e.Varint(1<<1 | 1)
		e.Varint(1)
		e.Varint(uint64(sizes[1])<<1 | 1)
	default:
		e.Varint(1) // none is not zero
	}
}

// stable reports whether the operation stands in a form that the table of operations
// describes: one of the dialect stablehlo itself.
func (o *opName) stable() bool { return strings.HasPrefix(o.full, "stablehlo.") }

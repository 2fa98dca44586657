package mlirtext

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// parseStruct reads <name = value, ...> of a struct attribute, in any order. A field
// that text may leave out has its zero value if it is absent.
func (p *parser) parseStruct(info *stablehlo.StructInfo) (stablehlo.StructAttr, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	if info.Name == "stablehlo.conv" && !p.accept("raw") {
		a, err := p.parseConvDims()
		return a, p.closing(err)
	}
	a := info.New()
	seen := make([]bool, len(info.Fields))
	err := p.list(">", func() error {
		if p.sees(">") {
			return nil // MLIR takes a comma after the last field
		}
		return p.parseFieldOf(info, a, seen)
	})
	if err != nil {
		return nil, err
	}
	for i, f := range info.Fields {
		if !seen[i] && !f.OmitEmpty {
			return nil, p.errorf("expected %s in #%s<...>, got none", f.Name, info.Name)
		}
	}
	return a, nil
}

// parseFieldOf reads name = value.
func (p *parser) parseFieldOf(info *stablehlo.StructInfo, a stablehlo.StructAttr, seen []bool) error {
	pos := p.place()
	name := p.word()
	i := info.Find(name)
	if i < 0 {
		var names []string
		for _, f := range info.Fields {
			names = append(names, f.Name)
		}
		return p.errorAt(pos, "expected one of %s, got %q", strings.Join(names, ", "), name)
	}
	if seen[i] {
		return p.errorAt(pos, "expected %s once, got it again", name)
	}
	seen[i] = true
	if err := p.expect("="); err != nil {
		return err
	}
	if list, ok := info.Field(a, i).(**stablehlo.ArrayAttr); ok && listElems[info.Name] != nil {
		return p.parseStructList(list, listElems[info.Name]())
	}
	return p.parseField(info.Field(a, i))
}

// listElems are the struct attributes in the lists of others: text may leave their names
// out.
var listElems = map[string]func() *stablehlo.StructInfo{
	"stablehlo.mesh": func() *stablehlo.StructInfo { return stablehlo.StructOf("stablehlo.mesh_axis") },
	"stablehlo.replica_group_mesh_axes": func() *stablehlo.StructInfo {
		return stablehlo.StructOf("stablehlo.axis_ref")
	},
}

// parseStructList reads [<name = "x">, #dialect.name<...>].
func (p *parser) parseStructList(list **stablehlo.ArrayAttr, elem *stablehlo.StructInfo) error {
	if err := p.expect("["); err != nil {
		return err
	}
	*list = &stablehlo.ArrayAttr{}
	return p.list("]", func() error {
		var a stablehlo.Attribute
		var err error
		if p.sees("<") {
			a, err = p.parseStruct(elem)
		} else {
			a, err = p.parseAttribute()
		}
		(*list).Elems = append((*list).Elems, a)
		return err
	})
}

// parseField reads the value of a field into it.
func (p *parser) parseField(field any) (err error) {
	switch f := field.(type) {
	case *[]int64:
		*f, err = p.parseDims()
	case *int64:
		*f, err = p.int64()
	case *bool:
		*f, err = p.parseBool()
	case *float64:
		*f, err = p.parseFloat()
	case *string:
		*f, err = p.stringValue()
	case *stablehlo.Type:
		*f, err = p.parseType()
	case **stablehlo.SubAxisInfo:
		*f, err = p.parseSubAxis()
	default:
		err = p.parseAttrField(field)
	}
	return err
}

// parseAttrField reads a field that is an attribute.
func (p *parser) parseAttrField(field any) error {
	pos := p.place()
	a, err := p.parseAttribute()
	if err != nil {
		return err
	}
	ok := true
	switch f := field.(type) {
	case *stablehlo.EnumAttr:
		*f, ok = a.(stablehlo.EnumAttr)
	case **stablehlo.ArrayAttr:
		*f, ok = a.(*stablehlo.ArrayAttr)
	case *stablehlo.Attribute:
		*f = a
	}
	if !ok {
		return p.errorAt(pos, "expected an attribute of another kind, got %s", a)
	}
	return nil
}

func (p *parser) parseBool() (bool, error) {
	switch {
	case p.accept("true"):
		return true, nil
	case p.accept("false"):
		return false, nil
	}
	return false, p.expected("true or false")
}

// parseFloat reads a number of type f64.
func (p *parser) parseFloat() (float64, error) {
	pos := p.place()
	n, ok := p.number()
	if !ok {
		return 0, p.expected("a number")
	}
	bits, err := p.floatBits(pos, n, stablehlo.F64)
	return stablehlo.F64.Float64(bits), err
}

// parseDims reads [1, 2, ?]. A negative size stands for ? as well.
func (p *parser) parseDims() ([]int64, error) {
	if err := p.expect("["); err != nil {
		return nil, err
	}
	var dims []int64
	err := p.list("]", func() error {
		d := int64(stablehlo.Dynamic)
		if !p.accept("?") {
			var err error
			if d, err = p.int64(); err != nil {
				return err
			}
		}
		dims = append(dims, d)
		return nil
	})
	return dims, err
}

// parseSubAxis reads (preSize)size.
func (p *parser) parseSubAxis() (*stablehlo.SubAxisInfo, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	pre, err := p.int64()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	size, err := p.int64()
	return &stablehlo.SubAxisInfo{PreSize: pre, Size: size}, err
}

// parseBounds reads <4, ?> of #stablehlo.bounds.
func (p *parser) parseBounds() (stablehlo.Attribute, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	a := &stablehlo.TypeExtensions{}
	err := p.list(">", func() error {
		d := int64(stablehlo.Dynamic)
		if !p.accept("?") {
			var err error
			if d, err = p.int64(); err != nil {
				return err
			}
		}
		a.Bounds = append(a.Bounds, d)
		return nil
	})
	return a, err
}

// parseConvDims reads [b, 0, f]x[0, i, o]->[b, 0, f].
func (p *parser) parseConvDims() (*stablehlo.ConvDims, error) {
	a := &stablehlo.ConvDims{}
	input := labelList{'b': &a.InputBatch, 'f': &a.InputFeature}
	kernel := labelList{'i': &a.KernelInputFeature, 'o': &a.KernelOutputFeature}
	output := labelList{'b': &a.OutputBatch, 'f': &a.OutputFeature}
	var err error
	if a.InputSpatial, err = p.parseLabels(input); err != nil {
		return nil, err
	}
	if err := p.expect("x"); err != nil {
		return nil, err
	}
	if a.KernelSpatial, err = p.parseLabels(kernel); err != nil {
		return nil, err
	}
	if err := p.expect("->"); err != nil {
		return nil, err
	}
	a.OutputSpatial, err = p.parseLabels(output)
	return a, err
}

// labelList says where the dimension of each letter goes.
type labelList map[byte]*int64

// parseLabels reads one list: letters, numbers of spatial dimensions, and ? for a
// dimension that is neither. It returns the dimension of each spatial number.
func (p *parser) parseLabels(letters labelList) ([]int64, error) {
	if err := p.expect("["); err != nil {
		return nil, err
	}
	pos := p.place()
	bySpatial := map[int64]int64{}
	seen := map[byte]bool{}
	dim := int64(0)
	err := p.list("]", func() error {
		err := p.parseLabel(letters, seen, bySpatial, dim)
		dim++
		return err
	})
	if err != nil {
		return nil, err
	}
	for letter := range letters {
		if !seen[letter] {
			return nil, p.errorAt(pos, "expected a dimension %c in the list, got none", letter)
		}
	}
	spatial := make([]int64, len(bySpatial))
	for n := range spatial {
		d, ok := bySpatial[int64(n)]
		if !ok {
			return nil, p.errorAt(pos, "expected the spatial dimensions 0 to %d in the list, got no %d", len(spatial)-1, n)
		}
		spatial[n] = d
	}
	return spatial, nil
}

// parseLabel reads the label of dimension dim.
func (p *parser) parseLabel(letters labelList, seen map[byte]bool, bySpatial map[int64]int64, dim int64) error {
	pos := p.place()
	if p.accept("?") {
		return nil
	}
	if isDigit(p.peek()) {
		n, err := p.int64()
		if _, twice := bySpatial[n]; twice {
			return p.errorAt(pos, "expected each spatial dimension once, got %d again", n)
		}
		bySpatial[n] = dim
		return err
	}
	word := p.word()
	if len(word) == 1 && letters[word[0]] != nil && !seen[word[0]] {
		seen[word[0]] = true
		*letters[word[0]] = dim
		return nil
	}
	return p.errorAt(pos, "expected a label of a dimension that is not there yet, got %q", word)
}

package stablehlo

// AttrKind says what may stand in an attribute of a row.
type AttrKind struct {
	// Name is how the table calls it.
	Name string
	// Want describes it for errors: "64-bit signless integer attribute".
	Want string
	// Check reports whether an attribute is of the kind.
	Check func(Attribute) bool
	// Type is the type of a number whose type text leaves out, nil where text gives it.
	Type Type
	// Enum is the closed list of the attribute, or of the elements of a list.
	Enum *EnumKind
	// Struct is the name of the struct attribute; text leaves it out in a short form.
	Struct string
}

// attrKinds is every kind that the table uses.
var attrKinds = []AttrKind{
	{Name: "any", Want: "any attribute", Check: func(Attribute) bool { return true }},
	{Name: "bool", Want: "bool attribute", Check: isInteger(I1)},
	{Name: "i32", Want: "32-bit signless integer attribute", Check: isInteger(I32), Type: I32},
	{Name: "i64", Want: "64-bit signless integer attribute", Check: isInteger(I64), Type: I64},
	{Name: "u32", Want: "32-bit unsigned integer attribute", Check: isInteger(UI32), Type: UI32},
	{Name: "u64", Want: "64-bit unsigned integer attribute", Check: isInteger(UI64), Type: UI64},
	{Name: "f32", Want: "32-bit float attribute", Check: isFloat(F32), Type: F32},
	{Name: "f64", Want: "64-bit float attribute", Check: isFloat(F64), Type: F64},
	{Name: "str", Want: "string attribute", Check: isA[StringAttr]},
	{Name: "unit", Want: "unit attribute", Check: isA[UnitAttr]},
	{Name: "type", Want: "type attribute", Check: isA[TypeAttr]},
	{Name: "symbol", Want: "flat symbol reference attribute", Check: isSymbol},
	{Name: "symbols", Want: "flat symbol ref array attribute", Check: arrayOf(isSymbol)},
	{Name: "dict", Want: "dictionary attribute", Check: isA[*DictAttr]},
	{Name: "dicts", Want: "array of dictionary attributes", Check: arrayOf(isA[*DictAttr])},
	{Name: "array", Want: "array attribute", Check: isA[*ArrayAttr]},
	{Name: "i64s", Want: "i64 dense array attribute", Check: isDenseArray(I64), Type: I64},
	{Name: "i32s", Want: "i32 dense array attribute", Check: isDenseArray(I32), Type: I32},
	{Name: "bools", Want: "i1 dense array attribute", Check: isDenseArray(I1), Type: I1},
	{Name: "elements", Want: "constant vector/tensor attribute", Check: isElements},
	{Name: "i64elements", Want: "64-bit signless integer elements attribute", Check: isI64Elements},
	{Name: "layouts", Want: "Array of layout (1D tensor of index type) attributes", Check: arrayOf(isLayout)},
	{Name: "groups", Want: "64-bit signless integer elements or replica group mesh axes attribute",
		Check: func(a Attribute) bool { return isI64Elements(a) || isA[*ReplicaGroupMeshAxes](a) }},

	enumAttr("comparison_direction", ComparisonDirection),
	enumAttr("comparison_type", ComparisonType),
	enumAttr("fft_type", FFTType),
	enumAttr("rng_algorithm", RNGAlgorithm),
	enumAttr("rng_distribution", RNGDistribution),
	enumAttr("transpose", Transpose),
	enumAttr("chlo_comparison_direction", CHLOComparisonDirection),
	enumAttr("chlo_comparison_type", CHLOComparisonType),
	enumListAttr("precisions", Precision),
	enumListAttr("chlo_precisions", CHLOPrecision),

	{Name: "dot", Want: "Attribute that models the dimension information for dot.", Check: isA[*DotDims],
		Struct: "stablehlo.dot"},
	{Name: "dot_algorithm", Want: "Attribute that models the algorithm constraints to use for computing dot.",
		Check: isA[*DotAlgorithm], Struct: "stablehlo.dot_algorithm"},
	{Name: "gather", Want: "Attribute that models the dimension information for gather", Check: isA[*GatherDims],
		Struct: "stablehlo.gather"},
	{Name: "scatter", Want: "Attribute that models the dimension information for scatter", Check: isA[*ScatterDims],
		Struct: "stablehlo.scatter"},
	{Name: "conv", Want: "Structure of dimension information for conv op", Check: isA[*ConvDims],
		Struct: "stablehlo.conv"},
	{Name: "channel_handle", Want: "two 64-bit integers 'handle' and 'type'", Check: isA[*ChannelHandle],
		Struct: "stablehlo.channel_handle"},
	{Name: "accuracy", Want: "The requested accuracy for unary ops.", Check: isA[*ResultAccuracy],
		Struct: "stablehlo.result_accuracy"},
	{Name: "aliases", Want: "Aliasing attribute for outputs and operands of CustomCall",
		Check: arrayOf(isA[*OutputOperandAlias])},
	{Name: "ragged_dot", Want: "Attribute that models the dimension information for ragged dot.",
		Check: isA[*RaggedDotDims], Struct: "chlo.ragged_dot"},
}

// findKind returns the kind that the table calls name, nil if there is none.
func findKind(name string) *AttrKind {
	for i := range attrKinds {
		if attrKinds[i].Name == name {
			return &attrKinds[i]
		}
	}
	return nil
}

func enumAttr(name string, e *EnumKind) AttrKind {
	return AttrKind{Name: name, Want: e.Name + " attribute", Check: isEnum(e), Enum: e}
}

func enumListAttr(name string, e *EnumKind) AttrKind {
	return AttrKind{Name: name, Want: "array of " + e.Name + " attributes", Check: arrayOf(isEnum(e)), Enum: e}
}

func isA[T Attribute](a Attribute) bool { _, ok := a.(T); return ok }

func isInteger(t IntegerType) func(Attribute) bool {
	return func(a Attribute) bool { i, ok := a.(IntegerAttr); return ok && i.Type == t }
}

func isFloat(t FloatType) func(Attribute) bool {
	return func(a Attribute) bool { f, ok := a.(FloatAttr); return ok && f.Type == t }
}

func isEnum(e *EnumKind) func(Attribute) bool {
	return func(a Attribute) bool { v, ok := a.(EnumAttr); return ok && v.Kind == e }
}

func isSymbol(a Attribute) bool {
	s, ok := a.(*SymbolRef)
	return ok && len(s.Nested) == 0
}

func arrayOf(check func(Attribute) bool) func(Attribute) bool {
	return func(a Attribute) bool {
		list, ok := a.(*ArrayAttr)
		if !ok {
			return false
		}
		for _, e := range list.Elems {
			if !check(e) {
				return false
			}
		}
		return true
	}
}

func isDenseArray(t Type) func(Attribute) bool {
	return func(a Attribute) bool { d, ok := a.(*DenseArrayAttr); return ok && d.Elem == t }
}

func isElements(a Attribute) bool {
	switch a.(type) {
	case *DenseElements, *DenseStrings, *DenseResource, *SparseElements:
		return true
	}
	return false
}

func isI64Elements(a Attribute) bool {
	d, ok := a.(*DenseElements)
	return ok && d.Elem() == I64
}

func isLayout(a Attribute) bool {
	d, ok := a.(*DenseElements)
	return ok && d.Elem() == IndexType{} && len(d.Dims()) == 1
}

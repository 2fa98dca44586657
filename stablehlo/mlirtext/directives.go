package mlirtext

import (
	"github.com/goxla/xla/stablehlo"
)

// directive is a form of its own that a row names.
type directive struct {
	name  string
	shows []string // the attributes that it shows
	parse func(*parser, *opState, *element) error
	// print writes the directive; ok is false if the operation is not as the form needs
	// it, and must be written in the generic form.
	print func(*printer, *stablehlo.Op, *element) (ok bool)
}

// directives returns all forms of their own.
func directives() []directive {
	return []directive{
		{name: "AllType", parse: (*parser).parseAllType, print: (*printer).printAllType},
		{name: "Barrier", parse: (*parser).parseBarrier, print: (*printer).printBarrier},
		{name: "CallTarget", parse: (*parser).parseCallTarget, print: (*printer).printCallTarget},
		{name: "CommaList", parse: (*parser).parseCommaList, print: (*printer).printCommaList},
		{name: "ComplexType", parse: (*parser).parseComplexType, print: (*printer).printComplexType},
		{name: "Constant", shows: []string{"value"}, parse: (*parser).parseConstant, print: (*printer).printConstant},
		{name: "ConvDims", shows: []string{"dimension_numbers"}, parse: (*parser).parseConvForm,
			print: (*printer).printConvForm},
		{name: "DotDims", shows: []string{"dot_dimension_numbers"}, parse: (*parser).parseDotDims,
			print: (*printer).printDotDims},
		{name: "ExponentMantissa", shows: []string{"exponent_bits", "mantissa_bits"},
			parse: (*parser).parseExponentMantissa, print: (*printer).printExponentMantissa},
		{name: "Function", parse: (*parser).parseFunction, print: (*printer).printFunction},
		{name: "ManualComputation", parse: (*parser).parseManual, print: (*printer).printManual},
		{name: "Module", parse: (*parser).parseModuleForm, print: (*printer).printModuleForm},
		{name: "Precision", parse: (*parser).parsePrecision, print: (*printer).printPrecision},
		{name: "PrecisionAndAlgorithm", shows: []string{"precision_config", "algorithm"},
			parse: (*parser).parsePrecisionAndAlgorithm, print: (*printer).printPrecisionAndAlgorithm},
		{name: "Reduce", shows: []string{"dimensions"}, parse: (*parser).parseReduce, print: (*printer).printReduce},
		{name: "Regions", parse: (*parser).parseRegions, print: (*printer).printRegions},
		{name: "SameType", parse: (*parser).parseSameType, print: (*printer).printSameType},
		{name: "Scan", shows: []string{"dimension", stablehlo.OperandSegments, stablehlo.ResultSegments},
			parse: (*parser).parseScan, print: (*printer).printScan},
		{name: "SelectType", parse: (*parser).parseSelectType, print: (*printer).printSelectType},
		{name: "SliceRanges", shows: []string{"start_indices", "limit_indices", "strides"},
			parse: (*parser).parseSliceRanges, print: (*printer).printSliceRanges},
		{name: "Stripped", parse: (*parser).parseStripped, print: (*printer).printStripped},
		{name: "TupleType", parse: (*parser).parseTupleType, print: (*printer).printTupleType},
		{name: "TypedValue", shows: []string{"value"}, parse: (*parser).parseTypedValue, print: (*printer).printTypedValue},
		{name: "While", parse: (*parser).parseWhile, print: (*printer).printWhile},
		{name: "Window", shows: []string{"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"},
			parse: (*parser).parseWindow, print: (*printer).printWindow},
	}
}

// findDirective returns the directive called name, nil if there is none.
func findDirective(name string) *directive {
	for _, d := range directives() {
		if d.name == name {
			return &d
		}
	}
	return nil
}

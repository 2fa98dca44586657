package mlirtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// The operations of tests that ask for the types of the results of the operation which
// made their operand, and for a value that holds their shape.
const (
	returnTypes      = "hlo_test_infer.get_return_types"
	returnComponents = "hlo_test_infer.get_return_type_components" // element type index: it does not follow
	returnShapes     = "hlo_test_infer.reify_return_type_shapes"
)

// inferred compares the types that functions ask for with those that comments in them
// name. Where there are fewer comments than questions, each comment belongs to the first
// question after that of the comment before which it fits.
func inferred(m *stablehlo.Module, part mlirtext.Part) error {
	want := expectations(part)
	for i, o := range m.Body().Ops {
		end := len(want)
		if i+1 < len(m.Body().Ops) {
			end = 0
			for end < len(want) && want[end].line < m.Body().Ops[i+1].Pos.Line {
				end++
			}
		}
		if err := inferredIn(m, o, want[:end]); err != nil {
			return err
		}
		want = want[end:]
	}
	return nil
}

// inferredIn compares the types that one function asks for.
func inferredIn(m *stablehlo.Module, f *stablehlo.Op, want []expectation) error {
	asked, err := questions(m, f)
	if err != nil {
		return err
	}
	exact := len(asked) == len(want)
	for _, q := range asked {
		if len(want) == 0 {
			return nil
		}
		err := want[0].check(q.types, q.op.Name == returnComponents)
		if err != nil && exact {
			return fmt.Errorf("%s:%d:%d: %s: %w", m.File, q.op.Pos.Line, q.op.Pos.Col, q.op.Operands[0].Op.Name, err)
		}
		if err == nil {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		return fmt.Errorf("%s:%d: expected an operation with these types, got none", m.File, want[0].line)
	}
	return nil
}

// question is an operation that asks for types, and the types.
type question struct {
	op    *stablehlo.Op
	types []stablehlo.Type
}

// questions returns the operations of a function that ask for types.
func questions(m *stablehlo.Module, f *stablehlo.Op) ([]question, error) {
	var list []question
	for o := range f.Walk() {
		asks := o.Name == returnTypes || o.Name == returnComponents || o.Name == returnShapes
		if !asks || len(o.Operands) != 1 || o.Operands[0].Op == nil {
			continue
		}
		types, _, err := verify.ResultTypes(m, o.Operands[0].Op)
		if err == nil && o.Name == returnShapes {
			err = checkShape(o, types)
		} else {
			list = append(list, question{o, types})
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// checkShape checks that the value which holds a shape has a number for each dimension.
func checkShape(o *stablehlo.Op, types []stablehlo.Type) error {
	if len(types) == 0 || len(o.Results) == 0 {
		return nil
	}
	t, ok1 := types[0].(*stablehlo.TensorType)
	shape, ok2 := o.Results[0].Type.(*stablehlo.TensorType)
	if ok1 && ok2 && (shape.Rank() != 1 || shape.Dims[0] != int64(t.Rank())) {
		return fmt.Errorf("expected a shape of %d numbers, got %v", t.Rank(), shape)
	}
	return nil
}

// expectation is what comments say of the results of an operation.
type expectation struct {
	line  int
	types map[int]string // by place
}

var (
	checkComment = regexp.MustCompile(`^\s*//\s*CHECK[A-Z-]*:\s*(types\d+ = .*)$`)
	checkedType  = regexp.MustCompile(`types(\d+) = (.*)`)
)

// expectations returns what comments "// CHECK: types0 = T" say, those of one operation together.
func expectations(part mlirtext.Part) []expectation {
	var list []expectation
	for i, line := range strings.Split(part.Text, "\n") {
		found := checkComment.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		for item := range strings.SplitSeq(strings.ReplaceAll(found[1], ", types", "\ntypes"), "\n") {
			match := checkedType.FindStringSubmatch(item)
			place, _ := strconv.Atoi(match[1]) // digits only
			if place == 0 || len(list) == 0 {
				list = append(list, expectation{line: part.Line + i + 1, types: map[int]string{}})
			}
			list[len(list)-1].types[place] = strings.TrimRight(match[2], " ,")
		}
	}
	return list
}

// check compares types with what is expected of them. With components, the element type
// may be missing, for which index stands.
func (e expectation) check(types []stablehlo.Type, components bool) error {
	for i, t := range types {
		want, ok := e.types[i]
		if tensor, isTensor := t.(*stablehlo.TensorType); components && isTensor && strings.Contains(want, "xindex") {
			t = &stablehlo.TensorType{Dims: tensor.Dims, Elem: stablehlo.IndexType{}, Encoding: tensor.Encoding}
		}
		if ok && t.String() != want {
			return fmt.Errorf("expected %s as the type of result %d, got %v", want, i, t)
		}
	}
	for i, want := range e.types {
		if i >= len(types) {
			return fmt.Errorf("expected %s as the type of result %d, got %d results", want, i, len(types))
		}
	}
	return nil
}

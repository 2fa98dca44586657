package jaxexport

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// MainArg says what an argument of the module's @main stands for.
type MainArg struct {
	Kind MainArgKind
	Name string // of a dimension variable, or of the path of a leaf
	Leaf int    // for an input: its place among the leaves of the arguments
}

// MainArgKind says where the value of an argument comes from.
type MainArgKind uint8

// The kinds of arguments.
const (
	InputArg     MainArgKind = iota // a leaf of the arguments
	PlatformArg                     // the place of the platform in Exported.Platforms
	DimensionArg                    // the value of a dimension variable
	TokenArg                        // a token that orders effects
)

// The attributes of arguments that JAX marks them with.
const (
	attrGlobalConstant = "jax.global_constant"
	attrToken          = "jax.token"
	platformIndex      = "_platform_index"
)

// MainArgs returns what the arguments of @main stand for: after a platform index,
// dimension variables and tokens, which attributes mark, the leaves that are kept. It
// fails if the module has no @main, or arguments of another number.
func (e *Exported) MainArgs(m *stablehlo.Module) ([]MainArg, error) {
	f := m.Func("main")
	if f == nil || f.FuncType() == nil {
		return nil, fmt.Errorf("expected a function @main, got none")
	}
	paths := e.InputPaths()
	var args []MainArg
	next := 0
	for i := range f.FuncType().Inputs {
		a := markedArg(f.ArgAttrs(i))
		if a.Kind == InputArg {
			if next >= len(e.Kept) {
				return nil, fmt.Errorf("@main: expected %d arguments for inputs, got more", len(e.Kept))
			}
			a.Leaf = e.Kept[next]
			a.Name = paths[a.Leaf]
			next++
		}
		args = append(args, a)
	}
	if next != len(e.Kept) {
		return nil, fmt.Errorf("@main: expected %d arguments for inputs, got %d", len(e.Kept), next)
	}
	return args, nil
}

// markedArg returns what the attributes of an argument say.
func markedArg(attrs *stablehlo.DictAttr) MainArg {
	if attrs == nil {
		return MainArg{}
	}
	if s, ok := attrs.Get(attrGlobalConstant).(stablehlo.StringAttr); ok {
		if s.Value == platformIndex {
			return MainArg{Kind: PlatformArg}
		}
		return MainArg{Kind: DimensionArg, Name: s.Value}
	}
	if attrs.Get(attrToken) != nil {
		return MainArg{Kind: TokenArg}
	}
	return MainArg{}
}

// InputPaths returns for each leaf of the arguments how Python reaches it: args[0]['w'],
// kwargs['x'].
func (e *Exported) InputPaths() []string {
	if e.InTree == nil || len(e.InTree.Children) != 2 || e.InTree.Kind != Tuple {
		paths := make([]string, len(e.In))
		for i := range paths {
			paths[i] = fmt.Sprintf("[%d]", i)
		}
		return paths
	}
	args, kwargs := e.InTree.Children[0], e.InTree.Children[1]
	return append(args.Paths("args"), kwargs.Paths("kwargs")...)
}

// Signature returns the function as Python would declare it:
//
//	f(float32[b,16], {'w': float32[16]}, *, scale=float32[]) -> float32[b]
func (e *Exported) Signature() string {
	next := 0
	in := func() string { next++; return e.In[next-1].String() }
	var parts []string
	if t := e.InTree; t != nil && t.Kind == Tuple && len(t.Children) == 2 {
		for _, a := range t.Children[0].Children {
			parts = append(parts, a.format(in))
		}
		for i, a := range t.Children[1].Children {
			if i == 0 {
				parts = append(parts, "*")
			}
			name := ""
			if i < len(t.Children[1].Names) {
				name = t.Children[1].Names[i] + "="
			}
			parts = append(parts, name+a.format(in))
		}
	}
	out := ""
	if e.OutTree != nil {
		out = " -> " + e.OutTree.Format(func(i int) string { return e.Out[i].String() })
	}
	return e.Name + "(" + strings.Join(parts, ", ") + ")" + out
}

// Constraints returns what the module asserts of the sizes of its inputs: the messages
// of its shape assertions, in order, each once. {0}, {1}, ... in them stand for values
// that are known when it runs.
func Constraints(m *stablehlo.Module) []string {
	var list []string
	seen := map[string]bool{}
	for o := range m.Op.Walk() {
		target, _ := o.Attr("call_target_name").(stablehlo.StringAttr)
		if o.Name != "stablehlo.custom_call" || target.Value != "shape_assertion" {
			continue
		}
		message, ok := o.Attr("error_message").(stablehlo.StringAttr)
		if ok && !seen[message.Value] {
			seen[message.Value] = true
			list = append(list, message.Value)
		}
	}
	return list
}

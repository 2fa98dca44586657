package stablehlo

import "iter"

// SymbolName returns the name under which the operation can be referred to, "" if it
// defines no symbol.
func (o *Op) SymbolName() string {
	s, _ := o.Attr("sym_name").(StringAttr)
	return s.Value
}

// FindSymbol returns the operation directly inside a symbol table (a module) that
// defines name, nil if there is none.
func (o *Op) FindSymbol(name string) *Op {
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, child := range b.Ops {
				if child.SymbolName() == name {
					return child
				}
			}
		}
	}
	return nil
}

// Resolve returns the operation that ref names as seen from the operation: the
// innermost module around it that defines the root name decides. nil if there is none.
func (o *Op) Resolve(ref *SymbolRef) *Op {
	for table := o.Parent(); table != nil; table = table.Parent() {
		if table.Info == nil || !table.Info.Has(SymbolTable) {
			continue
		}
		found := table.FindSymbol(ref.Root)
		for _, name := range ref.Nested {
			if found != nil {
				found = found.FindSymbol(name)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Func returns the function called name in the module, nil if there is none.
func (m *Module) Func(name string) *Op {
	f := m.Op.FindSymbol(name)
	if f == nil || f.Name != "func.func" {
		return nil
	}
	return f
}

// Funcs yields the functions of the module in order.
func (m *Module) Funcs() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for _, o := range m.Body().Ops {
			if o.Name == "func.func" && !yield(o) {
				return
			}
		}
	}
}

// FuncType returns the type of a func.func operation, nil if it has none.
func (o *Op) FuncType() *FunctionType {
	t, _ := o.Attr("function_type").(TypeAttr)
	f, _ := t.Type.(*FunctionType)
	return f
}

// ArgAttrs returns the attributes of the i-th argument of a func.func operation, nil
// if it has none.
func (o *Op) ArgAttrs(i int) *DictAttr { return o.dictAt("arg_attrs", i) }

// ResultAttrs returns the attributes of the i-th result of a func.func operation, nil
// if it has none.
func (o *Op) ResultAttrs(i int) *DictAttr { return o.dictAt("res_attrs", i) }

func (o *Op) dictAt(name string, i int) *DictAttr {
	list, _ := o.Attr(name).(*ArrayAttr)
	if list == nil || i < 0 || i >= len(list.Elems) {
		return nil
	}
	d, _ := list.Elems[i].(*DictAttr)
	return d
}

// IsPrivate reports whether only its own module can refer to the symbol.
func (o *Op) IsPrivate() bool {
	s, _ := o.Attr("sym_visibility").(StringAttr)
	return s.Value == "private"
}

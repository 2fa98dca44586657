package stablehlo

import "strconv"

// AppendText appends the attribute as MLIR writes it.
func (UnitAttr) AppendText(dst []byte) []byte { return append(dst, "unit"...) }

// AppendText appends the attribute as MLIR writes it: 4 : i64, or true.
func (a IntegerAttr) AppendText(dst []byte) []byte {
	dst = a.AppendValue(dst)
	if a.Type == I1 || a.Type == nil {
		return dst
	}
	return a.Type.AppendText(append(dst, " : "...))
}

// AppendValue appends the attribute without its type.
func (a IntegerAttr) AppendValue(dst []byte) []byte { return appendIntOf(dst, a.Value, a.Type) }

// appendIntOf appends an integer of a type: true and false for i1, as unsigned for uiN.
func appendIntOf(dst []byte, v int64, t Type) []byte {
	i, _ := t.(IntegerType)
	switch {
	case i == I1:
		return strconv.AppendBool(dst, v != 0)
	case i.Sign == Unsigned:
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	return strconv.AppendInt(dst, v, 10)
}

// AppendText appends the attribute as MLIR writes it: 1.000000e+00 : f32.
func (a FloatAttr) AppendText(dst []byte) []byte {
	dst = a.AppendValue(dst)
	if a.Type == nil {
		return dst
	}
	return a.Type.AppendText(append(dst, " : "...))
}

// AppendValue appends the attribute without its type.
func (a FloatAttr) AppendValue(dst []byte) []byte {
	f, ok := a.Type.(FloatType)
	if !ok {
		f = F64
	}
	return appendFloat(dst, a.Bits, f)
}

// AppendText appends the attribute as MLIR writes it.
func (a StringAttr) AppendText(dst []byte) []byte {
	dst = AppendQuoted(dst, a.Value)
	if a.Type == nil {
		return dst
	}
	return a.Type.AppendText(append(dst, " : "...))
}

// AppendText appends the attribute as MLIR writes it.
func (a TypeAttr) AppendText(dst []byte) []byte { return a.Type.AppendText(dst) }

// AppendText appends the attribute as MLIR writes it.
func (a *SymbolRef) AppendText(dst []byte) []byte {
	dst = AppendSymbol(dst, a.Root)
	for _, name := range a.Nested {
		dst = AppendSymbol(append(dst, "::"...), name)
	}
	return dst
}

// AppendText appends the attribute as MLIR writes it.
func (a *ArrayAttr) AppendText(dst []byte) []byte {
	dst = append(dst, '[')
	for i, e := range a.Elems {
		dst = appendElided(appendComma(dst, i), e)
	}
	return append(dst, ']')
}

// appendElided appends an element of a list: MLIR leaves the types i64 and f64 out there.
func appendElided(dst []byte, a Attribute) []byte {
	switch v := a.(type) {
	case IntegerAttr:
		if v.Type == I64 {
			return v.AppendValue(dst)
		}
	case FloatAttr:
		if text := v.AppendValue(nil); v.Type == F64 && !isHexFloat(text) {
			return append(dst, text...)
		}
	}
	return a.AppendText(dst)
}

// AppendText appends the attribute as MLIR writes it.
func (a *DictAttr) AppendText(dst []byte) []byte { return AppendDict(dst, a.Entries) }

// AppendDict appends {name = value, ...}.
func AppendDict(dst []byte, entries []NamedAttribute) []byte {
	dst = append(dst, '{')
	for i := range entries {
		dst = entries[i].AppendText(appendComma(dst, i))
	}
	return append(dst, '}')
}

// AppendText appends name = value, or the name of a unit attribute.
func (n *NamedAttribute) AppendText(dst []byte) []byte {
	if isBareName(n.Name) {
		dst = append(dst, n.Name...)
	} else {
		dst = AppendQuoted(dst, n.Name)
	}
	if _, unit := n.Value.(UnitAttr); unit {
		return dst
	}
	return n.Value.AppendText(append(dst, " = "...))
}

// AppendText appends the attribute as MLIR writes it.
func (a OpaqueAttr) AppendText(dst []byte) []byte {
	if a.Dialect == "" {
		dst = append(dst, a.Body...)
	} else {
		dst = appendOpaque(append(dst, '#'), a.Dialect, a.Body, a.Angle)
	}
	if a.Type == nil {
		return dst
	}
	return a.Type.AppendText(append(dst, " : "...))
}

// AppendText appends the attribute as MLIR writes it.
func (a EnumAttr) AppendText(dst []byte) []byte {
	dst = append(append(dst, '#'), a.Kind.Dialect...)
	if a.Kind.Dotted {
		dst = append(append(append(dst, '.'), a.Kind.Name...), '<')
	} else {
		dst = append(append(append(dst, '<'), a.Kind.Name...), ' ')
	}
	return append(append(dst, a.Word()...), '>')
}

// AppendSymbol appends @name, quoted where the name needs it.
func AppendSymbol(dst []byte, name string) []byte {
	dst = append(dst, '@')
	if isBareName(name) {
		return append(dst, name...)
	}
	return AppendQuoted(dst, name)
}

// isBareName reports whether name needs no quotes: a letter or _, then letters,
// digits, _, $ and dots.
func isBareName(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || (c|0x20 >= 'a' && c|0x20 <= 'z')
		if !letter && (i == 0 || (c != '.' && c != '$' && (c < '0' || c > '9'))) {
			return false
		}
	}
	return name != ""
}

// AppendQuoted appends a string in quotes; what is no printable ASCII letter, the
// quote and the backslash are escaped.
func AppendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			dst = append(dst, '\\', '\\')
		case c < ' ' || c > '~' || c == '"':
			dst = append(dst, '\\', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

package mlirtext

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// printResources writes {-# ... #-} if the module has resources.
func (p *printer) printResources(m *stablehlo.Module) {
	if len(m.Resources) == 0 {
		return
	}
	p.write("\n{-#")
	p.indent = 2
	p.groups(m.Resources, func(r *stablehlo.Resource) string { return r.Section }, func(list []stablehlo.Resource) {
		p.write(list[0].Section)
		p.braces(func() {
			p.groups(list, func(r *stablehlo.Resource) string { return r.Owner }, func(list []stablehlo.Resource) {
				p.dst = appendKey(p.dst, list[0].Owner)
				p.braces(func() {
					for i := range list {
						p.separate(i)
						p.printResource(&list[i])
					}
				})
			})
		})
	})
	p.indent = 0
	p.newline()
	p.write("#-}\n")
}

// groups calls print for each run of resources with the same key.
func (p *printer) groups(list []stablehlo.Resource, key func(*stablehlo.Resource) string,
	print func([]stablehlo.Resource)) {
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && key(&list[i+n]) == key(&list[i]) {
			n++
		}
		p.separate(i)
		print(list[i : i+n])
		i += n
	}
}

// separate begins the line of the i-th element.
func (p *printer) separate(i int) {
	if i > 0 {
		p.write(",")
	}
	p.newline()
}

// braces writes : { ... }.
func (p *printer) braces(print func()) {
	p.write(": {")
	p.indent += 2
	print()
	p.indent -= 2
	p.newline()
	p.write("}")
}

// printResource writes key: value.
func (p *printer) printResource(r *stablehlo.Resource) {
	p.dst = append(appendKey(p.dst, r.Key), ": "...)
	if r.Text != "" {
		p.write(r.Text)
		return
	}
	p.write(`"0x`)
	align := hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, uint32(r.Align)))
	p.write(strings.ToUpper(align))
	p.write(strings.ToUpper(hex.EncodeToString(r.Data)))
	p.write(`"`)
}

// appendKey appends a name, in quotes where it needs them.
func appendKey(dst []byte, key string) []byte {
	for i := range len(key) {
		if !isNameByte(key[i]) || (i == 0 && !isLetter(key[i])) {
			return stablehlo.AppendQuoted(dst, key)
		}
	}
	if key == "" {
		return append(dst, `""`...)
	}
	return append(dst, key...)
}

package hlotext

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// frontendAttributes appends the attributes in the order of their keys; a value
// that reads as a JSON object needs no quotes.
func (p *printer) frontendAttributes(list []hlo.KeyValue) {
	if len(list) == 0 || p.noFrontend {
		return
	}
	p.attr("frontend_attributes")
	p.text("{")
	join(p, list, ",", func(kv hlo.KeyValue) {
		p.text(kv.Key)
		p.text("=")
		p.dictOrString(kv.Value)
	})
	p.text("}")
}

func (p *printer) dictOrString(s string) {
	if isDict(s) {
		p.text(s)
	} else {
		p.quoted(s)
	}
}

// isDict reports whether s is a pair of braces with text in between in which braces
// are balanced, those in strings aside. The lexer finds the end of such text, so it
// is printed as it stands.
func isDict(s string) bool {
	depth := 0
	for k := 0; k < len(s); k++ {
		switch s[k] {
		case '{':
			depth++
		case '}':
			depth--
		case '"':
			n := stringLength(s[k:])
			if n == 0 {
				return false
			}
			k += n - 1
		}
		if depth <= 0 {
			return depth == 0 && k == len(s)-1 && s[k] == '}'
		}
	}
	return false
}

// stringLength returns the length of the quoted string at the start of s, 0 if it has no end.
func stringLength(s string) int {
	for k := 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case '"':
			return k + 1
		}
	}
	return 0
}

func (p *printer) statistics(s *hlo.Statistics) {
	if s == nil || len(s.Items) == 0 {
		return
	}
	p.attr("statistics")
	p.text("{visualizing_index=")
	p.int(s.Index)
	for _, item := range s.Items {
		p.text("," + item.Name + "=")
		p.dst = op.AppendFloat(p.dst, item.Value)
	}
	p.text("}")
}

func (p *printer) origin(i *hlo.Instruction) {
	if i.Origin != nil && !p.o.OmitOrigin {
		p.attr("origin")
		p.text("{" + i.Origin.Text + "}")
	}
}

func (p *printer) backendConfig(config string) {
	if config == "" || p.o.OmitBackendConfig {
		return
	}
	if p.o.SortBackendConfig {
		config = sortedJSON(config)
	}
	p.attr("backend_config")
	p.dictOrString(config)
}

// sortedJSON returns the JSON value s with the keys of its objects in order, or s if it is none.
func sortedJSON(s string) string {
	in := json.NewDecoder(strings.NewReader(s))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil || in.More() {
		return s
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return s
	}
	return strings.TrimSuffix(out.String(), "\n")
}

package hlopb

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/shape"
)

// assemble makes the wire form of a program that is written as text, a field a line:
//
//	1: "text"            a string
//	2: 7                 a number
//	3: [1 2 3]           a packed list
//	4: f32 1.5           a float; f64 for a double
//	5: hex 00 ff         bytes
//	6: shape f32[2]{0}   a ShapeProto
//	7 { ... }            a message, on lines of its own
//	include name         the lines of another part
//	# a comment
func assemble(t testing.TB, text string, parts map[string]string) []byte {
	t.Helper()
	a := &assembler{lines: strings.Split(text, "\n"), parts: parts}
	out, err := a.message(0)
	if err != nil {
		t.Fatalf("%v, in\n%s", err, text)
	}
	return out
}

type assembler struct {
	lines []string
	parts map[string]string
}

func (a *assembler) message(depth int) (out []byte, err error) {
	for len(a.lines) > 0 {
		line, _, _ := strings.Cut(a.lines[0], "#")
		line = strings.TrimSpace(line)
		a.lines = a.lines[1:]
		if name, ok := strings.CutPrefix(line, "include "); ok {
			part, found := a.parts[name]
			if !found {
				return nil, fmt.Errorf("no part %q", name)
			}
			a.lines = append(strings.Split(part, "\n"), a.lines...)
			continue
		}
		switch {
		case line == "":
		case line == "}" && depth > 0:
			return out, nil
		case strings.HasSuffix(line, "{"):
			num, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(line, "{")))
			if err != nil {
				return nil, err
			}
			body, err := a.message(depth + 1)
			if err != nil {
				return nil, err
			}
			out = protowire.AppendTag(out, protowire.Number(num), protowire.BytesType)
			out = protowire.AppendBytes(out, body)
		default:
			if out, err = appendLine(out, line); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
		}
	}
	return out, nil
}

// appendLine appends the field of a line.
func appendLine(out []byte, line string) ([]byte, error) {
	number, value, _ := strings.Cut(line, ":")
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	num, value := protowire.Number(n), strings.TrimSpace(value)
	form, rest, _ := strings.Cut(value, " ")
	w := &writer{schema: tables()}
	switch {
	case strings.HasPrefix(value, `"`):
		s, err := strconv.Unquote(value)
		w.raw(num, s)
		return append(out, w.dst...), err
	case strings.HasPrefix(value, "["):
		var list []byte
		for f := range strings.FieldsSeq(strings.Trim(value, "[]")) {
			v, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return nil, err
			}
			list = protowire.AppendVarint(list, uint64(v))
		}
		w.raw(num, string(list))
	case form == "f32":
		v, err := strconv.ParseFloat(rest, 32)
		w.float32(num, float32(v))
		return append(out, w.dst...), err
	case form == "f64":
		v, err := strconv.ParseFloat(rest, 64)
		w.float64(num, v)
		return append(out, w.dst...), err
	case form == "hex":
		b, err := hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
		w.raw(num, string(b))
		return append(out, w.dst...), err
	case form == "shape":
		s, err := shape.Parse(rest)
		w.schema.shapes().write(w, num, &s)
		return append(out, w.dst...), err
	default:
		v, err := strconv.ParseInt(value, 10, 64)
		w.varint(num, uint64(v))
		return append(out, w.dst...), err
	}
	return append(out, w.dst...), nil
}

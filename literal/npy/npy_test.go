package npy

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// arrayTypes returns every element type.
func arrayTypes() (types []shape.ElementType) {
	for i := range shape.NumElementTypes {
		if t := shape.ElementType(i); t.IsArray() {
			types = append(types, t)
		}
	}
	return types
}

// sample returns an array whose elements have many different codes.
func sample(t shape.ElementType, dims ...int) literal.Literal {
	l := literal.New(shape.Make(t, dims...))
	for i, b := 0, l.Bytes(); i < len(b); i++ {
		b[i] = byte(i*37 + 11)
	}
	if t.Bits() < 8 || t == shape.Pred {
		for i := range l.Len() {
			l.SetBits(i, uint64(i*5+1)&(1<<min(t.Bits(), 7)-1))
		}
	}
	if t == shape.Pred {
		for i := range l.Len() {
			l.SetBits(i, uint64(i*5/3)&1)
		}
	}
	return l
}

// same reports whether two arrays have one shape and the same bits.
func same(a, b literal.Literal) bool {
	return a.Shape().Equal(b.Shape()) && bytes.Equal(a.Bytes(), b.Bytes())
}

func checkSame(t *testing.T, what string, got, want []Named) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d arrays, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i].Name != want[i].Name || !same(got[i].Value, want[i].Value) {
			t.Errorf("%s: got %q %v, want %q %v", what, got[i].Name, got[i].Value, want[i].Name, want[i].Value)
		}
	}
}

// numpyHeader is the text that np.save writes, with its padding.
func numpyHeader(text string, length int) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(length), byte(length >> 8)}) +
		text + strings.Repeat(" ", length-len(text)-1) + "\n"
}

// TestWriteNPY compares with what np.save of NumPy 2.4 writes.
func TestWriteNPY(t *testing.T) {
	column := literal.Of([][]int32{{1, 2}, {3, 4}}).Relayout(shape.MakeLayout(0, 1))
	for _, c := range []struct {
		value literal.Literal
		want  string
	}{
		{literal.Of([]float32{1, -2}), numpyHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 118) +
			"\x00\x00\x80\x3f\x00\x00\x00\xc0"},
		{literal.Scalar(true), numpyHeader("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", 118) + "\x01"},
		{column, numpyHeader("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }", 118) +
			"\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00"},
	} {
		var got bytes.Buffer
		if err := WriteNPY(&got, c.value); err != nil || got.String() != c.want {
			t.Errorf("%v: got %q (%v), want %q", c.value, got.String(), err, c.want)
		}
	}
	if err := WriteNPY(new(bytes.Buffer), literal.MakeTuple()); err == nil {
		t.Error("a tuple is written")
	}
}

// npyFile returns a version 1 file.
func npyFile(header, data string) string { return numpyHeader(header, len(header)+1) + data }

// plainFile returns one with an array in row-major order.
func plainFile(descr, dims, data string) string {
	return npyFile("{'descr': '"+descr+"', 'fortran_order': False, 'shape': "+dims+", }", data)
}

// versionFile returns one with a scalar and a header of 4 bytes length.
func versionFile(version string) string {
	return "\x93NUMPY" + version + "\x00\x38\x00\x00\x00{'descr': '|u1', 'fortran_order': False, 'shape': ()}  \n\x07"
}

func TestReadNPY(t *testing.T) {
	for _, c := range []struct {
		name, file string
		as         shape.ElementType
		want       string // the array, or "error: " and a part of the error
	}{
		{"big-endian", plainFile(">i2", "(2,)", "\x01\x02\xff\xfe"), 0, "s16[2] {258, -2}"},
		{"native order", plainFile("=i2", "(1,)", "\x02\x01"), 0, "s16[1] {258}"},
		{"big-endian complex", plainFile(">c8", "(1,)", "\x3f\x80\x00\x00\x40\x00\x00\x00"), 0,
			"c64[1] {(1, 2)}"},
		{"fortran", npyFile("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "\x01\x04\x02\x05\x03\x06"), 0,
			"u8[2,3] {{1, 2, 3}, {4, 5, 6}}"},
		{"other order, double quotes, Python 2",
			npyFile(`{ "shape":(2L,1L),"descr":"|i1","fortran_order":False}`, "\x01\xff"), 0,
			"s8[2,1] {{1}, {-1}}"},
		{"bool with other bytes", plainFile("|b1", "(3,)", "\x00\x02\xff"), 0, "pred[3] {false, true, true}"},
		{"version 2", versionFile("\x02"), 0, "u8[] 7"},
		{"version 3", versionFile("\x03"), 0, "u8[] 7"},
		{"empty", plainFile("<f8", "(0, 3)", ""), 0, "f64[0,3] {}"},
		{"bf16 of np.save", plainFile("<V2", "(1,)", "\x80\x3f"), shape.BF16, "bf16[1] {1}"},
		{"bf16 of np.save, type not told", plainFile("<V2", "(1,)", "\x80\x3f"), 0, "u16[1] {16256}"},
		{"s4 of np.save, type not told", plainFile("<V1", "(2,)", "\x0f\x01"), 0, "u8[2] {15, 1}"},
		{"f8 of np.save, type not told", plainFile("<f1", "(1,)", "\x3c"), 0, "u8[1] {60}"},
		{"f8 of np.save", plainFile("<f1", "(1,)", "\x3c"), shape.F8E5M2, "f8e5m2[1] {1}"},
		{"bf16, big-endian", plainFile(">u2", "(1,)", "\x3f\x80"), shape.BF16, "bf16[1] {1}"},
		{"s4 in both forms", plainFile("|u1", "(4,)", "\x0f\xff\x07\xf8"), shape.S4, "s4[4] {-1, -1, 7, -8}"},
		{"u4 as int8", plainFile("|i1", "(1,)", "\x0f"), shape.U4, "u4[1] {15}"},

		{"s4 out of range", plainFile("|u1", "(2,)", "\x00\x17"), shape.S4, "error: element 1: byte 0x17 is no s4"},
		{"u2 out of range", plainFile("|u1", "(1,)", "\x04"), shape.U2, "error: element 0: byte 0x4 is no u2"},
		{"wrong width", plainFile("<u4", "(1,)", "\x00\x00\x00\x00"), shape.BF16, "not the bits of bf16"},
		{"wrong kind", plainFile("<f2", "(1,)", "\x00\x00"), shape.BF16, "not the bits of bf16"},
		{"raw data of no type's width", plainFile("|V3", "(1,)", "\x00\x00\x00"), 0,
			"error: dtype <V3: raw data of this width have no element type"},
		{"structured", npyFile("{'descr': [('a', '<f4')], 'fortran_order': False}", ""), 0,
			"error: header: descr: a structured dtype"},
		{"objects", plainFile("|O", "(1,)", ""), 0, "error: dtype |O: Python objects have no element type"},
		{"strings", plainFile("<U7", "(1,)", ""), 0, "strings have no element type"},
		{"dates", plainFile("<M8[ns]", "(1,)", ""), 0, "dates have no element type"},
		{"long double", plainFile("<f16", "(1,)", ""), 0, "floating-point numbers of this width"},
		{"no magic", "\x93NUMPX\x01\x00", 0, "error: expects a .npy file"},
		{"version 4", "\x93NUMPY\x04\x00", 0, "error: version 4.0 of .npy is not known"},
		{"cut header", plainFile("|u1", "(1,)", "")[:30], 0, "error: header: data ends after 20 of"},
		{"huge header", "\x93NUMPY\x02\x00\xff\xff\xff\xff", 0, "error: header of 4294967295 bytes, more than 1048576"},
		{"cut data", plainFile("<f4", "(2,)", "\x00\x00"), 0, "error: data ends after 2 of 8 bytes"},
		{"huge shape", plainFile("<f4", "(9000000000, 9000000000, 9)", "\x00\x00"), 0, "more than 2^63-1 elements"},
		{"large shape", plainFile("<f4", "(9000000000, 1)", "\x00\x00"), 0, "error: data ends after 2 of"},
		{"negative", plainFile("<f4", "(-1,)", ""), 0, `error: header: expects a dimension size, but sees "-1,), }`},
		{"no tuple", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': 3, }", ""), 0, "error: header: expects '('"},
		{"missing key", npyFile("{'descr': '<f4', 'shape': (3,), }", ""), 0, `error: header: key "fortran_order" is missing`},
		{"double key", npyFile("{'descr': '<f4', 'descr': '<f4'}", ""), 0, `error: header: key "descr" comes twice`},
		{"unknown key", npyFile("{'dscr': '<f4'}", ""), 0, `error: header: key "dscr" is not known`},
		{"trailing text", npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), } x", ""), 0,
			`error: header: expects nothing after the dictionary, but sees "x`},
		{"bad bool", npyFile("{'fortran_order': 0}", ""), 0, "error: header: expects True or False"},
		{"escape", npyFile(`{'des\x63r': '|u1'}`, ""), 0, "error: header: expects a plain string"},
		{"high rank", npyFile("{'shape': ("+strings.Repeat("1, ", 65)+")}", ""), 0,
			"error: header: shape has more than 64 dimensions"},
	} {
		l, err := ReadNPYAs(strings.NewReader(c.file), c.as)
		got := string(l.AppendGolden(nil))
		if err != nil {
			got = "error: " + strings.TrimPrefix(err.Error(), "npy: ")
		}
		if got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestNPYTypes sends an array of every type through a file.
func TestNPYTypes(t *testing.T) {
	for _, typ := range arrayTypes() {
		for _, dims := range [][]int{{}, {5}, {2, 0, 3}, {2, 3, 4}} {
			want := sample(typ, dims...)
			var file bytes.Buffer
			if err := WriteNPY(&file, want); err != nil {
				t.Fatal(err)
			}
			if data := file.Len() - len(want.Bytes()); data%headerAlign != 0 {
				t.Errorf("%v: data at %d", want.Shape(), data)
			}
			got, err := ReadNPYAs(&file, typ)
			if err != nil || !same(got, want) || file.Len() != 0 {
				t.Errorf("got %v, want %v (%v, %d bytes left)", got, want, err, file.Len())
			}
		}
	}
}

// TestNPYInPieces reads a large array from a reader that does not tell its size.
func TestNPYInPieces(t *testing.T) {
	want := sample(shape.S32, 1000, 333)
	var file bytes.Buffer
	if err := WriteNPY(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadNPY(struct{ *onlyReader }{&onlyReader{file.Bytes()}})
	if err != nil || !same(got, want) {
		t.Errorf("got %v, %v", got.Shape(), err)
	}
}

// onlyReader gives a few bytes at a time.
type onlyReader struct{ rest []byte }

func (r *onlyReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, fmt.Errorf("read at the end")
	}
	n := copy(p, r.rest[:min(len(r.rest), 1021)])
	r.rest = r.rest[n:]
	return n, nil
}

// TestReadMemory checks that a header alone does not take the memory that it names.
func TestReadMemory(t *testing.T) {
	tensors := `{"a":{"dtype":"F32","shape":[4000000000],"data_offsets":[0,16000000000]}}`
	for name, read := range map[string]func() error{
		"npy": func() error {
			_, err := ReadNPY(strings.NewReader(plainFile("<f4", "(4000000000,)", "ab")))
			return err
		},
		"npy header": func() error {
			_, err := ReadNPY(strings.NewReader("\x93NUMPY\x02\x00\x00\x00\x10\x00"))
			return err
		},
		"safetensors": func() error {
			_, err := ReadSafetensors(strings.NewReader(tensorFile(tensors, "ab")))
			return err
		},
		"safetensors header": func() error {
			_, err := ReadSafetensors(strings.NewReader("\x00\x00\x00\x05\x00\x00\x00\x00{"))
			return err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read()
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 1<<20 {
			t.Errorf("%s: %d bytes, error %v", name, took, err)
		}
	}
}

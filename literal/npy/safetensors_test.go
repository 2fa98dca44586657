package npy

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// tensorFile returns a file with the given header and data.
func tensorFile(header, data string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + data
}

// entry returns the header of one tensor.
func entry(key, dtype, dims, offsets string) string {
	return `"` + key + `":{"dtype":"` + dtype + `","shape":` + dims + `,"data_offsets":` + offsets + `}`
}

func TestWriteSafetensors(t *testing.T) {
	arrays := []Named{
		{"flags", literal.Of([]bool{true, false, true})},
		{"weight", literal.Of([][]float32{{1, 2}})},
		{"w4", sample(shape.S4, 2)},
		{"c", literal.Scalar(complex(1, 2))},
	}
	header := `{"flags":{"dtype":"BOOL","shape":[3],"data_offsets":[24,27]},` +
		`"weight":{"dtype":"F32","shape":[1,2],"data_offsets":[16,24]},` +
		`"w4:s4":{"dtype":"U8","shape":[2],"data_offsets":[27,29]},` +
		`"c:c128":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}`
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	want := tensorFile(header, "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\x40"+
		"\x00\x00\x80\x3f\x00\x00\x00\x40"+"\x01\x00\x01"+"\x01\x06")
	var got bytes.Buffer
	if err := WriteSafetensors(&got, arrays); err != nil || got.String() != want {
		t.Errorf("got %q (%v), want %q", got.String(), err, want)
	}
	back, err := ReadSafetensors(&got)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, "safetensors", back, arrays)
}

func TestSafetensorsTypes(t *testing.T) {
	want := everyType()
	var file bytes.Buffer
	if err := WriteSafetensors(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSafetensors(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, "safetensors", got, want)
}

// TestPack checks the order of packed elements, first in the lowest bits.
func TestPack(t *testing.T) {
	for _, c := range []struct {
		elements string
		bits     int
		packed   string
	}{
		{"\x01\x02\x0f", 4, "\x21\x0f"},
		{"\x3f\x00\x3f\x01\x3f", 6, "\x3f\xf0\x07\x3f"},
		{"", 6, ""},
	} {
		got := string(pack([]byte(c.elements), c.bits))
		back := unpack(shape.Make(shape.U8, len(c.elements)), []byte(got), c.bits)
		if got != c.packed || string(back.Bytes()) != c.elements {
			t.Errorf("%d bits: %x packs to %x, want %x, and unpacks to %x", c.bits, c.elements, got, c.packed, back.Bytes())
		}
	}
}

func TestReadSafetensors(t *testing.T) {
	u8 := func(key, offsets string) string { return entry(key, "U8", "[2]", offsets) }
	for _, c := range []struct{ name, file, want string }{
		{"order", tensorFile("{"+u8("b", "[2,4]")+`,"__metadata__":{"format":"pt"},`+u8("a", "[0,2]")+`}  `,
			"\x01\x02\x03\x04"), "b u8[2] {3, 4};a u8[2] {1, 2};"},
		{"empty", tensorFile("{}", ""), ""},
		{"no elements", tensorFile("{"+entry("b", "F32", "[0]", "[0,0]")+`,`+entry("a", "F32", "[0,2]", "[0,0]")+"}",
			""), "b f32[0] {};a f32[0,2] {};"},
		{"f4", tensorFile("{"+entry("a", "F4", "[3]", "[0,2]")+"}", "\x21\x0f"), "a f4e2m1fn[3] {0.5, 1, -6};"},
		{"f8", tensorFile("{"+entry("a", "F8_E4M3", "[]", "[0,1]")+"}", "\x7e"), "a f8e4m3fn[] 4.5e+02;"},

		{"short", "\x01\x00", "error: expects the length of the header"},
		{"long header", "\xff\xff\xff\xff\xff\xff\xff\xff", "error: header of 18446744073709551615 bytes"},
		{"cut header", tensorFile("{}", "")[:9], "error: header: data ends after 1 of 2 bytes"},
		{"no object", tensorFile("[]", ""), `error: header: expects a JSON object, but sees "[]"`},
		{"more JSON", tensorFile("{}{}", ""), "error: header: expects nothing after the JSON object"},
		{"twice", tensorFile("{"+u8("a", "[0,2]")+`,`+u8("a", "[2,4]")+"}", "1234"), `key "a" comes twice`},
		{"one name", tensorFile("{"+u8("a", "[0,2]")+`,`+u8("a:s8", "[2,4]")+"}", "1234"), `name "a" comes twice`},
		{"gap", tensorFile("{"+u8("a", "[1,3]")+"}", "123"), "begin at 1, but the data before end at 0"},
		{"overlap", tensorFile("{"+u8("a", "[0,2]")+`,`+u8("b", "[1,3]")+"}", "123"),
			"begin at 1, but the data before end at 2"},
		{"more data", tensorFile("{"+u8("a", "[0,2]")+"}", "123"), "data goes on after the last tensor"},
		{"less data", tensorFile("{"+u8("a", "[0,2]")+"}", "1"), `tensor "a": data ends after 1 of 2 bytes`},
		{"wrong size", tensorFile("{"+u8("a", "[0,3]")+"}", "123"), "hold 3 bytes, but u8[2]{0} has 2"},
		{"reversed", tensorFile("{"+u8("a", "[2,0]")+"}", "12"), "[2 0] are not a begin and an end"},
		{"one offset", tensorFile("{"+u8("a", "[2]")+"}", "12"), "[2] are not a begin and an end"},
		{"no shape", tensorFile(`{"a":{"dtype":"U8","data_offsets":[0,1]}}`, "1"), "shape is missing"},
		{"dtype", tensorFile("{"+entry("a", "Q8", "[]", "[0,1]")+"}", "1"), `dtype "Q8" is not known`},
		{"negative", tensorFile("{"+entry("a", "U8", "[-1]", "[0,1]")+"}", "1"), "dimension"},
		{"huge", tensorFile("{"+entry("a", "U8", "[4294967296,4294967296,4]", "[0,0]")+"}", ""), "more than 2^63-1 elements"},
		{"type", tensorFile("{"+u8("a:bf16", "[0,2]")+"}", "12"), "elements of u8[2]{0} are not the bits of bf16"},
		{"s4", tensorFile("{"+u8("a:s4", "[0,2]")+"}", "12"), "byte 0x31 is no s4"},
	} {
		arrays, err := ReadSafetensors(strings.NewReader(c.file))
		got := ""
		for _, a := range arrays {
			got += a.Name + " " + string(a.Value.AppendGolden(nil)) + ";"
		}
		if err != nil {
			got = "error: " + strings.TrimPrefix(err.Error(), "safetensors: ")
		}
		if got != c.want && (err == nil || c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWriteSafetensorsErrors(t *testing.T) {
	one := sample(shape.F32)
	for _, arrays := range [][]Named{
		{{"a", one}, {"a", one}}, {{"__metadata__", one}}, {{"a", literal.MakeTuple(one)}}, {{"\xff", one}},
	} {
		if err := WriteSafetensors(new(bytes.Buffer), arrays); err == nil {
			t.Errorf("%q is written", arrays[0].Name)
		}
	}
}

package npy

import (
	"bytes"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func FuzzReadNPY(f *testing.F) {
	f.Add([]byte(npyFile("{'descr': '>i2', 'fortran_order': True, 'shape': (1, 2), }", "\x01\x02\xff\xfe")), uint8(0))
	f.Add([]byte(npyFile("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f")), uint8(shape.BF16))
	f.Add([]byte(npyFile(`{"shape":(2L,1L),"descr":"|u1","fortran_order":False}`, "\x01\x0f")), uint8(shape.S4))
	f.Fuzz(func(t *testing.T, file []byte, as uint8) {
		typ := shape.ElementType(as)
		if !typ.IsArray() {
			typ = shape.Invalid
		}
		l, err := ReadNPYAs(bytes.NewReader(file), typ)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteNPY(&again, l); err != nil {
			t.Fatal(err)
		}
		if back, err := ReadNPYAs(&again, l.Type()); err != nil || !same(back, l) {
			t.Fatalf("%v becomes %v (%v)", l, back, err)
		}
	})
}

func FuzzReadNPZ(f *testing.F) {
	one := npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\x01\x02")
	f.Add(zipFile(f, "0.npy", one, "1:s4.npy", one, "note", "hello"))
	for _, compress := range []bool{false, true} {
		var file bytes.Buffer
		arrays := []Named{{"0", literal.Of([]float32{1, 2})}, {"a@1", sample(shape.BF16, 3)}}
		if err := WriteNPZ(&file, arrays, NPZOptions{Compress: compress}); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		arrays, err := ReadNPZ(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteNPZ(&again, arrays, NPZOptions{}); err != nil {
			t.Fatal(err)
		}
		back, err := ReadNPZ(bytes.NewReader(again.Bytes()), int64(again.Len()))
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, "npz", back, arrays)
	})
}

func FuzzReadSafetensors(f *testing.F) {
	u8 := "{" + entry("b", "U8", "[2]", "[2,4]") + "," + entry("a:s4", "U8", "[2]", "[0,2]") + "}"
	f.Add([]byte(tensorFile(u8, "\x01\x02\x03\x04")))
	f.Add([]byte(tensorFile("{"+entry("a:c128", "F64", "[0,2]", "[0,0]")+"}", "")))
	var file bytes.Buffer
	if err := WriteSafetensors(&file, everyType()); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		arrays, err := ReadSafetensors(bytes.NewReader(file))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteSafetensors(&again, arrays); err != nil {
			t.Fatal(err)
		}
		back, err := ReadSafetensors(&again)
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, "safetensors", back, arrays)
	})
}

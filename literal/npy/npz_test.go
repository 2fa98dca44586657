package npy

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// everyType returns an array of each type, with names that need care.
func everyType() (arrays []Named) {
	for i, t := range arrayTypes() {
		name := []string{"", "a:bf16", "dir/b@3"}[i%3] + t.String()
		arrays = append(arrays, Named{name, sample(t, i%4, 3)}, Named{t.String() + "@1", sample(t)})
	}
	return append(arrays, Named{"z:f16", sample(shape.F32, 2)})
}

func TestNPZTypes(t *testing.T) {
	want := everyType()
	for _, compress := range []bool{false, true} {
		var file, again bytes.Buffer
		if err := WriteNPZ(&file, want, NPZOptions{Compress: compress}); err != nil {
			t.Fatal(err)
		}
		got, err := ReadNPZ(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		checkSame(t, "npz", got, want)
		err = WriteNPZ(&again, got, NPZOptions{Compress: compress})
		if err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
			t.Errorf("written again the file differs (%v)", err)
		}
	}
}

// zipFile returns an archive of the given entries.
func zipFile(t testing.TB, entries ...string) []byte {
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: entries[i]})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(entries[i+1]))
	}
	z.Close()
	return file.Bytes()
}

func TestNPZErrors(t *testing.T) {
	one := npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\x01\x02")
	broken := zipFile(t, "a.npy", one)
	broken[bytes.Index(broken, []byte("\n\x01\x02"))+1] ^= 1
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"good", zipFile(t, "a.npy", one, "note.txt", "hello"), ""},
		{"twice", zipFile(t, "a.npy", one, "a:u8.npy", one), `array "a" comes twice`},
		{"more data", zipFile(t, "a.npy", one+"x"), "a.npy: data goes on after the array"},
		{"less data", zipFile(t, "a.npy", one[:len(one)-1]), "a.npy: data ends after 1 of 2 bytes"},
		{"wrong type", zipFile(t, "a:bf16.npy", one), "a:bf16.npy: dtype |u1: its elements are not the bits of bf16"},
		{"checksum", broken, "a.npy: zip: checksum error"},
		{"no zip", []byte("hello"), "zip: not a valid zip file"},
	} {
		arrays, err := ReadNPZ(bytes.NewReader(c.file), int64(len(c.file)))
		switch {
		case c.want == "" && (err != nil || len(arrays) != 1):
			t.Errorf("%s: got %d arrays, %v", c.name, len(arrays), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got error %v, want %s", c.name, err, c.want)
		}
	}
	two := []Named{{"a", sample(shape.U8)}, {"a", sample(shape.U8)}}
	if err := WriteNPZ(new(bytes.Buffer), two, NPZOptions{}); err == nil {
		t.Error("two arrays of one name are written")
	}
	if err := WriteNPZ(new(bytes.Buffer), []Named{{"a", literal.MakeTuple()}}, NPZOptions{}); err == nil {
		t.Error("a tuple is written")
	}
}

// TestNPZOverlap reads an archive whose directory names one entry many times.
func TestNPZOverlap(t *testing.T) {
	one := npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (5000,), }", strings.Repeat("x", 5000))
	file := zipFile(t, "0.npy", one)
	at := bytes.Index(file, []byte("PK\x01\x02"))
	end := bytes.Index(file, []byte("PK\x05\x06"))
	entry, trailer := file[at:end], bytes.Clone(file[end:])
	bomb := bytes.Clone(file[:at])
	for i := range 9 {
		copied := bytes.Clone(entry)
		copied[46] = byte('0' + i)
		bomb = append(bomb, copied...)
	}
	trailer[8], trailer[10] = 9, 9
	size := 9 * len(entry)
	trailer[12], trailer[13] = byte(size), byte(size>>8)
	bomb = append(bomb, trailer...)
	_, err := ReadNPZ(bytes.NewReader(bomb), int64(len(bomb)))
	if err == nil || !strings.Contains(err.Error(), "entries take more than") {
		t.Errorf("got error %v", err)
	}
}

// TestNPZExamples reads the arrays of the example models and writes them again.
func TestNPZExamples(t *testing.T) {
	root := sharedtest.Dir(t)
	var files []string
	err := filepath.WalkDir(filepath.Join(root, "examples"), func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".npz" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	total := 0
	for _, path := range files {
		want, err := OpenNPZ(path)
		if err != nil {
			t.Error(err)
			continue
		}
		total += len(want)
		copied := filepath.Join(t.TempDir(), "copy.npz")
		if err := Save(copied, want); err != nil {
			t.Error(err)
			continue
		}
		got, err := Open(copied)
		if err != nil {
			t.Error(err)
			continue
		}
		checkSame(t, path, got, want)
	}
	t.Logf("%d files, %d arrays", len(files), total)
	digits, err := OpenNPZ(filepath.Join(root, "examples/digits/digits_test.npz"))
	if err != nil {
		t.Fatal(err)
	}
	shapes := ""
	for _, a := range digits {
		shapes += a.Name + " " + a.Value.Shape().StringNoLayout() + ";"
	}
	if want := "x f32[360,8,8,1];y s32[360];logits f32[360,10];"; shapes != want {
		t.Errorf("got %s, want %s", shapes, want)
	}
}

func BenchmarkReadNPZ(b *testing.B) {
	var file bytes.Buffer
	if err := WriteNPZ(&file, []Named{{"0", sample(shape.F32, 4096, 1024)}}, NPZOptions{}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if _, err := ReadNPZ(bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteNPZ(b *testing.B) {
	arrays := []Named{{"0", sample(shape.F32, 4096, 1024)}}
	b.SetBytes(int64(len(arrays[0].Value.Bytes())))
	for b.Loop() {
		if err := WriteNPZ(io.Discard, arrays, NPZOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

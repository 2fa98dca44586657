package npy

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// Named is an array of a file with its name.
type Named struct {
	Name  string
	Value literal.Literal
}

// Map returns the arrays by name; of two with one name the later one counts.
func Map(arrays []Named) map[string]literal.Literal {
	m := make(map[string]literal.Literal, len(arrays))
	for _, a := range arrays {
		m[a.Name] = a.Value
	}
	return m
}

const extension = ".npy"

// ReadNPZ reads all arrays of a .npz archive of the given size, in the order of the
// archive. The name of an array is its key without the type suffix; see ParseKey for
// the rest of it. Entries that are not .npy files are left out. Two entries of one
// name are an error.
func ReadNPZ(r io.ReaderAt, size int64) ([]Named, error) {
	arrays, err := readNPZ(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: %w", err)
	}
	return arrays, nil
}

// OpenNPZ reads all arrays of the .npz file at path as ReadNPZ does.
func OpenNPZ(path string) ([]Named, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openNPZ(f)
}

func openNPZ(f *os.File) ([]Named, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	arrays, err := ReadNPZ(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return arrays, nil
}

func readNPZ(r io.ReaderAt, size int64) ([]Named, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are keys here, not paths
		return nil, err
	}
	if err := checkOverlap(z, size); err != nil {
		return nil, err
	}
	var arrays []Named
	names := map[string]bool{}
	for _, f := range z.File {
		key, ok := strings.CutSuffix(f.Name, extension)
		if !ok {
			continue
		}
		name, t := splitType(key)
		if names[name] {
			return nil, fmt.Errorf("%s: array %q comes twice", f.Name, name)
		}
		names[name] = true
		l, err := readEntry(f, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		arrays = append(arrays, Named{name, l})
	}
	return arrays, nil
}

// checkOverlap refuses an archive whose entries share their data: it could hold much
// more than its size.
func checkOverlap(z *zip.Reader, size int64) error {
	left := uint64(size)
	for _, f := range z.File {
		if f.CompressedSize64 > left {
			return fmt.Errorf("entries take more than the %d bytes of the archive", size)
		}
		left -= f.CompressedSize64
	}
	return nil
}

func readEntry(f *zip.File, t shape.ElementType) (literal.Literal, error) {
	r, err := f.Open()
	if err != nil {
		return literal.Literal{}, err
	}
	defer r.Close()
	src := &source{r: r}
	if f.Method == zip.Store {
		src.known = int64(f.CompressedSize64)
	}
	l, err := readNPY(src, t)
	if err != nil {
		return literal.Literal{}, err
	}
	// The checksum is compared at the end of the entry.
	n, err := io.CopyN(io.Discard, r, 1)
	if n > 0 {
		return literal.Literal{}, errors.New("data goes on after the array")
	}
	if err != io.EOF {
		return literal.Literal{}, err
	}
	return l, nil
}

// NPZOptions says how WriteNPZ writes; the zero value stores arrays as they are.
type NPZOptions struct {
	Compress bool // deflate
}

// WriteNPZ writes arrays as a .npz archive, in their order, under their names with the
// type suffix where NumPy lacks the type. The same arrays give the same bytes. Names
// must differ, also from each other's names with suffix.
func WriteNPZ(w io.Writer, arrays []Named, o NPZOptions) error {
	z := zip.NewWriter(w)
	names := map[string]bool{}
	for _, a := range arrays {
		if names[a.Name] {
			return fmt.Errorf("npz: array %q comes twice", a.Name)
		}
		names[a.Name] = true
		if err := writeEntry(z, a, o); err != nil {
			return fmt.Errorf("npz: array %q: %w", a.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	return nil
}

func writeEntry(z *zip.Writer, a Named, o NPZOptions) error {
	if err := checkArray(a.Value); err != nil {
		return err
	}
	h := zip.FileHeader{
		Name:     TypedKey(a.Name, a.Value.Type()) + extension,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	if o.Compress {
		h.Method = zip.Deflate
	}
	w, err := z.CreateHeader(&h)
	if err != nil {
		return err
	}
	return WriteNPY(w, a.Value)
}

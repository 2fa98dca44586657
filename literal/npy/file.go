package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Open reads the arrays of the file at path, in any of the formats; its first bytes
// tell which. The one array of a .npy file has the name 0.
func Open(path string) ([]Named, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, len(magic))
	n, err := io.ReadFull(f, start)
	if err != nil && n == 0 && err != io.EOF {
		return nil, err // such as that of a folder
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: expects .npy, .npz or safetensors, but the file is empty", path)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(start, []byte("PK")):
		return openNPZ(f)
	case string(start) == magic:
		return openNPY(f)
	case filepath.Ext(path) == ".safetensors" || looksSafetensors(start):
		return openSafetensors(f)
	}
	return nil, fmt.Errorf("%s: expects arrays as .npy, .npz or .safetensors, got something else", path)
}

// looksSafetensors tells whether a file may begin with the length of a safetensors header.
func looksSafetensors(start []byte) bool {
	var length [8]byte
	copy(length[:], start)
	return binary.LittleEndian.Uint64(length[:]) <= MaxSafetensorsHeader
}

func openNPY(f *os.File) ([]Named, error) {
	l, err := ReadNPY(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return []Named{{Name: "0", Value: l}}, nil
}

// CheckExtension returns an error if Save has no format for the extension of path.
func CheckExtension(path string) error {
	switch filepath.Ext(path) {
	case extension, ".npz", ".safetensors":
		return nil
	}
	return fmt.Errorf("%s: expects the extension .npy, .npz or .safetensors", path)
}

// CheckCount reports an error if a file at path could not hold n arrays: a .npy file holds one.
func CheckCount(path string, n int) error {
	if filepath.Ext(path) == extension && n != 1 {
		return fmt.Errorf("%s: a .npy file holds one array, but got %d", path, n)
	}
	return nil
}

// Save writes arrays to a new file at path, in the format that the extension names:
// .npz, .safetensors, or .npy, which takes one array and not its name.
func Save(path string, arrays []Named) (err error) {
	if err := CheckExtension(path); err != nil {
		return err
	}
	if err := CheckCount(path, len(arrays)); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	switch filepath.Ext(path) {
	case extension:
		return WriteNPY(f, arrays[0].Value)
	case ".npz":
		return WriteNPZ(f, arrays, NPZOptions{})
	}
	return WriteSafetensors(f, arrays)
}

//go:build darwin || linux

package cabi_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/ffi/cabi"
)

// build compiles testdata/functions.c to a shared library.
func build(t *testing.T) string {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	path := filepath.Join(t.TempDir(), "functions.so")
	out, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", path, "testdata/functions.c").CombinedOutput()
	if err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return path
}

func TestCalls(t *testing.T) {
	library, err := cabi.Open(build(t), "myfunc", "tuples", "checked", "length")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := library.Close(); err != nil {
			t.Error(err)
		}
	}()
	client, err := xla.NewClient(xla.Options{Handlers: library})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, body, want string }{
		{"the document's example", `
  x = f32[2] constant({1, 2})
  y = f32[2,3] constant({{10, 20, 30}, {40, 50, 60}})
  ROOT r = f32[3,3] custom-call(x, y), custom_call_target="myfunc"`,
			"[f32[3,3] {{42, 0, 0}, {0, 0, 0}, {0, 0, 0}}]"},
		{"tuples", `
  a = s32[2] constant({3, 4})
  b = f32[] constant(1.5)
  p = (s32[2], f32[]) tuple(a, b)
  c = s32[] constant(9)
  ROOT r = (s32[], (f32[], s32[2])) custom-call(p, c), custom_call_target="tuples"`,
			"[s32[] 7 (f32[] 3, s32[2] {9, -9})]"},
		{"status", `
  a = s32[] constant(5)
  ROOT r = s32[] custom-call(a), custom_call_target="checked", api_version=API_VERSION_STATUS_RETURNING`, "[s32[] 5]"},
		{"failure", `
  a = s32[] constant(-5)
  ROOT r = s32[] custom-call(a), custom_call_target="checked", api_version=API_VERSION_STATUS_RETURNING`,
			`target "checked": the function reported a failure`},
		{"configuration", `
  ROOT r = s32[] custom-call(), custom_call_target="length", api_version=API_VERSION_STATUS_RETURNING_UNIFIED,
    backend_config="abc"`, "[s32[] 100]"},
		{"no configuration", `
  ROOT r = s32[] custom-call(), custom_call_target="length", api_version=API_VERSION_STATUS_RETURNING_UNIFIED`,
			"[s32[] 0]"},
		{"typed", `
  ROOT r = s32[] custom-call(), custom_call_target="length", api_version=API_VERSION_TYPED_FFI`,
			"expects a version with a plain C signature, got API_VERSION_TYPED_FFI"},
		{"not named", `
  ROOT r = s32[] custom-call(), custom_call_target="abort"`, `expects a handler for "abort", got none`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var wg sync.WaitGroup
			for range 4 { // at the same time
				wg.Go(func() {
					if got := run(t, client, "HloModule m\n\nENTRY e {"+test.body+"\n}\n"); !strings.Contains(got, test.want) {
						t.Errorf("got %s, want %s", got, test.want)
					}
				})
			}
			wg.Wait()
		})
	}
}

// run runs a program without parameters and returns its results or its error as text.
func run(t *testing.T, client *xla.Client, text string) string {
	prog, err := xla.Parse("m.hlo", []byte(text))
	if err != nil {
		return err.Error()
	}
	exe, err := client.Compile(t.Context(), prog)
	if err != nil {
		return err.Error()
	}
	out, err := exe.Run(t.Context())
	if err != nil {
		return err.Error()
	}
	var list []string
	for _, l := range out {
		list = append(list, string(l.AppendGolden(nil)))
	}
	return fmt.Sprint(list)
}

func TestOpenErrors(t *testing.T) {
	_, err := cabi.Open(filepath.Join(t.TempDir(), "none.so"))
	if err == nil || !strings.Contains(err.Error(), "none.so") {
		t.Errorf("a missing file: got %v", err)
	}
	_, err = cabi.Open(build(t), "myfunc", "nofunc")
	if err == nil || !strings.Contains(err.Error(), `expects a function "nofunc"`) {
		t.Errorf("a missing function: got %v", err)
	}
}

var _ ffi.Registry = (*cabi.Library)(nil)

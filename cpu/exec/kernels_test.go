package exec

import (
	"encoding/hex"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// kernelArgs is the argument block of the kernels in testdata/kernels that have registers to fill.
type kernelArgs struct {
	n     uint64
	in    *float32
	out   *float32
	masks *uint64 // the tile configuration of tiles.s
	gprs  *uint64
}

const kernelFile = "testdata/kernels.txt"

// kernel returns mapped code of testdata/kernels/NAME.s for the rest of the test, and skips a test for
// which this machine lacks the tier.
func kernel(t testing.TB, name string, tier Tier) *Code {
	t.Helper()
	if have, err := HostTier(""); err != nil || have < tier || !canExec {
		t.Skipf("this machine has no %v (%v, %v)", tier, have, err)
	}
	code, ok := kernelBytes(t)[name]
	if !ok {
		t.Fatalf("%s has no kernel %q", kernelFile, name)
	}
	c, err := NewCode(code)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// kernelBytes reads the file of assembled kernels: lines "name hex...", one name on several lines.
func kernelBytes(t testing.TB) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(kernelFile)
	if err != nil {
		t.Fatal(err)
	}
	kernels := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		name, digits, _ := strings.Cut(strings.TrimSpace(line), " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		kernels[name] = append(kernels[name], code...)
	}
	return kernels
}

// TestKernelBytes: the bytes are what the GNU assembler makes of the sources. XLA_UPDATE=1 rewrites them.
func TestKernelBytes(t *testing.T) {
	want := map[string][]byte{}
	sources, err := filepath.Glob("testdata/kernels/*.s")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, file := range sources {
		want[strings.TrimSuffix(filepath.Base(file), ".s")] = assemble(t, file)
	}
	if os.Getenv("XLA_UPDATE") != "" {
		writeKernels(t, want)
	}
	if got := kernelBytes(t); !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s is not what the assembler makes of the sources: run with XLA_UPDATE=1", kernelFile)
	}
}

func assemble(t *testing.T, file string) []byte {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs the GNU assembler for amd64")
	}
	object, raw := filepath.Join(t.TempDir(), "o"), filepath.Join(t.TempDir(), "bin")
	for _, cmd := range [][]string{
		{"as", "--64", "-msyntax=intel", "-mnaked-reg", "-o", object, file},
		{"objcopy", "-O", "binary", "-j", ".text", object, raw},
	} {
		if _, err := exec.LookPath(cmd[0]); err != nil {
			t.Skip(err)
		}
		if out, err := exec.Command(cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%v: %v\n%s", cmd, err, out)
		}
	}
	code, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func writeKernels(t *testing.T, kernels map[string][]byte) {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		for part := range slices.Chunk(kernels[name], 48) {
			text.WriteString(name + " " + hex.EncodeToString(part) + "\n")
		}
	}
	if err := os.WriteFile(kernelFile, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func call(c *Code, args unsafe.Pointer) { Call(c.Entry(0), args) }

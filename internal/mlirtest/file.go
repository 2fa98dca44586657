package mlirtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/bytecode"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// MaxFileSize is the largest test file, in bytes.
const MaxFileSize = 256 << 20

// Result is what became of one module of a file.
type Result struct {
	Name string // the line it begins at, "" if the file is one module
	Err  error
}

// IsTest reports whether a file with this name is one for RunFile.
func IsTest(name string) bool {
	switch filepath.Ext(name) {
	case ".mlir":
		return !strings.HasSuffix(name, ".read.mlir") // what a file of bytecode must hold
	case ".mlirbc", ".bc":
		return true
	}
	return false
}

// RunFile tests the modules in a file of MLIR text, divided by lines "// -----", or of
// bytecode. One that begins with "// error:", or all in a file called invalid_*, must be
// refused. Any other must hold for the verifier, and the types that follow from operands
// must be those that its comments say. Functions without parameters that hold checks run,
// also those of bytecode, which must besides equal the text NAME.read.mlir beside it. Any
// other module is read, printed and read again, and must be the same; and so is one of a
// file that says RUN-DISABLED, whose values StableHLO's own interpreter does not reach
// either, if a check in it fails.
func RunFile(ctx context.Context, client *xla.Client, path string) ([]Result, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxFileSize {
		return nil, fmt.Errorf("%s: expects at most %d bytes, got %d", path, MaxFileSize, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	refuse := strings.HasPrefix(filepath.Base(path), "invalid_")
	if bytecode.IsBytecode(data) || filepath.Ext(path) != ".mlir" {
		return []Result{{Err: judge(refuse, runBytecode(ctx, client, path, data))}}, nil
	}
	var results []Result
	parts := mlirtext.Split(string(data))
	for _, part := range parts {
		if len(parts) > 1 && strings.TrimSpace(part.Text) == "" {
			continue
		}
		r := Result{}
		if len(parts) > 1 {
			r.Name = fmt.Sprintf("line %d", part.Line+1)
		}
		bad := refuse || strings.HasPrefix(strings.TrimSpace(part.Text), "// error:")
		r.Err = judge(bad, runText(ctx, client, path, part, bad))
		results = append(results, r)
	}
	return results, nil
}

// judge turns the outcome around for a module that must be refused.
func judge(refuse bool, err error) error {
	switch {
	case !refuse:
		return err
	case err == nil:
		return errors.New("expected an error, got none")
	}
	return nil
}

func runText(ctx context.Context, client *xla.Client, path string, part mlirtext.Part, bad bool) error {
	m, err := mlirtext.ParsePart(path, part)
	if err != nil {
		return err
	}
	if err := verify.Module(m); err != nil {
		return err
	}
	if bad {
		return lowerAll(ctx, m)
	}
	if err := inferred(m, part); err != nil {
		return err
	}
	if err := Run(ctx, client, m); !errors.Is(err, ErrNothing) && !excused(err, part.Text) {
		return err
	}
	return roundTrip(path, m)
}

// excused reports whether err is that of a check that StableHLO does not make itself: the file, of
// which text is the beginning, says that the run is disabled.
func excused(err error, text string) bool {
	handler, failed := errors.AsType[*ffi.HandlerError](err)
	return failed && strings.HasPrefix(handler.Target, "check.") && strings.HasPrefix(text, "// RUN-DISABLED")
}

// roundTrip prints a module and reads it again.
func roundTrip(path string, m *stablehlo.Module) error {
	again, err := mlirtext.Parse(path+" (printed)", mlirtext.Print(m, mlirtext.Options{Locations: true}))
	if err != nil {
		return err
	}
	return same(path, again, m, true)
}

// same compares modules.
func same(path string, got, want *stablehlo.Module, locations bool) error {
	if d := stablehlo.Diff(got, want, locations); d != "" {
		return fmt.Errorf("%s: expected another module: %s", path, d)
	}
	return nil
}

// lowerAll lowers every function whose sizes are all known: what the specification forbids
// is found there.
func lowerAll(ctx context.Context, m *stablehlo.Module) error {
	r := &runner{module: m, eval: interp.New(ctx, interp.Options{}).Instruction}
	for f := range m.Funcs() {
		sig, err := lower.Signature(m, lower.Options{Function: f.SymbolName()})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(sig.Params, shape.Shape.HasUnbounded) {
			continue
		}
		if _, err := lower.Module(m, r.options(ctx, f.SymbolName())); err != nil {
			return err
		}
	}
	return nil
}

// runBytecode reads an artifact, runs its checks, and compares it with the text that stands beside it.
func runBytecode(ctx context.Context, client *xla.Client, path string, data []byte) error {
	artifact, err := vhlo.Read(data)
	if err != nil {
		return err
	}
	m := artifact.Module
	m.File = path
	if err := verify.Module(m); err != nil {
		return err
	}
	ran := Run(ctx, client, m)
	if ran != nil && !errors.Is(ran, ErrNothing) && !excused(ran, source(path)) {
		return ran
	}
	base, _, _ := strings.Cut(strings.TrimSuffix(path, ".mlirbc"), ".mlir.bc")
	text, err := os.ReadFile(base + ".read.mlir")
	if errors.Is(err, os.ErrNotExist) {
		return roundTrip(path, m)
	}
	if err != nil {
		return err
	}
	want, err := mlirtext.Parse(filepath.Base(base)+".read.mlir", string(text))
	if err != nil {
		return err
	}
	return same(path, m, want, false)
}

// source returns the text that the artifact NAME.VERSION.mlirbc was made from, NAME.mlir; "" if it is not there.
func source(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	text, err := os.ReadFile(filepath.Join(filepath.Dir(path), name+".mlir"))
	if err != nil {
		return ""
	}
	return string(text)
}

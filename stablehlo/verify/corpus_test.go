package verify_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// TestRefused: the programs of the corpus that break a constraint have a fault at the
// operations that their comments name, and no other. A comment may name a line inside
// an operation.
func TestRefused(t *testing.T) {
	for _, path := range files(t, "verify_error") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, want := map[int]string{}, annotated(string(data))
			m, err := mlirtext.Parse("", string(data))
			parsed := err == nil
			if parsed {
				err = verify.Module(m)
				want = operations(m, want)
			}
			collect(err, got)
			if len(got) == 0 {
				t.Fatalf("expected faults in lines %v, got none", slices.Sorted(maps.Keys(want)))
			}
			for line, text := range got {
				if !want[line] {
					t.Errorf("expected faults in lines %v, got %q in line %d", slices.Sorted(maps.Keys(want)), text, line)
				}
			}
			for line := range want {
				if parsed && got[line] == "" {
					t.Errorf("expected a fault in line %d, got %v", line, got)
				}
			}
		})
	}
}

// operations returns the lines in which the operations begin that stand in lines.
func operations(m *stablehlo.Module, lines map[int]bool) map[int]bool {
	begin := map[int]bool{}
	for line := range lines {
		last := 0
		for o := range m.Op.Walk() {
			if o.Pos.Line <= line {
				last = max(last, o.Pos.Line)
			}
		}
		begin[last] = true
	}
	return begin
}

// collect puts the faults in err under their lines.
func collect(err error, faults map[int]string) {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range list.Unwrap() {
			collect(e, faults)
		}
		return
	}
	var e *stablehlo.Error
	if errors.As(err, &e) {
		faults[e.Pos.Line] = e.Error()
	}
}

var annotation = regexp.MustCompile(`expected-error(?:-re)?\s*(?:@([+-]\d+|below|above))?\s*\{\{`)

// annotated returns the lines that comments say are at fault.
func annotated(text string) map[int]bool {
	lines := map[int]bool{}
	for i, line := range strings.Split(text, "\n") {
		for _, m := range annotation.FindAllStringSubmatch(line, -1) {
			d, _ := strconv.Atoi(strings.NewReplacer("below", "1", "above", "-1").Replace(m[1]))
			lines[i+1+d] = true
		}
	}
	return lines
}

// TestAccepted: all other programs of the corpus hold.
func TestAccepted(t *testing.T) {
	for _, folder := range []string{"verify_ok", "infer_ok", "interpret", "portable", "testdata", "testdata/dynamic"} {
		for _, path := range files(t, folder) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range mlirtext.Split(string(data)) {
				m, err := mlirtext.ParsePart(path, part)
				if err == nil {
					err = verify.Module(m)
				}
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus", "stablehlo", folder, "*.mlir"))
	if err != nil || len(all) == 0 {
		t.Fatalf("expected programs in %s, got %v", folder, err)
	}
	return all
}

package simplify_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/golden"
	"github.com/goxla/xla/internal/sharedtest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/pass/simplify"
)

// TestGoldenModules runs the modules of the golden cases with and without the rules.
func TestGoldenModules(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of modules")
	}
	dir := filepath.Join(sharedtest.Dir(t), "conformance")
	changed, counts := 0, map[string]int{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txtar") {
			return err
		}
		cases, err := golden.ReadAll(path)
		if err != nil {
			return nil
		}
		for _, c := range cases {
			fired := runGolden(t, c)
			if len(fired) > 0 {
				changed++
			}
			for _, f := range fired {
				counts[f]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d modules changed, by %d rules", changed, len(counts))
}

// runGolden returns the rules that fire on a case of one device.
func runGolden(t *testing.T, c *golden.Case) []string {
	if c.MustFail || c.Module == "" || len(c.Devices) != 1 {
		return nil
	}
	a, err := hlotext.Parse(c.Module, hlotext.ParseOptions{})
	if err != nil || hlo.Verify(a, hlo.VerifyOptions{}) != nil {
		return nil
	}
	b := a.Clone()
	fired := apply(t, b, simplify.Options{}, allRules())
	if len(fired) == 0 {
		return nil
	}
	var args []literal.Literal
	for _, text := range c.Devices[0].Inputs {
		l, err := literal.ParseGolden(text)
		if err != nil {
			return fired
		}
		args = append(args, l)
	}
	want, err := interp.Run(context.Background(), a, args, interp.Options{})
	if err != nil {
		return fired
	}
	got, err := interp.Run(context.Background(), b, args, interp.Options{})
	if err == nil {
		err = sameBits(got, want)
	}
	if err != nil {
		t.Errorf("%v: after %v: %v\n%s\nbecame\n%s", c, fired, err, entryText(a), entryText(b))
	}
	return fired
}

package hlotest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// checkRandomModule makes the module of a seed and checks all that holds for every
// module: it verifies, text and back is the same program in the forms that lose nothing,
// and it evaluates, both as made and as read, to the same bits.
func checkRandomModule(ctx context.Context, seed uint64) error {
	m, args := hlotest.FromSeed(seed)
	if err := hlo.Verify(m, hlo.VerifyOptions{}); err != nil {
		return fmt.Errorf("made: %w", err)
	}
	read, err := roundTrip(m)
	if err != nil {
		return err
	}
	given := literal.MakeTuple(args...).Clone()
	want, err := interp.Run(ctx, m, args, interp.Options{Seed: seed, Host: hlotest.Host(m)})
	if err != nil {
		return fmt.Errorf("evaluated: %w", err)
	}
	if now := literal.MakeTuple(args...); !literal.Equal(now, given) {
		return fmt.Errorf("evaluated: changed its arguments: %w", literal.Compare(now, given, literal.Tolerance{}))
	}
	if err := checkTraced(ctx, seed, read, args, want); err != nil {
		return fmt.Errorf("read and evaluated: %w", err)
	}
	if result := m.EntrySignature().Result; !want.Shape().EqualIgnoringLayout(result) {
		return fmt.Errorf("evaluated: expects shape %v, got %v", result, want.Shape())
	}
	return nil
}

// checkTraced evaluates m, compares, and checks that no value that was traced changed later.
func checkTraced(ctx context.Context, seed uint64, m *hlo.Module, args []literal.Literal, want literal.Literal) error {
	var values, copies []literal.Literal
	got, err := interp.Run(ctx, m, args, interp.Options{Seed: seed, Host: hlotest.Host(m),
		Trace: func(_ *hlo.Instruction, v literal.Literal) {
			values, copies = append(values, v), append(copies, v.Clone())
		}})
	if err != nil {
		return err
	}
	if !literal.Equal(got, want) {
		return literal.Compare(got, want, literal.Tolerance{})
	}
	for i, v := range values {
		if !literal.Equal(v, copies[i]) {
			return fmt.Errorf("value %d changed: %w", i, literal.Compare(v, copies[i], literal.Tolerance{}))
		}
	}
	return nil
}

// roundTrip prints and parses m, and returns what was read of the full form.
func roundTrip(m *hlo.Module) (*hlo.Module, error) {
	var full *hlo.Module
	for _, options := range []hlotext.Options{hlotext.Long(), hlotext.ShortParsable(), hlotext.Full()} {
		options.PlainAsync = true // sugar has no room for the names inside
		text := hlotext.String(m, options)
		read, err := hlotext.Parse(text, hlotext.ParseOptions{File: "random.hlo"})
		if err != nil {
			return nil, fmt.Errorf("parsed: %w\n%s", err, text)
		}
		if diff := hlo.Diff(m, read); diff != "" {
			return nil, fmt.Errorf("parsed: %s\n%s", diff, text)
		}
		if err := hlo.Verify(read, hlo.VerifyOptions{}); err != nil {
			return nil, fmt.Errorf("parsed: %w", err)
		}
		if again := hlotext.String(read, options); !slices.Equal(sortedLines(again), sortedLines(text)) {
			return nil, fmt.Errorf("printed\n%s\nread, and printed again\n%s", text, again)
		}
		full = read
	}
	return full, nil
}

// sortedLines leaves the order of the computations out, which depends on that of their making.
func sortedLines(text string) []string { return slices.Sorted(strings.Lines(text)) }

// seeds is how many random modules TestRandomModules makes; XLA_SEEDS gives another number.
func seeds(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("XLA_SEEDS"))
	switch {
	case err == nil:
		return n
	case testing.Short():
		return 50
	}
	return 500
}

func TestRandomModules(t *testing.T) {
	for seed := range seeds(t) {
		checkSeed(t, uint64(seed))
		if t.Failed() {
			return
		}
	}
}

// checkSeed reports what is wrong with the module of a seed, and the module.
func checkSeed(t *testing.T, seed uint64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := checkRandomModule(ctx, seed); err != nil {
		m, _ := hlotest.FromSeed(seed)
		t.Errorf("seed %d: %v\n%s", seed, err, hlotext.String(m, hlotext.Full()))
	}
}

func FuzzRandomModule(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(checkSeed)
}

// TestGenerateIsDeterministic: one state of the random numbers gives one module.
func TestGenerateIsDeterministic(t *testing.T) {
	text := func(seed uint64) string {
		m := hlotest.Generate(rand.New(rand.NewPCG(seed, 0)), hlotest.GenerateOptions{})
		return hlotext.String(m, hlotext.Full())
	}
	if a, b := text(1), text(1); a != b {
		t.Errorf("made\n%s\nand then\n%s", a, b)
	}
	if text(1) == text(2) {
		t.Error("two seeds give one module")
	}
}

// TestGenerateDrawsAll: some hundred modules have every operation of the table.
func TestGenerateDrawsAll(t *testing.T) {
	drawn := map[op.Code]bool{}
	for seed := range uint64(1000) {
		m := hlotest.Generate(rand.New(rand.NewPCG(seed, 1)), hlotest.GenerateOptions{Instructions: 16})
		for _, c := range m.Computations() {
			for _, i := range c.Instructions() {
				drawn[i.Code()] = true
			}
		}
	}
	for _, code := range op.Codes() {
		if !drawn[code] {
			t.Errorf("%v is never drawn", code)
		}
	}
}

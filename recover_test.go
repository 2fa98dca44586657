package xla

import (
	"context"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
)

// broken is a backend with a bug: it panics when it compiles, or when it runs.
type broken struct{ compiles bool }

func (broken) Name() string { return "broken" }

func (b broken) compile(context.Context, *hlo.Module, Options) (runner, error) {
	if !b.compiles {
		panic("a broken invariant")
	}
	return b, nil
}

func (broken) run(context.Context, []literal.Literal, runOptions) (literal.Literal, error) {
	var list []int
	_ = list[len(list)]
	return literal.Literal{}, nil
}

// TestPanics: a panic becomes an error that shows it and the program.
func TestPanics(t *testing.T) {
	prog, err := Parse("m.hlo", []byte("ENTRY e {\n  ROOT c = f32[] constant(42)\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []broken{{compiles: false}, {compiles: true}} {
		client, err := NewClient(Options{Backend: b})
		if err != nil {
			t.Fatal(err)
		}
		exe, err := client.Compile(t.Context(), prog)
		want := "a broken invariant"
		if b.compiles {
			if err != nil {
				t.Fatal(err)
			}
			want = "index out of range"
			_, err = exe.Run(t.Context())
		}
		if err == nil {
			t.Fatal("no error")
		}
		for _, part := range []string{"internal error", want, "recover_test.go", "ROOT %c = f32[] constant(42)"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %v\nwant it to contain %q", err, part)
			}
		}
	}
}

func TestClip(t *testing.T) {
	if got := clip("short", 10); got != "short" {
		t.Errorf("clip: %q", got)
	}
	if got := clip("aé", 2); got != "a\n..." { // é has two bytes
		t.Errorf("clip: %q", got)
	}
}

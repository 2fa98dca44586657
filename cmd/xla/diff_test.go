package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEdits: the lines kept and taken away are the first text, those kept and added the
// second, and the shortest way is found.
func TestEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	lines := func() []string {
		list := make([]string, rng.IntN(12))
		for i := range list {
			list[i] = string(rune('a' + rng.IntN(4)))
		}
		return list
	}
	for range 2000 {
		x, y := lines(), lines()
		var a, b []string
		kept := 0
		edits(x, y, func(mark byte, line string) {
			if mark != '+' {
				a = append(a, line)
			}
			if mark != '-' {
				b = append(b, line)
			}
			if mark == ' ' {
				kept++
			}
		})
		if strings.Join(a, "") != strings.Join(x, "") || strings.Join(b, "") != strings.Join(y, "") {
			t.Fatalf("%v to %v: got %v to %v", x, y, a, b)
		}
		if want := common(x, y); kept != want {
			t.Fatalf("%v to %v: %d lines kept, want %d", x, y, kept, want)
		}
	}
}

// common is the length of the longest common subsequence, by definition.
func common(x, y []string) int {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	row := make([]int, len(y)+1)
	for i := range x {
		diagonal := 0
		for j := range y {
			above := row[j+1]
			if x[i] == y[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(y)]
}

func TestDiffLines(t *testing.T) {
	a, b := "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\nx\n5\n6\n7\n8\n"
	if got, want := diffLines(a, b), "...\n 2\n 3\n-4\n+x\n 5\n 6\n...\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := diffLines(a, a); got != "" {
		t.Errorf("equal texts differ: %s", got)
	}
}

package main

import (
	"strings"
)

// diffContext is how many equal lines diffLines shows around a change.
const diffContext = 2

// diffLines returns the lines that differ between two texts, with some equal ones
// around: "-" in front of a line of a, "+" in front of one of b, " " in front of one of both.
func diffLines(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var out strings.Builder
	var same []string // equal lines since the last change
	changed := false
	flush := func(atEnd bool) {
		after, before := diffContext, diffContext
		if !changed {
			after = 0
		}
		if atEnd {
			before = 0
		}
		for k, line := range same {
			if k < after || k >= len(same)-before {
				out.WriteString(" " + line)
			} else if k == after {
				out.WriteString("...\n")
			}
		}
		same = nil
	}
	edits(x, y, func(mark byte, line string) {
		if mark == ' ' {
			same = append(same, line)
			return
		}
		flush(false)
		changed = true
		out.WriteByte(mark)
		out.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	})
	if changed {
		flush(true)
	}
	return out.String()
}

// maxDiffEdits bounds the work on texts that have little in common.
const maxDiffEdits = 2000

// edits calls emit for the lines of a shortest way from x to y: '-' for a line of x that
// goes, '+' for one of y that comes, ' ' for one that stays. It is Myers' greedy algorithm:
// after d edits best[k] is how far in x one can be on the diagonal k = (place in x) - (place in y).
func edits(x, y []string, emit func(mark byte, line string)) {
	most := min(len(x)+len(y), maxDiffEdits)
	best := make([]int, 2*most+3)
	var trail [][]int // best as it was in front of each round
	for d := 0; d <= most; d++ {
		trail = append(trail, append([]int(nil), best[most+1-d:most+2+d]...))
		for k := -d; k <= d; k += 2 {
			at := best[most+1+k-1] + 1
			if k == -d || k != d && best[most+1+k-1] < best[most+1+k+1] {
				at = best[most+1+k+1]
			}
			for at < len(x) && at-k < len(y) && x[at] == y[at-k] {
				at++
			}
			if best[most+1+k] = at; at >= len(x) && at-k >= len(y) {
				walkBack(x, y, trail, emit)
				return
			}
		}
	}
	for _, line := range x {
		emit('-', line)
	}
	for _, line := range y {
		emit('+', line)
	}
}

// walkBack finds the way that the rounds of edits have come, from its end, and emits it.
func walkBack(x, y []string, trail [][]int, emit func(mark byte, line string)) {
	type edit struct {
		mark byte
		line string
	}
	var way []edit
	i, j := len(x), len(y)
	for d := len(trail) - 1; d > 0; d-- {
		best := func(k int) int { return trail[d][k+d] }
		k := i - j
		from := k - 1
		if k == -d || k != d && best(k-1) < best(k+1) {
			from = k + 1
		}
		fromI := best(from)
		fromJ := fromI - from
		for i > 0 && j > 0 && i-1 >= fromI+max(k-from, 0) && j-1 >= fromJ+max(from-k, 0) {
			i, j = i-1, j-1
			way = append(way, edit{' ', x[i]})
		}
		if from < k {
			i--
			way = append(way, edit{'-', x[i]})
		} else {
			j--
			way = append(way, edit{'+', y[j]})
		}
	}
	for i > 0 {
		i--
		way = append(way, edit{' ', x[i]})
	}
	for k := len(way) - 1; k >= 0; k-- {
		emit(way[k].mark, way[k].line)
	}
}

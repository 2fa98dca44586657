package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// summary is the means of the ratios, by group and of all, what is below the bars, and the scratch memory.
func (t *table) summary() string {
	var b strings.Builder
	b.WriteString(t.meansTable())
	fmt.Fprintf(&b, "\nMeans are geometric, over the programs that ran with both. %d of %d comparisons agree with XLA.\n",
		t.comparisons()-t.failed(), t.comparisons())
	for _, n := range t.threads {
		for _, bar := range []float64{0.5, 0.8, 1} {
			if names := below(t.rows[n], bar); len(names) > 0 {
				fmt.Fprintf(&b, "Below %g, threads %d: %s.\n", bar, n, strings.Join(names, ", "))
			}
		}
	}
	return b.String() + t.scratchText()
}

// comparisons counts the rows.
func (t *table) comparisons() int {
	n := 0
	for _, rows := range t.rows {
		n += len(rows)
	}
	return n
}

// meansTable is the table of the means.
func (t *table) meansTable() string {
	var b strings.Builder
	b.WriteString("| group | programs |")
	for _, n := range t.threads {
		fmt.Fprintf(&b, " run, XLA / ours, threads %d |", n)
	}
	b.WriteString(" compile, XLA / ours |\n|---|---|---|" + strings.Repeat("---|", len(t.threads)) + "\n")
	for _, g := range append(t.groups(), "") {
		name, rows := g, inGroup(t.most(), g)
		if g == "" {
			name = "**all**"
		}
		fmt.Fprintf(&b, "| %s | %d |", name, len(rows))
		for _, n := range t.threads {
			fmt.Fprintf(&b, " %s |", number(mean(inGroup(t.rows[n], g), row.speed)))
		}
		fmt.Fprintf(&b, " %s |\n", number(mean(rows, row.compileSpeed)))
	}
	return b.String()
}

// groups are the groups in the order of the rows.
func (t *table) groups() []string {
	var groups []string
	for _, r := range t.most() {
		if !slices.Contains(groups, r.workload.Group) {
			groups = append(groups, r.workload.Group)
		}
	}
	return groups
}

// inGroup returns the rows of a group, or for "" all.
func inGroup(rows []row, group string) []row {
	if group == "" {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.workload.Group != group })
}

// mean is the geometric mean of what is known, 0 of nothing.
func mean(rows []row, value func(row) float64) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if v := value(r); v > 0 {
			sum += math.Log(v)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}

// below names the programs that run less than bar times as fast as XLA.
func below(rows []row, bar float64) []string {
	var names []string
	for _, r := range rows {
		if r.speed() > 0 && r.speed() < bar {
			names = append(names, fmt.Sprintf("%s (%s)", r.workload.Name, number(r.speed())))
		}
	}
	return names
}

// scratchText is the sum of the scratch memory beside XLA's, and the programs that take too much.
func (t *table) scratchText() string {
	var ours, theirs int64
	var wasteful []string
	for _, r := range t.most() {
		if r.Ours.TempBytes == nil || r.Theirs.TempBytes == nil {
			continue
		}
		ours += scratch(r.Ours)
		theirs += scratch(r.Theirs)
		if r.wasteful() {
			wasteful = append(wasteful, r.workload.Name)
		}
	}
	text := fmt.Sprintf("Scratch memory of all: ours %s KB, XLA's %s KB.\n", number(kb(ours)), number(kb(theirs)))
	if len(wasteful) > 0 {
		text += fmt.Sprintf("More scratch memory than inputs, outputs and 8 MB, and than XLA: %s.\n",
			strings.Join(wasteful, ", "))
	}
	return text
}

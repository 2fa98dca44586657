package vmath

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// row is a line of the table of errors.
type row struct {
	function, elementType string
	worst                 worst
}

const documentPath = "../../docs/ACCURACY.md"

const documentHead = `# Accuracy of elementary functions

The largest errors that were found of the functions of package cpu/vmath, in units in the last place (ULP) of the exact
result: 0.5 is a result that is rounded right. f32 is compared with float64 arithmetic on a sample of all numbers, and,
by go test -tags sweep, on all of them; f64 with arithmetic of 320 bits on random numbers and those
where something changes; f16 and bf16, which are computed in f32 and rounded, on all numbers.

XLA_UPDATE=1 go test ./cpu/vmath -run Accuracy writes this table; an error that is in it already stays if a
run finds only smaller ones. Other runs fail if they find a larger error. Machine code for AVX2 gives the same bits as
the portable executor, with which this is measured, but for rsqrt of f64, which is products there. With AVX-512 some
functions have other forms, which look up tables in registers; a row has the larger error of all. rsqrt begins there
with an instruction whose bits depend on the machine. Division by a constant is a product there, corrected, and a
division where that could be wrong: it is rounded right.

| function | type | ULP | at |
|---|---|---|---|
`

// hundredths rounds an error up.
func hundredths(ulp float64) float64 { return math.Ceil(ulp*100) / 100 }

// place prints arguments in hexadecimal.
func place(at []float64) string {
	if at == nil {
		return "exact"
	}
	return "`" + strings.Trim(fmt.Sprintf("%x", at), "[]") + "`"
}

// document compares rows with the table of the document, or raises the errors in it to theirs.
func document(t *testing.T, rows []row) {
	table, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("XLA_UPDATE") == "1"
	for _, r := range rows {
		ulp, old := hundredths(r.worst.ulp), table[r.key()]
		switch {
		case r.function == "" || old.at != "" && old.ulp >= ulp:
		case update:
			table[r.key()] = known{ulp, place(r.worst.at)}
		default:
			t.Errorf("%s: %.2f ULP, but %s says %.2f", r.key(), ulp, documentPath, old.ulp)
		}
	}
	if !update {
		return
	}
	var out strings.Builder
	out.WriteString(documentHead)
	for _, key := range keys() {
		fmt.Fprintf(&out, "| %s | %.2f | %s |\n", key, table[key].ulp, table[key].at)
	}
	if err := os.WriteFile(documentPath, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// key is the first two cells of a row.
func (r row) key() string { return r.function + " | " + r.elementType }

// keys is all rows in their order.
func keys() (list []string) {
	for _, f := range functions {
		for _, t := range []string{"f32", "f64", "f16", "bf16"} {
			list = append(list, row{function: f.name, elementType: t}.key())
		}
	}
	for _, f := range binaries {
		list = append(list, row{function: f.name, elementType: "f32"}.key(), row{function: f.name, elementType: "f64"}.key())
	}
	return list
}

type known struct {
	ulp float64
	at  string
}

// readDocument returns the rows of the table; a document that is not there has none.
func readDocument() (map[string]known, error) {
	rows := map[string]known{}
	text, err := os.ReadFile(documentPath)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		var ulp float64
		if len(cells) != 4 {
			continue
		}
		if _, err := fmt.Sscan(cells[2], &ulp); err == nil {
			rows[cells[0]+" | "+cells[1]] = known{ulp, cells[3]}
		}
	}
	return rows, nil
}

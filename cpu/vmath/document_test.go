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
result: 0.5 is a result that is rounded right. f32 is compared with float64 arithmetic on a sample of all numbers, or on
all of them with the test's tag sweep; f64 with arithmetic of 320 bits on random numbers and those
where something changes; f16 and bf16, which are computed in f32 and rounded, on all numbers.

XLA_UPDATE=1 go test ./cpu/vmath -run Accuracy writes this table; an error that is in it already stays if a
run finds only smaller ones. Other runs fail if they find a larger error.

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

// document compares rows with the table of the document, or writes it.
func document(t *testing.T, rows []row) {
	known, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("XLA_UPDATE") == "1"
	var out strings.Builder
	out.WriteString(documentHead)
	for _, r := range rows {
		if r.function == "" {
			return // the user chose some of the tests
		}
		key, ulp := r.function+" | "+r.elementType, hundredths(r.worst.ulp)
		old, ok := known[key]
		if ok && old.ulp >= ulp {
			fmt.Fprintf(&out, "| %s | %.2f | %s |\n", key, old.ulp, old.at)
			continue
		}
		if !update {
			t.Errorf("%s: %.2f ULP, but %s says %.2f (in it: %v)", key, ulp, documentPath, old.ulp, ok)
		}
		fmt.Fprintf(&out, "| %s | %.2f | %s |\n", key, ulp, place(r.worst.at))
	}
	if update {
		if err := os.WriteFile(documentPath, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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

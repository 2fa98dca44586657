package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/goxla/xla/cpu/exec"
)

// row names a row of the table.
type row struct{ tier, name string }

// rows are the lines of a table.
type rows map[row]string

// rows reads those of the file that is written, none if it is not there.
func (o *options) rows() (rows, error) {
	if o.out == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return rowsOf(string(text)), nil
}

func rowsOf(text string) rows {
	list, tier := rows{}, ""
	for line := range strings.Lines(text) {
		if t, ok := strings.CutPrefix(line, "## "); ok {
			tier = strings.TrimSpace(t)
		}
		if cells := strings.Split(line, "|"); tier != "" && len(cells) > 2 {
			list[row{tier, strings.TrimSpace(cells[1])}] = line
		}
	}
	return list
}

// has reports whether there are rows of tier t.
func (r rows) has(t exec.Tier) bool {
	for k := range r {
		if k.tier == t.String() {
			return true
		}
	}
	return false
}

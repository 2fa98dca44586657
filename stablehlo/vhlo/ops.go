package vhlo

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/goxla/xla/stablehlo/bytecode"
)

//go:embed ops.txt
var opsText string

// opInfo is a row of the table: one version of one operation.
type opInfo struct {
	base         string // the name without version: "add"
	version      int
	since, until Version  // until is inclusive
	attrs        []string // sorted
}

// name returns the name in a file: "add_v1".
func (o *opInfo) name() string { return fmt.Sprintf("%s_v%d", o.base, o.version) }

// has reports whether the operation has an attribute of that name.
func (o *opInfo) has(attr string) bool {
	for _, a := range o.attrs {
		if a == attr {
			return true
		}
	}
	return false
}

// opTable finds rows by name and by what they are versions of.
type opTable struct {
	byName map[string]*opInfo
	byBase map[string][]*opInfo
}

// ops is the table, parsed once.
var ops = sync.OnceValue(func() *opTable {
	t := &opTable{byName: map[string]*opInfo{}, byBase: map[string][]*opInfo{}}
	var last *opInfo
	for line := range strings.Lines(opsText) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if line[0] == ' ' {
			last.attrs = append(last.attrs, words...)
			continue
		}
		last = parseRow(words)
		t.byName[last.name()] = last
		t.byBase[last.base] = append(t.byBase[last.base], last)
	}
	return t
})

// parseRow reads "name version since-until attrs...". An error in the table is ours.
func parseRow(words []string) *opInfo {
	since, until, ok := strings.Cut(words[2], "-")
	o := &opInfo{base: words[0], version: int(words[1][0] - '0'), until: Current, attrs: words[3:]}
	var err error
	if o.since, err = ParseVersion(since); err == nil && until != "" {
		o.until, err = ParseVersion(until)
	}
	if err != nil || !ok {
		panic(fmt.Sprintf("vhlo: table: %q is no row", words))
	}
	return o
}

// at returns the row of an operation that version v of StableHLO writes, nil if there
// is none.
func (t *opTable) at(base string, v Version) *opInfo {
	for _, o := range t.byBase[base] {
		if v.Compare(o.since) >= 0 && (o.until == Current || v.Compare(o.until) <= 0) {
			return o
		}
	}
	// A patch release between two rows.
	for _, o := range t.byBase[base] {
		if v.Compare(o.since) >= 0 && v.Major == o.until.Major && v.Minor == o.until.Minor {
			return o
		}
	}
	return nil
}

// props returns the order in which the attributes of an operation are stored.
func props(op string) ([]bytecode.Prop, bool) {
	o := ops().byName[op]
	if o == nil {
		return nil, false
	}
	list := make([]bytecode.Prop, len(o.attrs))
	for i, a := range o.attrs {
		list[i].Name = a
	}
	return list, true
}

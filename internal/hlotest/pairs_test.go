package hlotest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestPairs: a program without what is expected of it is an error, or gets a place for it; so is what belongs to none.
func TestPairs(t *testing.T) {
	for _, test := range []struct{ names, filled, err string }{
		{"a.hlo a.plan b.hlo b.plan", "a.hlo a.plan b.hlo b.plan", ""},
		{"a.hlo a.plan b.hlo", "a.hlo a.plan b.hlo b.plan", "b.hlo: expects b.plan behind it"},
		{"a.hlo b.hlo b.plan", "a.hlo a.plan b.hlo b.plan", "a.hlo: expects a.plan behind it"},
		{"a.hlo a.plan b.plan", "", "b.plan: expects a program"},
		{"a/module.hlo", "a/module.hlo a/module.plan", "a/module.hlo: expects a/module.plan behind it"},
		{"", "", ""},
	} {
		var files []txtar.File
		for _, name := range strings.Fields(test.names) {
			files = append(files, txtar.File{Name: name})
		}
		if _, err := pairs(files, "plan", false); err == nil != (test.err == "") ||
			err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: got %v, want %q", test.names, err, test.err)
		}
		list, err := pairs(files, "plan", true)
		var names []string
		for _, f := range list {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != test.filled || err != nil && test.filled != "" {
			t.Errorf("%s: filled to %q, %v, want %q", test.names, got, err, test.filled)
		}
	}
}

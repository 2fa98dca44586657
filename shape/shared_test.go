package shape

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goxla/xla/internal/sharedtest"
)

// sharedFile returns the bytes of a file of the shared test data, and skips the
// test where that data is absent.
func sharedFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedtest.Dir(t), path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestXLACases reads the shapes of the cases that were run through XLA's own
// parser and printer.
func TestXLACases(t *testing.T) {
	root := regexp.MustCompile(`ROOT %?p = (.*) parameter\(0\)`)
	type textCase struct{ in, out, err string }
	cases := map[string]*textCase{}
	for _, part := range strings.Split(string(sharedFile(t, "facts/hlo_cases.txtar")), "\n-- shape/")[1:] {
		head, body, _ := strings.Cut(part, " --\n")
		body, _, _ = strings.Cut(body, "\n-- ")
		name, ext, _ := strings.Cut(head, ".")
		if cases[name] == nil {
			cases[name] = &textCase{}
		}
		c := cases[name]
		switch found := root.FindStringSubmatch(body); ext {
		case "in.hlo":
			c.in = found[1]
		case "out.hlo":
			c.out = found[1]
		case "error":
			c.err = body
		}
	}
	if len(cases) == 0 {
		t.Fatal("no cases found")
	}
	for name, c := range cases {
		s, err := Parse(c.in)
		switch {
		case c.err != "" && err == nil:
			t.Errorf("%s: %s: got %v, want the error %s", name, c.in, s, c.err)
		case c.err == "" && err != nil:
			t.Errorf("%s: %s: %v", name, c.in, err)
		case c.err == "" && s.String() != c.out:
			t.Errorf("%s: %s: got %v, want %s", name, c.in, s, c.out)
		}
	}
	t.Logf("%d cases", len(cases))
}

// TestXLACorpus reads every result shape and every computation header that XLA
// printed, and prints it again.
func TestXLACorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedtest.Dir(t), "corpus/hlo/printed/*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in corpus/hlo/printed (%v)", err)
	}
	instruction := regexp.MustCompile(`(?m)^ +(?:ROOT )?%[^ ]+ = (.*)$`)
	header := regexp.MustCompile(`(?m)^(?:ENTRY )?%[^ ]+ (\(.*) \{$`)
	shapes, programs := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range instruction.FindAllStringSubmatch(string(data), -1) {
			shapes++
			s, n, err := ParsePrefix(found[1])
			if got, want := s.String(), found[1][:n]; err != nil || got != want {
				t.Errorf("%s: %.200s: got %s (%v), want %s", filepath.Base(file), found[1], got, err, want)
			}
			if err := s.Check(); err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
		for _, found := range header.FindAllStringSubmatch(string(data), -1) {
			programs++
			p, err := ParseProgram(found[1])
			if got := p.String(); err != nil || got != found[1] {
				t.Errorf("%s: %.200s: got %s (%v)", filepath.Base(file), found[1], got, err)
			}
		}
	}
	t.Logf("%d files, %d shapes, %d programs", len(files), shapes, programs)
}

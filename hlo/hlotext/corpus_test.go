package hlotext_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

// corpusEntry is a line of the corpus' index.
type corpusEntry struct {
	stem          string
	reprintStable bool
	replicas      int
}

// corpusIndex returns the entries of the class ok.
func corpusIndex(t *testing.T) []corpusEntry {
	t.Helper()
	var entries []corpusEntry
	for line := range strings.Lines(readShared(t, "corpus/hlo/index.tsv")) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if f[1] != "ok" {
			continue
		}
		replicas, _ := strconv.Atoi(f[7])
		entries = append(entries, corpusEntry{f[0], f[6] == "1", replicas})
	}
	return entries
}

func readShared(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(hlotest.Shared(t), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parseEntry reads the source text of e.
func parseEntry(t *testing.T, e corpusEntry) (*hlo.Module, error) {
	t.Helper()
	m, err := hlotext.Parse(readShared(t, "corpus/hlo/ok/"+e.stem+".hlo"), hlotext.ParseOptions{})
	if err == nil && e.replicas > 0 {
		m.Replicas = e.replicas
	}
	return m, err
}

// score counts and shows failures, and fails the test below a share.
type score struct {
	good, all int
	failures  []string
}

func (s *score) add(name, problem string) {
	s.all++
	if problem == "" {
		s.good++
		return
	}
	s.failures = append(s.failures, name+": "+problem)
}

func (s *score) check(t *testing.T, what string, permille int) {
	t.Helper()
	t.Logf("%s: %d of %d", what, s.good, s.all)
	for _, f := range s.failures[:min(len(s.failures), 20)] {
		t.Log(f)
	}
	if s.all == 0 || s.good*1000 < s.all*permille {
		t.Errorf("%s: %d of %d, want %d permille", what, s.good, s.all, permille)
	}
}

// firstDifference returns the first line in which two texts differ, or "".
func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for k := range min(len(g), len(w)) {
		if g[k] != w[k] {
			return "line " + strconv.Itoa(k+1) + "\n  got  " + g[k] + "\n  want " + w[k]
		}
	}
	return "got " + strconv.Itoa(len(g)) + " lines, want " + strconv.Itoa(len(w))
}

// TestPrintCorpus compares what is printed with what XLA prints, in every form.
func TestPrintCorpus(t *testing.T) {
	forms := []struct {
		folder  string
		options hlotext.Options
	}{
		{"printed", hlotext.Default()},
		{"printed_full", hlotext.Full()},
		{"printed_short", hlotext.ShortParsable()},
		{"printed_canonical", hlotext.Canonical()},
	}
	scores := make([]score, len(forms))
	for _, e := range corpusIndex(t) {
		m, err := parseEntry(t, e)
		for k, form := range forms {
			path := filepath.Join(hlotest.Shared(t), "corpus/hlo", form.folder, e.stem+".hlo")
			want, missing := os.ReadFile(path)
			if missing != nil {
				continue
			}
			if err != nil {
				scores[k].add(e.stem, err.Error())
				continue
			}
			scores[k].add(e.stem, firstDifference(hlotext.String(m, form.options), string(want)))
		}
	}
	for k, form := range forms {
		scores[k].check(t, form.folder, 990)
	}
}

// TestRoundTrip prints every module of the corpus and reads it back: in the long
// form as an equal module, in the default form as one that prints the same.
func TestRoundTrip(t *testing.T) {
	var long, stable, plain score
	for _, e := range corpusIndex(t) {
		m, err := parseEntry(t, e)
		if err != nil {
			continue
		}
		long.add(e.stem, roundTrip(m, hlotext.Long()))
		o := hlotext.Long()
		o.PlainAsync = true
		plain.add(e.stem, roundTrip(m, o))
		if e.reprintStable {
			text := hlotext.String(m, hlotext.Default())
			again, err := hlotext.Parse(text, hlotext.ParseOptions{})
			if err != nil {
				stable.add(e.stem, err.Error())
				continue
			}
			again.Replicas, again.Partitions = m.Replicas, m.Partitions
			stable.add(e.stem, firstDifference(hlotext.String(again, hlotext.Default()), text))
		}
	}
	long.check(t, "long form read back equal", 990)
	plain.check(t, "plain asynchronous form read back equal", 990)
	stable.check(t, "default form printed again", 1000)
}

// roundTrip prints m, reads it and returns the difference.
func roundTrip(m *hlo.Module, o hlotext.Options) string {
	text := hlotext.String(m, o)
	again, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		return err.Error()
	}
	if d := firstDifference(hlotext.String(again, o), text); d != "" {
		return d
	}
	return hlo.Diff(m, again)
}

// txtarFile is a file of a txtar archive.
type txtarFile struct{ name, text string }

// parseTxtar splits an archive.
func parseTxtar(text string) []txtarFile {
	var files []txtarFile
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- ")
		if name, closed := strings.CutSuffix(name, " --"); ok && closed {
			files = append(files, txtarFile{name: name})
			continue
		}
		if n := len(files); n > 0 {
			files[n-1].text += line
		}
	}
	return files
}

// TestPrintCases compares with XLA's own printing of small modules.
func TestPrintCases(t *testing.T) {
	files := parseTxtar(readShared(t, "facts/hlo_cases.txtar"))
	var s score
	for _, f := range files {
		stem, kind, _ := cutCase(f.name)
		var o hlotext.Options
		switch kind {
		case "out.hlo":
		case "long.hlo":
			o = hlotext.Long()
		default:
			continue
		}
		in := slices.IndexFunc(files, func(g txtarFile) bool { return g.name == stem+".in.hlo" })
		m, err := hlotext.Parse(files[in].text, hlotext.ParseOptions{})
		if err != nil {
			s.add(f.name, err.Error())
			continue
		}
		got := strings.TrimRight(hlotext.String(m, o), "\n")
		s.add(f.name, firstDifference(got, strings.TrimRight(f.text, "\n")))
	}
	s.check(t, "cases", 1000)
}

// cutCase splits a file name of the cases: literal/f32_0.1, out.hlo.
func cutCase(name string) (stem, kind string, ok bool) {
	for _, kind := range []string{"out.hlo", "long.hlo", "in.hlo", "error"} {
		if stem, ok := strings.CutSuffix(name, "."+kind); ok {
			return stem, kind, true
		}
	}
	return name, "", false
}

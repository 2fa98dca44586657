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
		scores[k].check(t, form.folder, 1000)
	}
}

// TestParserTables runs the round trips of XLA's own parser test: the text, parsed
// and printed in the long or short form, is the text.
func TestParserTables(t *testing.T) {
	replicas := map[string]int{}
	for _, e := range corpusIndex(t) {
		replicas[e.stem] = e.replicas
	}
	var s score
	for _, folder := range []string{"ok", "newer"} {
		files, _ := filepath.Glob(filepath.Join(hlotest.Shared(t), "corpus/hlo", folder, "parser_*roundtrip*.hlo"))
		for _, file := range files {
			stem := strings.TrimSuffix(filepath.Base(file), ".hlo")
			o := hlotext.ShortParsable()
			if strings.HasPrefix(stem, "parser_roundtrip_long") {
				o = hlotext.Long()
			}
			path, _ := filepath.Rel(hlotest.Shared(t), file)
			text := readShared(t, path)
			want := text
			if name, other := strings.CutPrefix(stem, "parser_nonroundtrip__"); other {
				want = readShared(t, "corpus/hlo/ok/parser_nonroundtrip_out__"+name+".hlo")
			}
			m, err := hlotext.Parse(text, hlotext.ParseOptions{})
			if err != nil {
				s.add(stem, err.Error())
				continue
			}
			m.Replicas = max(m.Replicas, replicas[stem])
			got := strings.TrimRight(hlotext.String(m, o), "\n")
			s.add(stem, firstDifference(got, strings.TrimRight(want, "\n")))
		}
	}
	s.check(t, "tables of the parser test", 1000)
}

// losses names the modules that text cannot give back in the long form, by a part of
// the name, with the reason.
var losses = map[string]string{
	"NumpyOrderGt":                           "-0 reads as 0",
	"ParameterIsFunctionOfInductionVariable": "the wrapped operation takes its operands in another order",
	"AnnotatedInstructionInAsyncBodyIsNot":   wrapped,
	"prepare__MultipleInputHasOneMoveToHost": wrapped,
	"prepare__SingleInputHasMoveToDevice":    wrapped,
	"prepare__SingleInputHasMoveToHost":      wrapped,
	"AsyncStartWithOutputToOperandAliasing":  native,
	"AsyncAllGatherSameInputOutputShape":     native,
}

const (
	wrapped = "the attributes of the wrapped operation come back as those of the start"
	native  = "the short form is that of another operation, copy-start or all-gather-start"
)

// lossOf returns the reason why a module cannot come back, or "".
func lossOf(stem string) string {
	for part, reason := range losses {
		if strings.Contains(stem, part) {
			return reason
		}
	}
	return ""
}

// TestRoundTrip prints every module of the corpus and reads it back: in the long
// form as an equal module, in the default form as one that prints the same.
func TestRoundTrip(t *testing.T) {
	var long, plain, stable score
	for _, e := range corpusIndex(t) {
		m, err := parseEntry(t, e)
		if err != nil {
			t.Fatalf("%s: %v", e.stem, err)
		}
		o := hlotext.Long()
		checkLoss(&long, e.stem, roundTrip(m, o))
		o.PlainAsync = true
		if !strings.Contains(e.stem, "NumpyOrderGt") { // -0 again
			plain.add(e.stem, roundTrip(m, o))
		}
		if e.reprintStable {
			stable.add(e.stem, printedAgain(m))
		}
	}
	long.check(t, "long form read back equal", 1000)
	plain.check(t, "plain asynchronous form read back equal", 1000)
	stable.check(t, "default form printed again", 1000)
}

// checkLoss adds the result of a round trip, which must be a difference for a known loss.
func checkLoss(s *score, stem, difference string) {
	loss := lossOf(stem)
	if loss == "" {
		s.add(stem, difference)
	} else if difference == "" {
		s.add(stem, "is not lost: "+loss)
	}
}

// roundTrip prints m, reads it and returns the difference.
func roundTrip(m *hlo.Module, o hlotext.Options) string {
	again, err := hlotext.Parse(hlotext.String(m, o), hlotext.ParseOptions{})
	if err != nil {
		return err.Error()
	}
	return hlo.Diff(m, again)
}

// printedAgain prints m in the default form, reads that, prints again and returns the difference.
func printedAgain(m *hlo.Module) string {
	text := hlotext.String(m, hlotext.Default())
	again, err := hlotext.Parse(text, hlotext.ParseOptions{})
	if err != nil {
		return err.Error()
	}
	again.Replicas, again.Partitions = m.Replicas, m.Partitions
	return firstDifference(hlotext.String(again, hlotext.Default()), text)
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

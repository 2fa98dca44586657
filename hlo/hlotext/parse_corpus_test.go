package hlotext_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
)

// tally counts the texts of one kind, and says which of them went another way than wanted.
type tally struct {
	t           *testing.T
	what        string
	total, good int
}

func (c *tally) count(good bool, format string, args ...any) {
	c.total++
	if good {
		c.good++
		return
	}
	c.t.Logf(format, args...)
}

// need fails if less than the given share of the texts are good.
func (c *tally) need(percent float64) {
	share := 100 * float64(c.good) / float64(max(c.total, 1))
	c.t.Logf("%s: %d of %d, %.2f%%", c.what, c.good, c.total, share)
	if share < percent || c.total == 0 {
		c.t.Errorf("%s: expects %.1f%%, got %.2f%% of %d", c.what, percent, share, c.total)
	}
}

// hloFiles returns the texts in a folder of the shared data by name.
func hloFiles(t *testing.T, folder string) (names []string, texts map[string]string) {
	paths, err := filepath.Glob(filepath.Join(hlotest.Shared(t), folder, "*.hlo"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no texts in %s (%v)", folder, err)
	}
	texts = map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		names = append(names, name)
		texts[name] = string(text)
	}
	return names, texts
}

func TestParseCorpus(t *testing.T) {
	for _, c := range []struct {
		folder  string
		percent float64
	}{
		{"corpus/hlo/ok", 100},
		{"corpus/hlo/printed", 100},
		{"corpus/hlo/printed_full", 100},
		{"corpus/hlo/printed_short", 99.5},     // one calls an instruction nan
		{"corpus/hlo/printed_canonical", 97.5}, // some have attributes behind a computation in place
		{"corpus/hlo/newer", 95},
		{"corpus/hlo/verify_reject", 100},
		{"models", 100},
		{"bench", 100},
	} {
		t.Run(filepath.Base(c.folder), func(t *testing.T) {
			names, texts := hloFiles(t, c.folder)
			parsed := tally{t: t, what: "parsed"}
			unstable := notReprinted(t)
			for _, name := range names {
				if strings.HasPrefix(filepath.Base(c.folder), "printed") && unstable[name] {
					continue
				}
				_, err := hlotext.Parse(texts[name], hlotext.ParseOptions{File: name})
				parsed.count(err == nil, "%v", err)
			}
			parsed.need(c.percent)
		})
	}
}

// notReprinted returns the texts of corpus/hlo whose print XLA does not read back.
func notReprinted(t *testing.T) map[string]bool {
	data, err := os.ReadFile(filepath.Join(hlotest.Shared(t), "corpus", "hlo", "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		column := strings.Split(line, "\t")
		set[column[0]+".hlo"] = column[6] != "1"
	}
	return set
}

// TestParseConformance reads the modules of the golden cases.
func TestParseConformance(t *testing.T) {
	parsed := tally{t: t, what: "parsed"}
	root := filepath.Join(hlotest.Shared(t), "conformance")
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txtar") || strings.HasSuffix(path, ".error.txtar") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if text, ok := txtarFiles(data)["module.hlo"]; ok {
			_, err := hlotext.Parse(text, hlotext.ParseOptions{File: filepath.Base(path)})
			parsed.count(err == nil, "%v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed.need(100)
}

// placePattern is a place at the start of what XLA says.
var placePattern = regexp.MustCompile(`^(\d+):(\d+): `)

// xlaPlace returns the place in a message of XLA, whose columns in the first line count from 0.
func xlaPlace(message string) (p op.Pos, ok bool) {
	m := placePattern.FindStringSubmatch(message)
	if m == nil {
		return op.Pos{}, false
	}
	p.Line, _ = strconv.Atoi(m[1])
	p.Column, _ = strconv.Atoi(m[2])
	if p.Line == 1 {
		p.Column++
	}
	return p, true
}

// errorPlace returns where an error is in its text.
func errorPlace(err error) op.Pos {
	e, ok := errors.AsType[*op.Error](err)
	if !ok {
		return op.Pos{}
	}
	return op.Pos{Line: e.Pos.Line, Column: e.Pos.Column}
}

// acceptedLately are texts that the release of XLA behind the corpus refuses, but not for
// something wrong with them: they use forms of later releases, of which the folder newer
// has others. Asynchronous operands and outputs that an update binds, debug_attributes,
// and reductions in shardings.
var acceptedLately = map[string]bool{
	"hlo__analysis__hlo_dataflow_analysis__LateBoundNestedTupleOutputDataflow.hlo": true,
	"hlo__analysis__hlo_dataflow_analysis__LateBoundOperandDataflow.hlo":           true,
	"hlo__analysis__hlo_dataflow_analysis__LateBoundOutputDataflow.hlo":            true,
	"hlo__utils__hlo_original_value_grouper__SharedHloIdBaseCase.hlo":              true,
	"service__spmd__spmd_partitioner__NamedUnreducedParamGrouped.hlo":              true,
}

// refusal counts texts that XLA refuses: those that are refused with a place, and
// those where the place is the same.
type refusal struct{ refused, placed tally }

func (r *refusal) count(name, text, message string) {
	_, err := hlotext.Parse(text, hlotext.ParseOptions{File: name})
	got := errorPlace(err)
	r.refused.count(err != nil && got.IsValid(), "%s: not refused (%v): %s", name, err, message)
	if want, ok := xlaPlace(message); ok && err != nil {
		r.placed.count(want == got, "%v\n\twhere XLA has %s", err, message)
	}
}

func TestParseRejects(t *testing.T) {
	for _, c := range []struct {
		folder          string
		refused, placed float64
	}{
		{"corpus/hlo/reject", 100, 95},
		{"corpus/hlo/crash", 100, 0},
	} {
		t.Run(filepath.Base(c.folder), func(t *testing.T) {
			names, texts := hloFiles(t, c.folder)
			r := refusal{tally{t: t, what: "refused"}, tally{t: t, what: "at the same place"}}
			later := tally{t: t, what: "of a later release"}
			for _, name := range names {
				text := texts[name]
				if acceptedLately[name] {
					_, err := hlotext.Parse(text, hlotext.ParseOptions{})
					later.count(err == nil, "%s: %v", name, err)
					continue
				}
				message, text, _ := strings.Cut(text, "\n")
				if strings.HasPrefix(text, "// source test") {
					_, text, _ = strings.Cut(text, "\n")
				}
				message = strings.TrimPrefix(message, "// error: [parse] ")
				r.count(name, text, message)
			}
			r.refused.need(c.refused)
			t.Logf("not refused, because of a later release: %d of %d", later.good, later.total)
			if c.placed > 0 {
				r.placed.need(c.placed)
			}
		})
	}
}

// txtarFiles cuts an archive of `-- name --` files.
func txtarFiles(data []byte) map[string]string {
	files := map[string]string{}
	name := ""
	for line := range bytes.Lines(data) {
		if s := string(bytes.TrimSpace(line)); strings.HasPrefix(s, "-- ") && strings.HasSuffix(s, " --") {
			name = s[3 : len(s)-3]
			continue
		}
		files[name] += string(line)
	}
	return files
}

func TestParseCases(t *testing.T) {
	path := filepath.Join(hlotest.Shared(t), "facts", "hlo_cases.txtar")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := txtarFiles(data)
	parsed := tally{t: t, what: "parsed"}
	r := refusal{tally{t: t, what: "refused"}, tally{t: t, what: "at the same place"}}
	for name, text := range files {
		stem, isInput := strings.CutSuffix(name, ".in.hlo")
		if !isInput {
			continue
		}
		if message, refused := files[stem+".error"]; refused && stem != "text/compact_gte" {
			r.count(stem, text, message)
			continue
		}
		_, err := hlotext.Parse(text, hlotext.ParseOptions{File: stem})
		parsed.count(err == nil, "%v", err)
	}
	parsed.need(100)
	r.refused.need(100)
	r.placed.need(95)
}

package hlopb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlopb"
	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
)

func TestZZ(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "corpus/hlo")
	paths, _ := filepath.Glob(dir + "/pb/*.pb")
	good := 0
	for _, p := range paths {
		stem := strings.TrimSuffix(filepath.Base(p), ".pb")
		data, _ := os.ReadFile(p)
		m, err := hlopb.Parse(data, hlopb.ParseOptions{File: stem})
		if err != nil {
			t.Log(err)
			continue
		}
		want, _ := os.ReadFile(dir + "/printed/" + stem + ".hlo")
		if got := hlotext.String(m, hlotext.Options{}); got != string(want) {
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range g {
				if i >= len(w) || g[i] != w[i] {
					t.Logf("%s:\n%s\n%s", stem, g[i], w[min(i, len(w)-1)])
					break
				}
			}
			continue
		}
		text, _ := os.ReadFile(dir + "/ok/" + stem + ".hlo")
		o, err := hlotext.Parse(string(text), hlotext.ParseOptions{})
		if err != nil {
			t.Log(err)
			continue
		}
		if d := hlo.Diff(m, o); d != "" {
			t.Logf("%s: diff %s", stem, d)
			continue
		}
		good++
	}
	t.Logf("%d of %d", good, len(paths))
}

func TestYY(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "corpus/hlo")
	paths, _ := filepath.Glob(dir + "/ok/*.hlo")
	good := 0
	for _, p := range paths {
		stem := strings.TrimSuffix(filepath.Base(p), ".hlo")
		text, _ := os.ReadFile(p)
		o, err := hlotext.Parse(string(text), hlotext.ParseOptions{})
		if err != nil {
			t.Log(err)
			continue
		}
		data, err := hlopb.Append(nil, o)
		if err != nil {
			t.Log(stem, err)
			continue
		}
		if d := os.Getenv("PB_OUT"); d != "" {
			os.WriteFile(d+"/"+stem+".pb", data, 0o644)
		}
		m, err := hlopb.Parse(data, hlopb.ParseOptions{File: stem})
		if err != nil {
			t.Log(err)
			continue
		}
		o.Replicas, o.Partitions, o.PropagateToOutput, o.PropagateToParameters, o.AliasPassthroughParams = 0, 0, nil, nil, false
		if got, want := hlotext.String(m, hlotext.Options{}), hlotext.String(o, hlotext.Options{}); got != want {
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range g {
				if i >= len(w) || g[i] != w[i] {
					t.Logf("%s:\n%s\n%s", stem, g[i], w[min(i, len(w)-1)])
					break
				}
			}
			continue
		}
		if d := hlo.Diff(m, o); d != "" {
			t.Logf("%s: diff %s", stem, d)
			continue
		}
		good++
	}
	t.Logf("%d of %d", good, len(paths))
}

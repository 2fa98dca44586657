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

func TestXX(t *testing.T) {
	data, _ := os.ReadFile(filepath.Join(hlotest.Shared(t), "facts/hlo_cases.txtar"))
	name, text := "", ""
	var good, n int
	flush := func() {
		if !strings.HasSuffix(name, ".in.hlo") {
			return
		}
		o, err := hlotext.Parse(text, hlotext.ParseOptions{})
		if err != nil {
			return
		}
		n++
		stem := strings.ReplaceAll(strings.TrimSuffix(name, ".in.hlo"), "/", "__")
		data, err := hlopb.Append(nil, o)
		if err != nil {
			t.Log(stem, err)
			return
		}
		if d := os.Getenv("PB_OUT"); d != "" {
			os.WriteFile(d+"/"+stem+".pb", data, 0o644)
			os.WriteFile(d+"/"+stem+".hlo", []byte(text), 0o644)
		}
		m, err := hlopb.Parse(data, hlopb.ParseOptions{File: stem})
		if err != nil {
			t.Log(err)
			return
		}
		o.Replicas, o.Partitions, o.PropagateToOutput, o.PropagateToParameters, o.AliasPassthroughParams = 0, 0, nil, nil, false
		if d := hlo.Diff(m, o); d != "" {
			t.Logf("%s: diff %s", stem, d)
			return
		}
		if got, want := hlotext.String(m, hlotext.Full()), hlotext.String(o, hlotext.Full()); got != want {
			t.Logf("%s: text\n%s\n%s", stem, got, want)
			return
		}
		good++
	}
	for line := range strings.Lines(string(data)) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(s, " --") {
			flush()
			name, text = strings.TrimSuffix(s, " --"), ""
			continue
		}
		text += line
	}
	flush()
	t.Logf("%d of %d", good, n)
}

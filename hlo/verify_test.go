package hlo_test

import (
	"os"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/hlo/hlotext"
)

// verifyOptions names the options in the test data.
var verifyOptions = map[string]hlo.VerifyOptions{
	"":          {},
	"layout":    {LayoutSensitive: true},
	"precision": {NoMixedPrecision: true},
	"bounded":   {NoUnboundedDynamism: true},
	"device":    {NoHostMemory: true},
	"names":     {NamesUnchanged: true},
	"deadlock":  {NoCollectiveDeadlocks: true},
	"channels":  {UniqueChannels: true},
	"sorted":    {SortedBroadcasts: true},
	"bitcast":   {BitcastReshapes: true},
}

// TestVerifyRules runs testdata/verify*.txtar.
func TestVerifyRules(t *testing.T) {
	var cases []string
	for _, file := range []string{"testdata/verify.txtar", "testdata/verify_collectives.txtar"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, strings.Split(string(data), "\n-- ")[1:]...)
	}
	for _, c := range cases {
		title, text, ok := strings.Cut(c, " --\n")
		name, want, ok2 := strings.Cut(title, ": ")
		if !ok || !ok2 {
			t.Fatalf("malformed case %q", title)
		}
		t.Run(name, func(t *testing.T) {
			option := ""
			if strings.HasPrefix(name, "[") {
				option, _, _ = strings.Cut(name[1:], "]")
			}
			o, known := verifyOptions[option]
			if !known {
				t.Fatalf("unknown option %q", option)
			}
			m, err := hlotext.Parse(text, hlotext.ParseOptions{File: "case.hlo"})
			if err != nil {
				t.Fatal(err)
			}
			checkError(t, hlo.Verify(m, o), want)
		})
	}
	if len(cases) < 115 {
		t.Errorf("only %d cases", len(cases))
	}
}

// checkError compares err with a part of it, or with ok for none.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "ok" && err != nil:
		t.Errorf("got error %v, want none", err)
	case want != "ok" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("got error %v, want one with %q", err, want)
	case err != nil && !strings.HasPrefix(err.Error(), "case.hlo:"):
		t.Errorf("error %v does not begin with the place", err)
	}
}

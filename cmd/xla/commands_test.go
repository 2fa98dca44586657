package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goxla/xla/op"
)

// goldenCase returns a case of one negation; output is what it is to give.
func goldenCase(output string) string {
	return "# negate: a case.\n# source: definition\n# tolerance: exact\n\n-- module.hlo --\nENTRY e {\n" +
		"  p = f32[2] parameter(0)\n  ROOT n = f32[2] negate(p)\n}\n-- inputs --\nf32[2] {1, 2}\n-- output --\n" +
		output + "\n"
}

// cases writes files of golden cases into a new folder.
func cases(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTest(t *testing.T) {
	good, bad := goldenCase("f32[2] {-1, -2}"), goldenCase("f32[2] {-1, 2}")
	builderRule := "# builder: a rule for a call.\n\n-- rule --\nadd\n-- error --\nnot this\n"
	dir := cases(t, map[string]string{"a.txtar": good, "sub/b.txtar": good, "sub/c.txtar": bad,
		"broken.txtar": "# nothing\n", "rule.txtar": builderRule, "notes.md": "no case"})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

	out := expect(t, exitFailed, "2 cases failed", "test", dir)
	if !strings.HasSuffix(out, "\n2 passed, 2 failed, 1 skipped\n") {
		t.Errorf("totals:\n%s", out)
	}
	for _, want := range []string{"FAIL " + at("sub/c.txtar") + ": ", "FAIL " + at("broken.txtar") + ": "} {
		if strings.Count(out, want) != 1 {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	expect(t, exitDone, "1 passed, 0 failed, 0 skipped\n", "test", at("a.txtar"))
	expect(t, exitDone, "2 passed, 0 failed, 0 skipped\n", "test", "--backend", "interp", at("a.txtar"), at("sub/b.txtar"))
	expect(t, exitFailed, "1 passed, 1 failed, 0 skipped\n", "test", at("sub"))
	expect(t, exitUsage, "no such file", "test", at("absent"))
	expect(t, exitUsage, "no test files in", "test", cases(t, map[string]string{"notes.md": ""}))
	expect(t, exitUsage, "--backend: expects one of [cpu interp]", "test", "--backend", "tpu", dir)
	expect(t, exitUsage, `expects the arguments of "xla test PATH... [flags]", got 0`, "test")
}

func TestTestJSON(t *testing.T) {
	dir := cases(t, map[string]string{"a.txtar": goldenCase("f32[2] {-1, -2}"), "b.txtar": goldenCase("f32[3] {1, 2, 3}")})
	exit, out, _ := command(t, "test", "--json", dir)
	if exit != exitFailed {
		t.Errorf("status %d, want %d", exit, exitFailed)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3:\n%s", len(lines), out)
	}
	var first, second outcome
	var sum totals
	for i, v := range []any{&first, &second, &sum} {
		if err := json.Unmarshal([]byte(lines[i]), v); err != nil {
			t.Fatal(err)
		}
	}
	if want := (outcome{File: filepath.Join(dir, "a.txtar"), Status: "passed"}); first != want {
		t.Errorf("got %+v, want %+v", first, want)
	}
	if second.Status != "failed" || !strings.Contains(second.Error, "f32[3]") {
		t.Errorf("got %+v", second)
	}
	if want := (totals{Passed: 1, Failed: 1}); sum != want {
		t.Errorf("totals %+v, want %+v", sum, want)
	}
}

// TestInterrupt: a run that is interrupted says so and has status 1.
func TestInterrupt(t *testing.T) {
	dir := cases(t, map[string]string{"a.txtar": goldenCase("f32[2] {-1, -2}")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if exit := execute(ctx, []string{"test", dir}, &out, &out); exit != exitFailed {
		t.Errorf("status %d, want %d", exit, exitFailed)
	}
	if !strings.Contains(out.String(), "interrupted") {
		t.Errorf("printed %s", out.String())
	}
}

const small = `HloModule small, entry_computation_layout={(f32[2,3]{1,0})->f32[2]{0}}

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

ENTRY %e (p: f32[2,3]) -> f32[2] {
  %c = f32[12]{0} constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  %p = f32[2,3]{1,0} parameter(0), metadata={op_name="input"}
  %zero = f32[] constant(0)
  ROOT %r = f32[2]{0} reduce(%p, %zero), dimensions={1}, to_apply=%add
}

`

func TestConvert(t *testing.T) {
	in := file(t, "small.hlo", small)
	for form, want := range map[string]string{
		"full":    "%c = f32[12]{0} constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})",
		"default": "%c = f32[12]{0} constant({...})",
		"short":   "c = f32[12]{0} constant({",
		"long":    "reduce(f32[2,3]{1,0} %p, f32[] %zero)",
	} {
		if out := expect(t, exitDone, want, "convert", in, "-", "--form", form); !strings.HasPrefix(out, "HloModule small") {
			t.Errorf("%s:\n%s", form, out)
		}
	}
	canonical := expect(t, exitDone, "reduce(", "convert", in, "-", "--form", "canonical")
	if strings.Contains(canonical, "input") {
		t.Errorf("the canonical form has metadata:\n%s", canonical)
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	expect(t, exitDone, "", "convert", in, out)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != small {
		t.Errorf("converted to\n%s\nwant the same text", data)
	}
	expect(t, exitDone, "HloModule small", "convert", out, "-", "--form", "default")

	unverified := file(t, "wrong.hlo", "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[3] negate(p)\n}\n")
	expect(t, exitDone, "f32[3]{0} negate(", "convert", unverified, "-")
	expect(t, exitUsage, `out.pdf: expects an extension .hlo, .txt, .pb, .mlir, .mlirbc or .bc, got ".pdf"`,
		"convert", in, "out.pdf")
	expect(t, exitUsage, "--form: expects one of default, short, canonical, full, long, got \"tiny\"",
		"convert", in, "-", "--form", "tiny")
	expect(t, exitUsage, "no such file", "convert", "absent.hlo", "-")
	words := file(t, "words.hlo", "these are words")
	expect(t, exitUsage, "words.hlo: expects a program as HLO text", "convert", words, "-")
	expect(t, exitUsage, "no such file", "convert", in, filepath.Join("absent", "out.hlo"))
}

// sevenTimes negates 1000 numbers seven times.
const sevenTimes = `c {
  p = (s32[], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(7)
  ROOT l = pred[] compare(i, n), direction=LT
}
b {
  p = (s32[], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[1000] get-tuple-element(p), index=1
  y = f32[1000] negate(x)
  ROOT t = (s32[], f32[1000]) tuple(j, y)
}
ENTRY e {
  x = f32[1000] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[1000]) tuple(zero, x)
  w = (s32[], f32[1000]) while(t), condition=c, body=b
  ROOT r = f32[1000] get-tuple-element(w), index=1
}
`

func TestShow(t *testing.T) {
	want := `module small (HLO text)
  parameter 0  p            f32[2,3]{1,0}
  result                    f32[2]{0}
2 computations, 7 instructions
       3  parameter
       2  constant
       1  add
       1  reduce
flops of one run: 4
bytes: parameters 24, result 8, constants 52
`
	if out := expect(t, exitDone, "module small", "show", file(t, "small.hlo", small)); out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	loop := file(t, "loop.hlo", `c {
  p = f32[1000] parameter(0)
  ROOT t = pred[] constant(false)
}
b {
  p = f32[1000] parameter(0)
  ROOT n = f32[1000] negate(p)
}
ENTRY e {
  p = f32[1000] parameter(0)
  ROOT w = f32[1000] while(p), condition=c, body=b
}
`)
	const once = "(bodies of 1 while loops that turn as often as their data says counted once)"
	expect(t, exitDone, "flops of one run: 1 000 "+once, "show", loop)
	expect(t, exitDone, "flops of one run: 7 014\n", "show", file(t, "seven.hlo", sevenTimes))
	wrong := file(t, "wrong.hlo", strings.ReplaceAll(sevenTimes, "index=0", "index=5"))
	expect(t, exitDone, "flops of one run: not counted: "+wrong+":3:3: %i: get-tuple-element: ", "show", wrong)
	expect(t, exitUsage, "no such file", "show", "absent.hlo")
}

func TestGroup(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1 000", 123456: "123 456",
		1234567: "1 234 567", -1000: "-1 000", -100: "-100"} {
		if got := group(n); got != want {
			t.Errorf("group(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestOps: a line an operation, each with its evaluator.
func TestOps(t *testing.T) {
	out := expect(t, exitDone, "operation", "ops")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if got, want := len(lines)-1, len(op.Codes()); got != want {
		t.Errorf("%d operations, want %d", got, want)
	}
	line := regexp.MustCompile(`^[a-z0-9-]+ +(\d|any) +(yes|-)$`)
	for _, l := range lines[1:] {
		if !line.MatchString(l) {
			t.Errorf("line %q", l)
		}
	}
}

func TestVersion(t *testing.T) {
	expect(t, exitDone, runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH, "version")
	expect(t, exitDone, "cpu features: ", "version")
}

func TestHelp(t *testing.T) {
	expect(t, exitDone, "xla [command]", "--help")
	expect(t, exitDone, "--compare", "run", "--help")
	expect(t, exitUsage, `unknown command "walk"`, "walk")
}

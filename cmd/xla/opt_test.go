package main

import (
	"strings"
	"testing"
)

const opted = `HloModule opted

ENTRY e {
  x = f32[2] parameter(0)
  dead = f32[2] negate(x)
  two = f32[] constant(2)
  three = f32[] constant(3)
  six = f32[] multiply(two, three)
  b = f32[2] broadcast(six), dimensions={}
  ROOT y = f32[2] multiply(x, b)
}
`

func TestOpt(t *testing.T) {
	path := file(t, "opted.hlo", opted)
	out := expect(t, exitDone, "six = f32[] constant(6)", "opt", path)
	if strings.Contains(out, "dead") || strings.Contains(out, "three") {
		t.Errorf("the pipeline left\n%s", out)
	}
	out = expect(t, exitDone, "constant(3)", "opt", path, "--passes", "dce,cse")
	if strings.Contains(out, "dead") {
		t.Errorf("dce left\n%s", out)
	}
	expect(t, exitDone, "=== dce\n", "opt", path, "--passes", "dce", "--diff")
	expect(t, exitDone, "-  dead = f32[2]{0} negate(x)\n", "opt", path, "--passes", "dce", "--diff")
	expect(t, exitDone, "while-loop-unroller", "opt", "--list")
	expect(t, exitUsage, `expects the name of a pass (xla opt --list), got "none"`, "opt", path, "--passes", "none")
	expect(t, exitUsage, "--form: expects one of", "opt", path, "--form", "none")
	expect(t, exitUsage, "expects the arguments", "opt", "--list", path)
	expect(t, exitUsage, "no such file", "opt", "missing.hlo")
}

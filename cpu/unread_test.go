package cpu_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu"
)

const stackingText = `HloModule m
cond {
 s = (s32[], f32[600], f32[40,600], f32[40,600]) parameter(0)
 i = s32[] get-tuple-element(s), index=0
 n = s32[] constant(40)
 COND
}
body {
 s = (s32[], f32[600], f32[40,600], f32[40,600]) parameter(0)
 i = s32[] get-tuple-element(s), index=0
 h = f32[600] get-tuple-element(s), index=1
 y = f32[40,600] get-tuple-element(s), index=2
 x = f32[40,600] get-tuple-element(s), index=3
 one = s32[] constant(1)
 zero = s32[] constant(0)
 j = s32[] add(i, one)
 d = f32[1,600] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,600}
 r = f32[600] reshape(d)
 k = f32[600] add(h, r)
 q = f32[1,600] reshape(k)
 BODY
}
ENTRY e {
 x = f32[40,600] parameter(0)
 seven = f32[] constant(7)
 h = f32[600] broadcast(seven), dimensions={}
 filled = f32[40,600] broadcast(seven), dimensions={}
 start = s32[] constant(0)
 t = (s32[], f32[600], f32[40,600], f32[40,600]) tuple(start, h, filled, x)
 w = (s32[], f32[600], f32[40,600], f32[40,600]) while(t), condition=cond, body=body
 RESULT
}`

// nestedText is a loop whose state has a tuple in it, and TYPE is where.
const nestedText = `HloModule m
cond {
 s = TYPE parameter(0)
 i = s32[] get-tuple-element(s), index=0
 n = s32[] constant(317)
 ROOT c = pred[] compare(i, n), direction=LT
}
body {
 s = TYPE parameter(0)
 i = s32[] get-tuple-element(s), index=0
 y = f32[317,501] get-tuple-element(s), index=ARRAY
 p = (f32[501], f32[501]) get-tuple-element(s), index=PAIR
 a = f32[501] get-tuple-element(p), index=0
 b = f32[501] get-tuple-element(p), index=1
 d = f32[501] subtract(b, a)
 q = (f32[501], f32[501]) tuple(b, d)
 r = f32[1,501] reshape(d)
 zero = s32[] constant(0)
 u = f32[317,501] dynamic-update-slice(y, r, i, zero)
 one = s32[] constant(1)
 j = s32[] add(i, one)
 none = () tuple()
 ROOT t = TYPE tuple(NEXT)
}
ENTRY e {
 a = f32[501] parameter(0)
 b = f32[501] parameter(1)
 q = (f32[501], f32[501]) tuple(a, b)
 seven = f32[] constant(7)
 u = f32[317,501] broadcast(seven), dimensions={}
 j = s32[] constant(0)
 none = () tuple()
 t = TYPE tuple(NEXT)
 w = TYPE while(t), condition=cond, body=body
 ROOT r = f32[317,501] get-tuple-element(w), index=ARRAY
}`

// TestUnreadNested: tuples in the state of a loop do not confuse which of its arrays it overwrites.
func TestUnreadNested(t *testing.T) {
	for _, of := range [][]string{
		{"TYPE", "(s32[], f32[317,501], (f32[501], f32[501]))", "NEXT", "j, u, q", "ARRAY", "1", "PAIR", "2"},
		{"TYPE", "(s32[], (f32[501], f32[501]), f32[317,501], ())", "NEXT", "j, q, u, none", "ARRAY", "2", "PAIR", "1"},
	} {
		onTwoThreads(t, strings.NewReplacer(of...).Replace(nestedText), 1e-6, func(tier string, p *cpu.Program) {
			if plan := p.Plan().String(); strings.Contains(plan, "kernel u(") {
				t.Errorf("%s: expected zeros that are not written, got\n%s", tier, plan)
			}
		})
	}
}

// TestUnreadStates: what a loop overwrites whole before it reads it is not filled in front of it, on every tier; what
// it does not is.
func TestUnreadStates(t *testing.T) {
	const (
		less  = "ROOT c = pred[] compare(i, n), direction=LT"
		next  = "ROOT t = (s32[], f32[600], f32[40,600], f32[40,600]) tuple(j, k, u, x)"
		taken = "ROOT r = f32[40,600] get-tuple-element(w), index=2"
		up    = "u = f32[40,600] dynamic-update-slice(y, q, i, zero)\n "
	)
	for _, test := range []struct {
		name, cond, body, result string
		unread                   bool
	}{
		{"forward", less, up + next, taken, true},
		{"backward", less, "last = s32[] constant(39)\n b = s32[] subtract(last, i)\n " +
			"u = f32[40,600] dynamic-update-slice(y, q, b, zero)\n " + next, taken, true},
		{"backward, of what comes next", less, "last = s32[] constant(40)\n b = s32[] subtract(last, j)\n " +
			"u = f32[40,600] dynamic-update-slice(y, q, b, zero)\n " + next, taken, true},
		{"backward, one row late", less, "last = s32[] constant(39)\n b = s32[] subtract(last, j)\n " +
			"u = f32[40,600] dynamic-update-slice(y, q, b, zero)\n " + next, taken, false},
		{"every other row", less, "b = s32[] add(i, i)\n u = f32[40,600] dynamic-update-slice(y, q, b, zero)\n " + next,
			taken, false},
		{"fewer rows", "f = s32[] constant(39)\n ROOT c = pred[] compare(i, f), direction=LT", up + next, taken, false},
		{"one row late", less, "u = f32[40,600] dynamic-update-slice(y, q, j, zero)\n " + next, taken, false},
		{"one row early", less, "e = s32[] subtract(i, one)\n u = f32[40,600] dynamic-update-slice(y, q, e, zero)\n " + next,
			taken, false},
		{"read before", less, "o = f32[1,600] dynamic-slice(y, i, zero), dynamic_slice_sizes={1,600}\n " +
			"p = f32[1,600] add(q, o)\n u = f32[40,600] dynamic-update-slice(y, p, i, zero)\n " + next, taken, false},
		{"read behind", less, up + "g = f32[1,600] dynamic-slice(u, zero, zero), dynamic_slice_sizes={1,600}\n " +
			"l = f32[600] reshape(g)\n m = f32[600] add(k, l)\n " + strings.Replace(next, "j, k", "j, m", 1), taken, false},
		{"parts of rows", less, "f = f32[1,599] slice(q), slice={[0:1], [0:599]}\n " +
			"u = f32[40,600] dynamic-update-slice(y, f, i, zero)\n " + next, taken, false},
		{"at random", less, "a = s32[] multiply(i, i)\n u = f32[40,600] dynamic-update-slice(y, q, a, zero)\n " + next,
			taken, false},
		{"read by the condition", "y = f32[40,600] get-tuple-element(s), index=2\n " +
			"p = f32[1,1] slice(y), slice={[39:40], [0:1]}\n v = f32[] reshape(p)\n " +
			"seven = f32[] constant(7)\n m = pred[] compare(v, seven), direction=EQ\n " +
			"c = pred[] compare(i, n), direction=LT\n ROOT o = pred[] and(c, m)", up + next, taken, false},
		{"read by others", less, up + next, "y = f32[40,600] get-tuple-element(w), index=2\n " +
			"ROOT r = f32[40,600] add(y, filled)", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.NewReplacer("COND", test.cond, "BODY", test.body, "RESULT", test.result).Replace(stackingText)
			onTwoThreads(t, text, 1e-6, func(tier string, p *cpu.Program) {
				plan := p.Plan().String()
				if filled := strings.Contains(plan, "kernel filled"); filled == test.unread {
					t.Errorf("%s: expected zeros that are not written: %v, got\n%s", tier, test.unread, plan)
				}
			})
		})
	}
}

// TestUnreadNarrow: an index that wraps around on the way, as its type has too few numbers, is not another in each
// iteration: where it is below 0 the first row is meant, and some rows stay what they were.
func TestUnreadNarrow(t *testing.T) {
	text := strings.NewReplacer("s32", "s8", "40", "200", "start = s32[] constant(0)", "start = s8[] constant(-100)",
		"constant(40)", "constant(100)", "COND", "ROOT c = pred[] compare(i, n), direction=LT",
		"BODY", "m = s8[] constant(100)\n b = s8[] add(i, m)\n u = f32[200,600] dynamic-update-slice(y, q, b, zero)\n "+
			"ROOT t = (s8[], f32[600], f32[200,600], f32[200,600]) tuple(j, k, u, x)",
		"RESULT", "ROOT r = f32[200,600] get-tuple-element(w), index=2").Replace(stackingText)
	onTwoThreads(t, text, 1e-5, func(tier string, p *cpu.Program) {
		if plan := p.Plan().String(); !strings.Contains(plan, "kernel filled") {
			t.Errorf("%s: expected an array that is filled, got\n%s", tier, plan)
		}
	})
}
